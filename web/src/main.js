// The viewer: brings together what is shown, which moment, and what the program says of the run.
import { Bar } from "./bar.js";
import { Beside } from "./beside.js";
import { Frames } from "./frames.js";
import { Film, sheetOf } from "./film.js";
import { fillHelp } from "./help.js";
import { showLegend } from "./legend.js";
import { Options } from "./options.js";
import { Overlay } from "./overlay.js";
import { showParticle } from "./particle.js";
import { Player } from "./player.js";
import { Plots } from "./plots.js";
import { Pull } from "./pull.js";
import { command, getBytes, getJson, getText } from "./server.js";
import { remember, settings } from "./settings.js";
import { hasGrid, hasMeshes, Stage } from "./stage.js";
import { Steer } from "./steer.js";
import { crackColor } from "./surface.js";
import "./style.css";

const $ = (id) => document.getElementById(id);
const tabs = { view: "View", plots: "Plots", particle: "Particle", steer: "Steer", log: "Log" };

class App {
  scene = null;
  state = null;
  range = null; // of the colours, as the user wants it; null: of what occurs
  #seen = [Infinity, -Infinity]; // of the column, in the frames shown so far
  #legend = {};

  constructor() {
    document.documentElement.dataset.theme = settings.theme;
    this.stage = new Stage($("canvas"));
    this.frames = new Frames();
    this.player = new Player(this.frames, {
      look: () => this.look(this.scene),
      show: (frame) => this.#show(frame),
      changed: () => this.bar.update(),
      failed: (error) => this.note(error.message), // a frame that a restart has taken away, say
    });
    this.beside = new Beside(this);
    this.bar = new Bar($("bar"), this);
    this.options = new Options($("options"), this);
    this.plots = new Plots($("plots"), (time) => this.player.seekTime(time, this.scene));
    this.steer = new Steer($("steer"), this);
    this.overlay = new Overlay($("overlay"));
    this.pull = new Pull(this);
    this.recording = new Film(this.stage, {
      sheet: () => this.#sheet(),
      done: (blob) => this.#download(blob, `${this.scene.name}.webm`),
      changed: (on) => this.bar.film.classList.toggle("on", on),
      failed: (why) => this.note(why),
    });
    fillHelp($("help"));
    this.#makeTabs();
    this.#listen();
  }

  // ---- what the program says

  async open() {
    const [scene, solids] = await Promise.all([getJson("scene"), getJson("solids")]);
    // An event changes nothing that is seen but by what it does.
    const looks = JSON.stringify([{ ...scene, revision: "" }, solids]);
    if (looks === this.looks) {
      this.scene = scene;
      return this.steer.open(scene);
    }
    this.looks = looks;
    const camera = JSON.stringify(scene.camera);
    const again = this.scene?.run === scene.run && this.stage.frame; // the same run, with other looks
    const moved = again && this.camera !== camera;
    this.camera = camera;
    const other = scene.name !== this.scene?.name || scene.dimension !== this.scene?.dimension;
    this.scene = scene;
    document.title = `${scene.name} – Knead`;
    $("name").textContent = scene.name;
    $("about").textContent = $("about").title = scene.description;
    this.frames.clear();
    this.stage.open(scene, solids);
    if (other || moved) {
      const known = (c) => ["body", "material", "plain", ...scene.columns].includes(c);
      const wanted = moved ? scene.camera.color : settings.color[scene.name];
      this.color = known(wanted) ? wanted : known(scene.camera.color) ? scene.camera.color : "body";
      this.colormap = (moved ? undefined : settings.colormap[scene.name]) ?? scene.camera.colormap;
      this.#startRange();
      this.options.build(scene, scene.live);
      if (other) this.player.follow = scene.live;
      this.reframe = moved;
    }
    this.#paint();
    if (this.beside.what) await this.beside.choose(this.beside.what);
    await this.steer.open(scene);
    $("tabs").querySelector('[data-tab="steer"]').hidden = !scene.live;
    if (!scene.live && settings.tab === "steer") this.#choose("plots");
    this.bar.update();
    if (again) await this.player.again();
  }

