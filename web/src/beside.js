// A second view beside the first, with its camera and its time: the same matter in another space, or another run.
import { Frames } from "./frames.js";
import { getJson } from "./server.js";
import { hasMeshes, Stage } from "./stage.js";

const $ = (id) => document.getElementById(id);

// What can be shown beside a scene, by the names that the panel has for it.
export function choicesFor(scene) {
  const choices = { nothing: "" };
  if (hasMeshes(scene)) choices["its meshes at rest"] = "rest";
  if (scene.columns.includes("X")) choices["where it started"] = "X";
  if (scene.columns.includes("embedded")) choices["its rest space"] = "embedded";
  if (scene.beside) choices["the other run"] = "run";
  return choices;
}

export class Beside {
  what = "";
  #request = 0;

  constructor(app) {
    this.app = app;
  }

  async choose(what) {
    this.what = what;
    $("second").hidden = !what;
    const { app } = this;
    $("first-name").hidden = what !== "run";
    app.paint.takeBeside(null);
    if (!what) return app.plots.update(false, app.scene);
    this.stage ??= new Stage($("canvas2"));
    const other = what === "run";
    this.frames = new Frames(other ? "beside/" : "");
    this.scene = other ? await getJson("beside/scene") : app.scene;
    this.stage.open(this.scene, other ? await getJson("beside/solids") : []);
    this.stage.eye.framed = false; // another space
    this.stage.draws = what === "rest" ? "surface" : undefined;
    this.numbers = [];
    await this.update();
    app.plots.update(other, app.scene).catch((error) => app.note(error.message));
    $("first-name").textContent = app.scene.folder;
    $("second-name").textContent = other ? this.scene.folder : { X: "where it started", rest: "meshes at rest" }[what] ?? "rest space";
    app.paint.all();
    this.#link(app.stage, this.stage);
    this.#link(this.stage, app.stage);
    if (app.stage.frame) await this.show(app.stage.frame);
  }

  get stages() {
    return [this.app.stage, this.stage];
  }

  // All in both pictures, in one scale.
  frameAll() {
    this.busy = true;
    for (const stage of this.stages) stage.frameAll(false, this.what === "run" ? this.stages.map(({ frame }) => frame) : []);
    const reach = Math.max(...this.stages.map((stage) => stage.eye.reach));
    for (const stage of this.stages) stage.eye.reach = reach;
    this.busy = false;
  }

  // Half a picture is narrower than a whole one.
  #align() {
    for (const { eye } of this.stages) eye.fit(); // which the page may not have got to yet
    this.#follow(...this.stages);
    if (!this.stages.every((stage) => stage.eye.sees(stage.frame))) this.frameAll();
  }

  // Which frames the other run has: it may go on itself.
  async update() {
    if (this.what !== "run") return;
    const { frames, status } = await getJson("beside/state");
    this.status = status;
    this.numbers = frames.flatMap(([first, last, step]) => Array.from({ length: (last - first) / step + 1 }, (_, i) => first + i * step));
  }

  // The number of its frame that is nearest in time; of a run that is shorter, that is its last.
  #numberAt(time) {
    const wanted = this.scene.start_frame + time * this.scene.fps;
    return this.numbers.reduce((best, n) => (Math.abs(n - wanted) < Math.abs(best - wanted) ? n : best), this.numbers[0]);
  }

  // The frame of the same time.
  async show(frame) {
    if (!this.what || !this.scene) return;
    const request = ++this.#request;
    const look = { ...this.app.look(this.scene), place: ["run", "rest"].includes(this.what) ? "x" : this.what };
    if (this.what !== "run") look.surface = this.what === "rest" && "rest";
    try {
      const live = this.app.player.follow && this.what !== "run";
      const number = this.what === "run" ? this.#numberAt(frame.time) : frame.number;
      if (number === undefined) return;
      const other = live ? await this.frames.now(look) : await this.frames.fetch(number, look);
      if (!other || request !== this.#request) return;
      const { framed } = this.stage.eye;
      this.stage.show(other);
      if (!framed) this.#align();
      if (this.what === "run" && this.stage.picked !== null) this.app.side.readParticle();
      if (this.what !== "run") return;
      $("second-name").textContent = this.#moment(frame.time, other);
      this.app.paint.takeBeside(other);
    } catch (error) {
      if (error.status !== 400) throw error;
      $("second-name").textContent = error.message; // a column that the other run has not
    }
  }

  // Its name and its own time; and why that is no longer the time of the first.
  #moment(time, { time: own, number }) {
    const past = number === this.numbers.at(-1) && time > own + 0.6 / this.scene.fps;
    const end = this.status === "running" ? "it has come this far" : "it ended here";
    return `${this.scene.folder}   t = ${own.toFixed(4)} s${past ? `: ${end}` : ""}`;
  }

  #linked = new WeakSet();
  #link(from, to) {
    if (this.#linked.has(from.controls)) return;
    this.#linked.add(from.controls);
    from.controls.addEventListener("change", () => this.#follow(from, to));
  }

  // Another space has its own middle; another run is looked at from the same place.
  #follow(from, to) {
    if (!this.what || this.busy || from.dimension !== to.dimension || !to.frame) return;
    this.busy = true; // or each would answer the other
    const away = from.camera.position.clone().sub(from.controls.target);
    if (this.what === "run") to.controls.target.copy(from.controls.target);
    to.camera.position.copy(to.controls.target).add(away);
    to.camera.zoom = from.camera.zoom;
    to.eye.half = from.eye.half;
    to.eye.refit();
    this.busy = false;
  }
}
