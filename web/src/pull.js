// Pulling on matter with the mouse: what is near the particle taken hold of is drawn after the pointer, once a frame. One that no frame
// came for, of a simulation that stands still or a short one, acts at the next frame as it was let go.
import * as THREE from "three";
import { onScreen, underPointer } from "./overlay.js";
import { getJson } from "./server.js";

const strength = 0.35; // of the way to the pointer, in the time of a frame
const reach = 0.12; // of the region, where the pull has fallen to a third

export class Pull {
  #held = null;

  constructor(app) {
    this.app = app;
  }
  get active() {
    return this.#held !== null;
  }

  // False where there is nothing to take hold of. Whose matter it is, the program knows; a liquid is pulled whosever it is.
  begin(x, y) {
    const { stage, scene, simulation } = this.app;
    const row = stage.particleAt(x, y);
    if (row === null || !scene.live) return false;
    if (simulation.ended) {
      this.app.note("The run has ended: its matter cannot be pulled any more. Start it again (R) first.");
      return false;
    }
    const held = (this.#held = { row, start: [x, y], pointer: [x, y], frame: null, of: null });
    held.asked = scene.method === "liquid" ? Promise.resolve({}) : this.#bodyOf(row);
    held.asked.then((of) => (held.of = of));
    stage.pick(row);
    stage.controls.enabled = false;
    this.app.goLive();
    this.draw();
    return true;
  }
  async #bodyOf(row) {
    try {
      const { body } = await getJson(`particle?number=now&row=${row}`);
      return { body: this.app.scene.matter[body].name };
    } catch (error) {
      this.app.note(error.message);
      return null;
    }
  }
  move(x, y) {
    if (!this.#held) return;
    this.#held.pointer = [x, y];
    this.draw();
  }
  end() {
    const held = this.#held;
    const order = held && held.frame === null && this.#event(held);
    this.#held = null;
    this.app.stage.controls.enabled = true;
    this.draw();
    const moved = held && Math.hypot(held.pointer[0] - held.start[0], held.pointer[1] - held.start[1]) > 3;
    if (order && moved) held.asked.then((of) => of && this.app.send({ do: "event", event: { ...of, ...order } }));
  }

  // The arrow from the matter to the pointer.
  draw() {
    const at = this.#held && this.#place();
    if (at) this.app.overlay.showArrow(onScreen(this.app.stage, at), this.#held.pointer);
    else this.app.overlay.showArrow(null);
  }

  #place({ row } = this.#held) {
    const { data, dimension: d, rows } = this.app.stage.frame;
    return row < rows ? new THREE.Vector3(...data.x.subarray(row * d, row * d + d)) : null;
  }

  // Told how the simulation stands; sends at most one event a frame.
  update(live) {
    const held = this.#held;
    if (!held) return;
    this.draw();
    if (live.phase !== "running" || live.waiting || live.frame === held.frame || !held.of) return;
    const order = this.#event(held);
    if (!order) return;
    held.frame = live.frame;
    this.app.send({ do: "event", event: { ...held.of, ...order } }, true);
  }

  // What the pull does as it is now; none where its particle is not seen.
  #event(held) {
    const { stage, scene } = this.app;
    const at = this.#place(held);
    if (!at) return null;
    const to = underPointer(stage, held.pointer, at);
    const size = new THREE.Vector3(...scene.region.max).distanceTo(new THREE.Vector3(...scene.region.min));
    const names = ["x", "y", "z"].slice(0, stage.dimension);
    const far = names.map((n) => `(${n}-(${at[n].toPrecision(6)}))^2`).join("+");
    const fall = `exp(-(${far})/${((reach * size) ** 2).toPrecision(6)})`;
    const velocity = names.map((n) => `${(strength * scene.fps * (to[n] - at[n])).toPrecision(6)}*${fall}`);
    return { velocity };
  }
}
