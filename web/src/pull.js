// Pulling on matter with the mouse: what is near the particle taken hold of is drawn after the pointer, once a frame.
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

  // False where there is nothing to take hold of. Whose matter it is, the program knows.
  begin(x, y) {
    const { stage, scene } = this.app;
    const row = stage.particleAt(x, y);
    if (row === null || !scene.live) return false;
    const held = (this.#held = { row, pointer: [x, y], frame: -1, body: null });
    stage.pick(row);
    stage.controls.enabled = false;
    this.app.goLive();
    getJson(`particle?number=now&row=${row}`)
      .then(({ body }) => (held.body = scene.matter[body]?.name ?? null))
      .catch((error) => this.app.note(error.message));
    this.draw();
    return true;
  }
  move(x, y) {
    if (!this.#held) return;
    this.#held.pointer = [x, y];
    this.draw();
  }
  end() {
    this.#held = null;
    this.app.stage.controls.enabled = true;
    this.draw();
  }

  // The arrow from the matter to the pointer.
  draw() {
    const at = this.#held && this.#place();
    if (at) this.app.overlay.showArrow(onScreen(this.app.stage, at), this.#held.pointer);
    else this.app.overlay.showArrow(null);
  }

  #place() {
    const { data, dimension: d, rows } = this.app.stage.frame;
    const { row } = this.#held;
    return row < rows ? new THREE.Vector3(...data.x.subarray(row * d, row * d + d)) : null;
  }

  // Told how the simulation stands; sends at most one event a frame.
  update(live) {
    const held = this.#held;
    if (!held) return;
    this.draw();
    if (live.phase !== "running" || live.waiting || live.frame === held.frame || held.body === null) return;
    const { stage, scene } = this.app;
    const at = this.#place();
    if (!at) return;
    held.frame = live.frame;
    const to = underPointer(stage, held.pointer, at);
    const size = new THREE.Vector3(...scene.region.max).distanceTo(new THREE.Vector3(...scene.region.min));
    const names = ["x", "y", "z"].slice(0, stage.dimension);
    const far = names.map((n) => `(${n}-(${at[n].toPrecision(6)}))^2`).join("+");
    const fall = `exp(-(${far})/${((reach * size) ** 2).toPrecision(6)})`;
    const velocity = names.map((n) => `${(strength * scene.fps * (to[n] - at[n])).toPrecision(6)}*${fall}`);
    this.app.send({ do: "event", event: { body: held.body, velocity } }, true);
  }
}
