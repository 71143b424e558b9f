// The panels at the side, one at a time: their tabs, the log and the particle that was picked.
import { make } from "./dom.js";
import { History } from "./history.js";
import { showParticle } from "./particle.js";
import { getJson } from "./server.js";
import { remember, settings } from "./settings.js";

const $ = (id) => document.getElementById(id);
const tabs = { view: "View", plots: "Plots", particle: "Particle", steer: "Steer", log: "Log" };

export class Side {
  #log = -1; // bytes of it that there were
  #read = 0; // and that were read

  constructor(app) {
    this.app = app;
    this.particle = make("div");
    this.history = new History(app);
    $("particle").append(this.history.box, this.particle);
    for (const [tab, label] of Object.entries(tabs)) {
      const element = Object.assign(document.createElement("button"), { type: "button", textContent: label });
      element.dataset.tab = tab;
      element.setAttribute("role", "tab");
      element.addEventListener("click", () => this.choose(tab));
      $("tabs").append(element);
    }
    if (innerWidth < 900) settings.side = false;
    this.choose(settings.tab);
  }

  #button(tab) {
    return $("tabs").querySelector(`[data-tab="${tab}"]`);
  }
  shows(tab) {
    return settings.side && settings.tab === tab;
  }

  open(scene) {
    this.#button("steer").hidden = !scene.live;
    if (!scene.live && settings.tab === "steer") this.choose("plots");
  }

  toggle() {
    settings.side = !settings.side;
    this.choose(settings.tab);
  }

  choose(tab) {
    settings.tab = tab;
    remember();
    $("side").hidden = !settings.side;
    for (const name of Object.keys(tabs)) {
      $(name).hidden = name !== tab;
      this.#button(name).setAttribute("aria-selected", String(name === tab));
    }
    if (tab === "log" && this.app.scene) this.#readLog().catch(() => {});
    if (tab === "particle") this.readParticle();
    if (tab === "plots") this.app.plots.appear();
    this.app.steer.body.outline();
  }

  // The log of another run is another one.
  startAgain() {
    this.#log = -1;
    this.#read = 0;
    $("log-text").textContent = "";
  }

  async update({ log_bytes: bytes }) {
    if (bytes === this.#log || !this.shows("log")) return;
    this.#log = bytes;
    await this.#readLog();
  }

  // One after the other, since each makes the text longer.
  #readLog() {
    return (this.#line = this.#line.catch(() => {}).then(() => this.#readOn()));
  }
  #line = Promise.resolve();

  // What came since; of a log that is not the one that was read, its end.
  async #readOn() {
    const { text, first, bytes } = await getJson(`log?first=${this.#read}`);
    const [box, lines] = [$("log"), $("log-text")];
    const atEnd = box.scrollTop + box.clientHeight > box.scrollHeight - 30;
    if (first !== this.#read) lines.textContent = "";
    if (text) lines.append(text);
    while (lines.childNodes.length > 500) lines.firstChild.remove();
    this.#read = bytes;
    if (atEnd) box.scrollTop = box.scrollHeight;
  }

  // In the picture beside: of the other run, or the same particle in another space, which has a mark in both.
  pickAt(x, y, on = this.app.stage) {
    const { stages, beside } = this.app;
    const row = on.particleAt(x, y);
    for (const [stage] of stages) stage.pick(stage === on || beside.what !== "run" ? row : null);
    if (row === null) return this.readParticle();
    settings.side = true;
    this.choose("particle");
  }

  async readParticle() {
    if (!this.shows("particle")) return;
    const { stages, player } = this.app;
    const [stage] = stages.find(([each]) => each.frame && each.picked !== null) ?? [];
    if (!stage) {
      this.particle.textContent = "Click on a particle to list all its columns.";
      return this.history.show(null);
    }
    const other = stage !== this.app.stage;
    const which = player.follow && !other ? "now" : stage.frame.number;
    try {
      const beside = other && this.app.beside.what === "run";
      const id = await showParticle(this.particle, `${beside ? "beside/" : ""}particle?number=${which}&row=${stage.picked}`, stage.dimension);
      this.history.show({ beside, number: which, row: stage.picked, id });
    } catch (error) {
      this.particle.textContent = error.message; // gone from this frame
    }
  }
}
