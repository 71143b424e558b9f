// Pulling on matter with the mouse. While a simulation goes on, what is near the particle taken hold of gets the velocity of the arrow, once a
// frame; of one that stands still, and where no frame came, it is pushed by that at the next frame, as it was let go.
import * as THREE from "three";
import { short } from "./numbers.js";
import { onScreen, underPointer } from "./overlay.js";
import { getJson } from "./server.js";

const reach = 0.12; // of the region, where the pull has fallen to a third
const most = 3; // of an arrow as long as the picture is high, in times of the velocity that a fall from half that height gives

const speed = (velocity) => `${short(velocity.length(), 2)} m/s`;

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
    const { stage, scene, simulation } = this.app;
    const row = stage.particleAt(x, y);
    if (row === null || !scene.live) return false;
    if (simulation.ended) {
      this.app.note("The run has ended, so its matter cannot be pulled. Restart it (R) first.");
      return false;
    }
    const held = (this.#held = { row, start: [x, y], pointer: [x, y], frame: null, body: null, fastest: new THREE.Vector3() });
    held.asked = this.#bodyOf(row);
    held.asked.then((body) => (held.body = body));
    stage.pick(row);
    stage.controls.enabled = false;
    this.app.goLive();
    this.draw();
    return true;
  }
  async #bodyOf(row) {
    try {
      const { body } = await getJson(`particle?number=now&row=${row}`);
      return this.app.scene.matter[body].name;
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
  async end() {
    const held = this.#held;
    const push = this.#velocity(held);
    this.#held = null;
    this.app.stage.controls.enabled = true;
    this.draw();
    if (held.frame !== null) return this.app.note(`Pulled ${held.body} at up to ${speed(held.fastest)}.`);
    if (!push || !this.#moved(held)) return;
    const at = this.#place(held);
    if (!(await held.asked)) return;
    const wrong = await this.app.send(this.#order(held, at, push), true);
    if (!wrong) this.app.note(`Pushed ${held.body} by ${speed(push)}. Takes effect ${this.app.simulation.onward}.`);
  }
  #moved({ start, pointer }) {
    return Math.hypot(pointer[0] - start[0], pointer[1] - start[1]) > 3;
  }

  // The arrow from the matter to the pointer, with its velocity.
  draw() {
    const at = this.#held && this.#place();
    if (at) this.app.overlay.showArrow(onScreen(this.app.stage, at), this.#held.pointer, speed(this.#velocity()));
    else this.app.overlay.showArrow(null);
  }

  #place({ row } = this.#held) {
    return this.#of("x", row);
  }
  #of(column, row) {
    const { data, dimension: d, rows } = this.app.stage.frame;
    return row < rows && data[column] ? new THREE.Vector3(...data[column].subarray(row * d, row * d + d)) : null;
  }

  // What the arrow stands for, whatever the size of the scene; none where its particle is not seen.
  #velocity(held = this.#held) {
    const { stage } = this.app;
    const at = this.#place(held);
    if (!at) return null;
    const [top, foot] = [0, stage.canvas.clientHeight].map((y) => underPointer(stage, [0, y], at));
    const height = top.distanceTo(foot);
    const full = most * Math.sqrt(9.81 * height);
    return underPointer(stage, held.pointer, at).sub(at).multiplyScalar(full / height).clampLength(0, full);
  }

  // Told how the simulation stands; sends at most one event a frame, once what the one before did is seen.
  update(live) {
    const held = this.#held;
    if (!held) return;
    this.draw();
    if (live.phase !== "running" || live.waiting || !held.body || !this.#moved(held)) return;
    if (held.frame !== null && this.app.stage.frame.number <= held.frame) return;
    const wanted = this.#velocity();
    if (!wanted) return;
    held.frame = live.frame;
    if (wanted.length() > held.fastest.length()) held.fastest.copy(wanted);
    this.app.send(this.#order(held, this.#place(), wanted.sub(this.#of("v", held.row) ?? new THREE.Vector3())), true);
  }

  // A liquid is pulled whosever it is.
  #order({ body }, at, velocity) {
    const { stage, scene } = this.app;
    const size = new THREE.Vector3(...scene.region.max).distanceTo(new THREE.Vector3(...scene.region.min));
    const names = ["x", "y", "z"].slice(0, stage.dimension);
    // In few digits, which are enough here: what is long is told in part only where it waits.
    const digits = Math.max(0, 3 - Math.floor(Math.log10(size)));
    const away = (n) => `(${n}${at[n] < 0 ? "+" : "-"}${Number(Math.abs(at[n]).toFixed(digits))})^2`;
    const fall = `exp(-(${names.map(away).join("+")})/${short((reach * size) ** 2, 3)})`;
    const event = { velocity: names.map((n) => `${short(velocity[n])}*${fall}`) };
    return { do: "event", event: scene.method === "liquid" ? event : { body, ...event } };
  }
}