  // Asks again and again how the run stands; a lost connection is told and tried anew.
  async watch() {
    let stats = -1;
    let log = -1;
    for (;;) {
      let pause = 1000;
      try {
        const state = await getJson("state");
        this.state = state;
        if (state.revision !== this.scene?.revision) await this.open();
        if (this.lost) this.#say("");
        this.lost = false;
        if (state.stats_bytes !== stats) {
          stats = state.stats_bytes;
          await this.plots.update(this.beside.what === "run");
          this.stage.extent = this.plots.extent();
        }
        await this.beside.update();
        const before = this.player.numbers.length;
        this.player.setFrames(state.frames);
        await this.#follow(state, before);
        if (state.log_bytes !== log && settings.side && settings.tab === "log") {
          log = state.log_bytes;
          await this.#readLog();
        }
        this.#tell(state);
        this.steer.update(state);
        if (state.live) this.pull.update(state.live);
        this.bar.update();
        if (state.live && state.live.phase !== "done") pause = 150;
      } catch (error) {
        this.lost = true;
        this.#say(
          error.status === 401
            ? "This address has not the token of the viewer that runs now. Open the address that it printed."
            : error.status
              ? error.message
              : "The viewer does not answer: it was ended, or the connection is lost. Trying again …",
        );
      }
      await new Promise((done) => setTimeout(done, pause));
    }
  }

  async #follow(state, before) {
    const { player } = this;
    if (player.playing) return;
    if (state.live && player.follow) {
      const { shown_step: step, phase } = state.live;
      if (step >= 0 && (step !== this.stage.frame?.step || this.#behind(state))) await player.showNow();
      if (!this.stage.frame && player.numbers.length && ["done", "failed"].includes(phase)) await this.#last();
    } else if (player.index < 0 && player.numbers.length) {
      await player.seek(0);
    } else if (!state.live && state.status === "running" && before && player.index === before - 1 && player.numbers.length > before) {
      await player.seek(player.numbers.length - 1);
    }
  }

  // Of a simulation that stands still: a surface of an earlier moment, or a grid that the program was not yet asked for.
  #behind({ live }) {
    const { frame } = this.stage;
    if (live.phase === "running" || !frame) return false;
    const want = this.look(this.scene);
    const old = (want.surface && frame.surface?.step !== frame.step) || (want.grid && live.step > 0 && frame.grid?.source !== "solver");
    if (frame.step !== this.asked?.step) this.asked = { step: frame.step, times: 0 };
    return old && ++this.asked.times <= 5;
  }

  async #last() {
    const { player } = this;
    await player.seek(player.numbers.length - 1);
    player.follow = this.scene.live;
  }

  #tell(state) {
    const parts = [];
    const { frame } = this.stage;
    if (frame) parts.push(`${frame.count.toLocaleString("en")} particles`);
    parts.push(this.scene.method);
    if (state.live) {
      const { phase, dt, bound, step, waiting } = state.live;
      parts.push(phase);
      if (dt > 0) parts.push(`step ${step.toLocaleString("en")}, dt ${dt.toPrecision(3)} s (${bound})`);
      if (waiting) parts.push(`${waiting} change${waiting > 1 ? "s" : ""} at the next frame`);
      if (phase === "failed" && !this.failure) this.#say((this.failure = state.live.message));
      if (phase !== "failed" && this.failure) this.#say((this.failure = ""));
    } else {
      parts.push(`run ${state.status}`);
    }
    $("status").textContent = parts.join("  ·  ");
  }

  #say(text, note = false) {
    $("banner").textContent = text;
    $("banner").classList.toggle("note", note);
    $("banner").hidden = !text;
  }

  // Something good to know, for a moment.
  note(text) {
    this.#say(text, true);
    clearTimeout(this.noted);
    this.noted = setTimeout(() => $("banner").textContent === text && this.#say(""), 4000);
  }

  async #readLog() {
    const { text } = await getJson("log");
    const pre = $("log-text");
    const atEnd = $("log").scrollTop + $("log").clientHeight > $("log").scrollHeight - 30;
    pre.textContent = text;
    if (atEnd) $("log").scrollTop = $("log").scrollHeight;
  }

  // ---- what is shown

  #show(frame) {
    if (frame.color !== this.color) return; // asked for before the colour was changed
    if (frame.low !== null && frame.high !== null) {
      this.#seen = [Math.min(this.#seen[0], frame.low), Math.max(this.#seen[1], frame.high)];
      if (this.#counted) this.#seen = [0, 1];
    }
    this.shown = frame;
    this.stage.show(frame);
    if (this.reframe) this.stage.frameAll(true);
    this.reframe = false;
    this.#paintRange();
    this.beside.show(frame).catch((error) => this.note(error.message));
    this.plots.setTime(frame.time);
    if (this.stage.picked !== null && settings.side && settings.tab === "particle") this.#readParticle();
    this.bar.update();
  }

  // What of a moment has to be fetched to be drawn.
  look(scene) {
    const surface = settings.draw !== "particles" && hasMeshes(scene);
    const bodies = surface && !scene.matter.every((m) => m.mesh);
    return { color: this.color, velocity: settings.velocity, surface, bodies, grid: settings.grid && hasGrid(scene) };
  }

  get #counted() {
    return ["body", "material", "plain"].includes(this.color);
  }

  // What there is to draw, each with its scene.
  get #stages() {
    const second = this.beside.what && this.beside.stage?.scene ? [[this.beside.stage, this.beside.scene]] : [];
    return [[this.stage, this.scene], ...second];
  }

  #startRange() {
    this.#seen = [Infinity, -Infinity];
    const { camera } = this.scene;
    const own = camera.color === this.color && camera.low !== null && camera.high !== null;
    this.range = own ? [camera.low, camera.high] : null;
  }

  setColor(color) {
    this.color = color;
    settings.color[this.scene.name] = color;
    remember();
    this.#startRange();
    this.options.look.automatic = this.range === null;
    this.#paint();
    this.player.again();
  }

  setColormap(name) {
    this.colormap = name;
    settings.colormap[this.scene.name] = name;
    remember();
    this.#paint();
  }

  setRange(range) {
    this.range = range;
    this.#paintRange();
  }

  #listOf({ matter, materials }) {
    return { body: matter, material: materials, plain: [{ name: "", color: "#9fb2cc" }] }[this.color];
  }

  repaint() {
    this.#paint();
  }

  #paint() {
    const { colormaps } = this.scene;
    const list = this.#listOf(this.scene);
    for (const [stage, scene] of this.#stages) {
      const own = this.#listOf(scene);
      stage.paint(own ? own.map((m) => m.color) : colormaps[this.colormap], Boolean(own));
    }
    this.#legend = list ? { list: this.color === "plain" ? [] : list } : { scale: { title: this.color, unit: "", low: 0, high: 1, colors: colormaps[this.colormap] } };
    this.#paintRange();
  }

  #paintRange() {
    const [low, high] = this.range ?? (this.#seen[0] <= this.#seen[1] ? this.#seen : [0, 1]);
    for (const [stage] of this.#stages) {
      stage.spheres.uniforms.low.value = low;
      stage.spheres.uniforms.high.value = high;
      stage.draw();
    }
    if (this.#legend.scale) {
      Object.assign(this.#legend.scale, { low, high, title: this.shown?.title ?? this.color, unit: this.shown?.unit ?? "" });
      this.options.showRange?.(low, high);
    }
    if (this.#legend.list) this.#legend.items = this.stage.surface?.cracked ? [...this.#legend.list, { name: "crack", color: crackColor }] : this.#legend.list;
    this.#legend.notes = this.#notes();
    showLegend($("legend"), this.#legend);
  }

  // What is good to know of what is drawn.
  #notes() {
    const { frame } = this.stage;
    const notes = [];
    const error = frame?.surface?.error ?? frame?.grid?.error;
    if (error) notes.push(error);
    if (settings.grid && frame?.grid?.data) {
      const { source, every } = frame.grid;
      notes.push(`grid velocities: ${source === "solver" ? "of the last step" : "made from the particles of this frame"}${every > 1 ? `, every ${every}th node` : ""}`);
    }
    return notes;
  }

  setDraw(draw) {
    settings.draw = draw;
    remember();
    this.options.refresh?.();
    this.player.again();
  }

  setGrid(on) {
    settings.grid = on;
    remember();
    this.options.refresh?.();
    this.player.again();
  }

  setVelocity(on) {
    settings.velocity = on;
    remember();
    this.options.velocity.updateDisplay();
    this.player.again();
  }

  setTheme(theme) {
    settings.theme = theme;
    remember();
    document.documentElement.dataset.theme = theme;
    for (const [stage] of this.#stages) stage.setTheme(theme);
    this.plots.restyle();
  }

  async #readParticle() {
    const which = this.player.follow ? "now" : this.stage.frame.number;
    try {
      await showParticle($("particle"), which, this.stage.picked);
    } catch (error) {
      $("particle").textContent = error.message; // gone from this frame
    }
  }

  pickAt(x, y) {
    const row = this.stage.particleAt(x, y);
    this.stage.pick(row);
    if (row === null) return;
    settings.side = true;
    this.#choose("particle");
  }

  // ---- what the user does

  seek(index) {
    this.player.playing = false;
    if (index === Infinity && this.scene.live) return this.goLive();
    return this.player.seek(index === Infinity ? this.player.numbers.length - 1 : index);
  }
  move(by) {
    this.player.playing = false;
    return this.player.seek((this.player.index < 0 ? 0 : this.player.index) + by);
  }
  togglePlay() {
    if (this.player.playing) this.player.pause();
    else this.player.play(this.scene);
  }
  toggleLoop() {
    settings.loop = !settings.loop;
    remember();
    this.bar.update();
  }
  goLive() {
    this.player.playing = false;
    this.player.follow = true;
    this.player.showNow();
    this.bar.update();
  }
  toggleSimulation() {
    return this.order(this.state?.live?.phase === "running" ? "pause" : "play");
  }
  get #simulating() {
    return ["starting", "running", "paused"].includes(this.state?.live?.phase);
  }
  async order(name) {
    if (!this.scene?.live) return;
    if (name !== "pause") this.goLive();
    await this.send({ do: name });
  }
  // Gives what is wrong with it, or nothing.
  async try(order, quietly = false) {
    try {
      const { acts } = await command(order);
      if (acts !== "live" && !quietly) this.note(acts === "next frame" ? "Acts from the next frame on." : "Acts after a restart (R).");
      return "";
    } catch (error) {
      return error.message.replaceAll("the scene as changed: ", "");
    }
  }
  async send(order, quietly = false) {
    const wrong = await this.try(order, quietly);
    if (wrong) this.#say(wrong);
  }
  // Points that the program keeps for a body: { file }.
  upload(csv) {
    return command({ do: "points", csv });
  }
  async saveScene() {
    this.#download(new Blob([await getText("toml")], { type: "text/plain" }), `${this.scene.name}.toml`);
  }

  async saveFrame() {
    const { number } = this.stage.frame;
    try {
      this.#download(new Blob([await getBytes(`file?number=${number}`)]), `${this.scene.name}.${String(number).padStart(4, "0")}.h5`);
    } catch (error) {
      this.note(error.message);
    }
  }

  // The picture with its legend and time.
  #sheet() {
    return sheetOf(this.stage, this.#legend, `${this.scene.name}   t = ${this.stage.frame.time.toFixed(4)} s`);
  }
  async picture() {
    this.stage.drawNow();
    const number = String(this.stage.frame.number).padStart(4, "0");
    this.#download(await this.#sheet().convertToBlob({ type: "image/png" }), `${this.scene.name}.${number}.png`);
  }

  // Whatever happens on the canvas, until it is called again.
  film() {
    this.recording.toggle();
  }

  #download(blob, name) {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  help() {
    if ($("help").open) $("help").close();
    else $("help").showModal();
  }

  toggleSide() {
    settings.side = !settings.side;
    this.#choose(settings.tab);
  }

  #makeTabs() {
    for (const [tab, label] of Object.entries(tabs)) {
      const element = Object.assign(document.createElement("button"), { type: "button", textContent: label });
      element.dataset.tab = tab;
      element.setAttribute("role", "tab");
      element.addEventListener("click", () => this.#choose(tab));
      $("tabs").append(element);
    }
    $("particle").textContent = "Click on a particle to read all that it carries.";
    if (innerWidth < 900) settings.side = false;
    this.#choose(settings.tab);
  }

  #choose(tab) {
    settings.tab = tab;
    remember();
    $("side").hidden = !settings.side;
    for (const name of Object.keys(tabs)) {
      $(name).hidden = name !== tab;
      $("tabs").querySelector(`[data-tab="${name}"]`).setAttribute("aria-selected", String(name === tab));
    }
    if (tab === "log" && this.scene) this.#readLog().catch(() => {});
    if (tab === "particle" && this.stage.picked !== null) this.#readParticle();
  }

  #listen() {
    const { canvas } = this.stage;
    let down = null;
    // Before the camera's own, which shift would have move the scene.
    canvas.addEventListener(
      "pointerdown",
      (event) => {
        down = [event.offsetX, event.offsetY, event.button];
        this.overlay.showPlace(null, null);
        if (event.shiftKey && event.button === 0 && this.pull.begin(event.offsetX, event.offsetY)) canvas.setPointerCapture(event.pointerId);
      },
      { capture: true },
    );
    canvas.addEventListener("pointermove", (event) => this.pull.move(event.offsetX, event.offsetY));
    canvas.addEventListener("pointerup", (event) => {
      if (this.pull.active) {
        this.pull.end();
        down = null;
        return;
      }
      const still = down && down[2] === 0 && Math.hypot(event.offsetX - down[0], event.offsetY - down[1]) < 4;
      if (still && !this.steer.body.click(event.offsetX, event.offsetY)) this.pickAt(event.offsetX, event.offsetY);
      down = null;
    });
    canvas.addEventListener("dblclick", () => this.stage.frameAll());
    addEventListener("hashchange", () => (this.scene = null)); // another token: another viewer
    addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.scene) return;
    if (event.target.closest?.("input:not([type=range]):not([type=checkbox]), select, textarea, dialog")) return;
    const far = event.shiftKey ? 10 : 1;
    const actions = {
      " ": () => (this.#simulating && this.player.follow ? this.toggleSimulation() : this.togglePlay()),
      ArrowLeft: () => this.move(-far),
      ArrowRight: () => this.move(far),
      Home: () => this.seek(0),
      End: () => this.seek(Infinity),
      l: () => this.toggleLoop(),
      f: () => this.stage.frameAll(),
      c: () => this.#nextColor(),
      v: () => this.setVelocity(!settings.velocity),
      g: () => hasGrid(this.scene) && this.setGrid(!settings.grid),
      x: () => hasMeshes(this.scene) && this.setDraw({ particles: "surface", surface: "both", both: "particles" }[settings.draw]),
      s: () => this.order("step"),
      n: () => this.order("frame"),
      r: () => this.order("restart"),
      p: () => this.picture(),
      m: () => this.film(),
      b: () => this.toggleSide(),
      t: () => this.setTheme(settings.theme === "dark" ? "light" : "dark"),
      h: () => this.help(),
      "?": () => this.help(),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  #nextColor() {
    const all = ["body", "material", "plain", ...this.scene.columns];
    this.setColor(all[(all.indexOf(this.color) + 1) % all.length]);
    this.options.setColor(this.color);
  }
}

const app = new App();
window.knead = app; // for those who look behind the page, and for its tests
app.watch();
