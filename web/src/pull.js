// Pulling on matter with the mouse: what is near the particle taken hold of is drawn after the pointer, once a frame.
import * as THREE from "three";
import { rowOf } from "./frames.js";

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

  // False where there is nothing to take hold of.
  begin(x, y) {
    const { stage, scene } = this.app;
    const row = stage.particleAt(x, y);
    if (row === null || !scene.live) return false;
    this.#held = { row, pointer: [x, y], frame: -1 };
    stage.pick(row);
    stage.controls.enabled = false;
    return true;
  }
  move(x, y) {
    if (this.#held) this.#held.pointer = [x, y];
  }
  end() {
    this.#held = null;
    this.app.stage.controls.enabled = true;
  }

  // Told how the simulation stands; sends at most one event a frame.
  update(live) {
    const held = this.#held;
    if (!held || live.phase !== "running" || live.waiting || live.frame === held.frame) return;
    const { stage, scene } = this.app;
    const { data, dimension: d, rows } = stage.frame;
    if (held.row >= rows) return;
    held.frame = live.frame;
    const at = new THREE.Vector3(...data.x.subarray(held.row * d, held.row * d + d));
    const to = this.#under(held.pointer, at);
    const fps = scene.fps;
    const size = new THREE.Vector3(...scene.region.max).distanceTo(new THREE.Vector3(...scene.region.min));
    const names = ["x", "y", "z"].slice(0, d);
    const far = names.map((n) => `(${n}-(${at[n].toPrecision(6)}))^2`).join("+");
    const fall = `exp(-(${far})/${((reach * size) ** 2).toPrecision(6)})`;
    const velocity = names.map((n) => `${(strength * fps * (to[n] - at[n])).toPrecision(6)}*${fall}`);
    const body = scene.matter[this.#bodyOf(held.row)]?.name;
    if (body) this.app.send({ do: "event", event: { body, velocity } }, true);
  }

  // Which body it is of: known where colours are by body, else the only one, or the first.
  #bodyOf(row) {
    const { frame } = this.app.stage;
    return frame.color === "body" && rowOf(frame, row) === row ? Math.round(frame.data.value[row]) : 0;
  }

  // The point under the pointer, as far from the eye as `at` is.
  #under([px, py], at) {
    const { stage } = this.app;
    const { clientWidth: width, clientHeight: height } = stage.canvas.parentElement;
    const depth = at.clone().project(stage.camera).z;
    const point = new THREE.Vector3((2 * px) / width - 1, 1 - (2 * py) / height, depth).unproject(stage.camera);
    if (stage.dimension === 2) point.z = 0;
    return point;
  }
}
