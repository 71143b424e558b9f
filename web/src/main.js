// The viewer: brings together what is shown, which moment, and what the program says of the run.
import { Banner } from "./banner.js";
import { Bar } from "./bar.js";
import { Beside } from "./beside.js";
import { Frames } from "./frames.js";
import { fillHelp } from "./help.js";
import { listen } from "./input.js";
import { Options } from "./options.js";
import { Overlay } from "./overlay.js";
import { Paint } from "./paint.js";
import { Place } from "./place.js";
import { Player } from "./player.js";
import { Plots } from "./plots.js";
import { Pull } from "./pull.js";
import { Saving } from "./saving.js";
import { getJson, token } from "./server.js";
import { remember, settings } from "./settings.js";
import { Side } from "./side.js";
import { changes, Simulation } from "./simulation.js";
import { hasGrid, Stage } from "./stage.js";
import { Steer } from "./steer.js";
import "./style.css";

const $ = (id) => document.getElementById(id);

class App {
  scene = null;
  state = null;
  #stats = -1; // bytes of them that were read
  #stale = false;

  constructor() {
    document.documentElement.dataset.theme = settings.theme;
    this.banner = new Banner($("banner"));
    this.stage = new Stage($("canvas"));
    this.frames = new Frames();
    this.player = new Player(this.frames, {
      look: () => this.look(this.scene),
      show: (frame) => this.#show(frame),
      settled: () => this.#settled(),
      changed: () => this.bar.update(),
      failed: (error) => this.note(error.message),
    });
    this.simulation = new Simulation(this, () => this.#startAgain());
    this.paint = new Paint(this, $("legend"));
    this.beside = new Beside(this);
    this.bar = new Bar($("bar"), this);
    this.options = new Options($("options"), this);
    this.plots = new Plots($("plots"), (time) => this.player.seekTime(time, this.scene));
    this.plots.software = this.stage.software;
    this.stage.extent = () => this.plots.extent();
    this.steer = new Steer($("steer"), this);
    this.overlay = new Overlay($("overlay"));
    this.pull = new Pull(this);
    this.stage.seenAnew = () => this.steer.body.outline();
    this.saving = new Saving(this);
    this.place = new Place(this);
    this.side = new Side(this);
    fillHelp($("help"));
    listen(this);
    addEventListener("hashchange", () => location.reload()); // another token: another viewer
  }

  // ---- what the program says

  async open() {
    const [scene, solids] = await Promise.all([getJson("scene"), getJson("solids")]);
    // An event changes nothing that is seen but by what it does.
    const looks = JSON.stringify([{ ...scene, revision: "", run: 0 }, solids]);
    const before = this.scene;
    this.scene = scene;
    if (looks === this.looks) return this.steer.open(scene);
    this.looks = looks;
    const camera = JSON.stringify(scene.camera);
    const again = before?.run === scene.run && this.stage.frame; // the same run, with other looks
    const moved = again && this.camera !== camera;
    this.camera = camera;
    const other = scene.name !== before?.name || scene.dimension !== before?.dimension;
    document.title = `${scene.name} – Knead`;
    $("name").textContent = scene.name;
    $("about").textContent = $("about").title = scene.description;
    this.frames.clear();
    this.stage.open(scene, solids);
    if (other) this.player.follow = scene.live;
    if (other || moved) this.paint.open(scene, moved);
    if (other && scene.beside) this.beside.what = "run";
    if (other || moved) this.options.build(scene, scene.live);
    this.reframe = moved;
    this.paint.all();
    if (this.beside.what) await this.#openBeside();
    await this.steer.open(scene);
    this.side.open(scene);
    this.bar.update();
    if (again) await this.player.again();
  }

  async #openBeside() {
    try {
      await this.beside.choose(this.beside.what);
    } catch (error) {
      if (!error.status) throw error;
      this.note(`The run beside: ${error.message}`);
    }
  }

  // Asks again and again how the run stands; a lost connection is told and tried anew.
  async watch() {
    for (;;) {
      let pause = 1000;
      try {
        const state = await getJson("state");
        if (this.lost) this.banner.say("");
        this.lost = false;
        if (this.simulation.take(state.live)) await this.#take(state);
        // Where pictures take long, fewer are asked for; fewer still where they take the few cores that the simulation needs too.
        await this.#settled();
        const shares = this.stage.software && navigator.hardwareConcurrency <= 4 ? 5 : 1;
        if (state.live && (this.simulation.restarting || state.live.phase !== "done")) pause = Math.max(150, Math.min(1000, shares * this.stage.took));
      } catch (error) {
        this.lost = true;
        $("status").textContent = "not connected";
        this.banner.say(
          error.status === 401
            ? token()
              ? "This page belongs to a viewer that has ended. Open the address that the new viewer printed."
              : "There is no token in the address: copy the whole line that the viewer printed, including #token=…"
            : error.status
              ? error.message
              : "The viewer does not answer: it has ended, or the connection is lost. Trying again …",
        );
      }
      await this.#sleep(pause);
    }
  }

  // When all pictures are on their canvas.
  #settled() {
    return Promise.all(this.stages.map(([stage]) => stage.settled()));
  }

  // A restart is looked for at once.
  #sleep(milliseconds) {
    return new Promise((done) => {
      this.wake = done;
      setTimeout(done, milliseconds);
    });
  }

  async #take(state) {
    this.state = state;
    if (state.revision !== this.scene?.revision) await this.open();
    const before = this.player.numbers.length;
    this.player.setFrames(state.frames);
    this.player.waits = false;
    if (state.stats_bytes !== this.#stats) {
      this.#stats = state.stats_bytes;
      if (this.#stats) await this.plots.update(this.beside.what === "run", this.scene);
    }
    await this.beside.update();
    if (this.simulation.restarting) return; // meanwhile
    await this.#follow(state, before);
    await this.side.update(state);
    this.#tell(state);
    if (before !== this.player.numbers.length || state.status !== this.status) this.paint.scale();
    this.status = state.status;
    this.steer.update(state);
    if (state.live) this.pull.update(state.live);
    if (state.live) this.#warn(state.live);
    this.saving.update();
    this.bar.update();
  }

  // The run before is gone, with its frames, curves and what was said of it; its picture stays until there is another.
  #startAgain() {
    this.state = { ...this.state, frames: [], live: { ...this.state.live, phase: "starting", step: 0, dt: 0, waiting: 0, for_restart: 0 } };
    this.frames.clear();
    this.player.startAgain();
    this.plots.clear();
    this.paint.forgetSeen();
    this.banner.say("");
    this.failure = "";
    this.steer.startAgain();
    this.side.startAgain();
    this.#stats = -1;
    this.stale = true;
    this.#tell(this.state);
    this.bar.update();
    this.wake?.();
  }

  async #follow(state, before) {
    const { player } = this;
    if (player.playing || (await this.place.return())) return;
    if (state.live && player.follow) {
      const { shown_step: step, phase } = state.live;
      if (step >= 0 && (this.stale || step !== this.stage.frame?.step || this.#behind(state))) await player.showNow();
      if (!this.stage.frame && player.numbers.length && ["done", "failed"].includes(phase)) await this.#last();
    } else if (player.index < 0 && player.numbers.length) {
      await player.seek(state.status === "running" ? player.numbers.length - 1 : 0);
    } else if (!state.live && before && player.index === before - 1 && player.numbers.length > before) {
      // Its writer may have ended since: there are frames to come all the same.
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
    if (frame && !this.stale) parts.push(`${frame.count.toLocaleString("en")} particles`);
    parts.push(this.scene.method);
    if (this.player.pace) parts.push(`playing ${this.player.pace}`);
    if (state.live) {
      const { phase, dt, bound, step, waiting, for_restart: later } = state.live;
      parts.push(phase);
      if (dt > 0) parts.push(`step ${step.toLocaleString("en")}, dt ${dt.toPrecision(3)} s (${bound})`);
      if (waiting) parts.push(`${changes(waiting)} at the ${this.simulation.nextMoment}`);
      if (later) parts.push(`${changes(later)} after a restart`);
      if (phase === "failed" && !this.failure) this.banner.say((this.failure = state.live.message));
    } else {
      parts.push(`run ${state.status}`);
    }
    $("status").textContent = parts.join("  ·  ");
  }

  note(text, milliseconds) {
    this.banner.note(text, milliseconds);
  }

  // What is odd in a scene is told where it is looked at, once a start.
  #warn({ run, phase, warnings: [first, ...others] }) {
    if (phase === "starting" || run === this.#warned) return;
    this.#warned = run;
    if (first) this.note(`Warning: ${first}${others.length ? ` (The log has ${others.length} more.)` : ""}`, 12_000);
  }
  #warned;

  // ---- what is shown

  #show(frame) {
    if (!this.paint.takes(frame)) return;
    this.stale = false;
    this.stage.show(frame);
    if (this.reframe) this.stage.frameAll(true);
    this.reframe = false;
    this.paint.scale();
    this.options.showSlice?.();
    this.beside.show(frame).catch((error) => this.note(error.message));
    this.plots.setTime(this.stage.moment.time);
    if (this.stage.picked !== null) this.side.readParticle();
    this.bar.update();
  }

  // What is drawn is of a run that is gone.
  get stale() {
    return this.#stale;
  }
  set stale(stale) {
    this.#stale = stale;
    $("views").classList.toggle("stale", stale);
  }

  // What there is to draw, each with its scene.
  get stages() {
    const second = this.beside.what && this.beside.stage?.scene ? [[this.beside.stage, this.beside.scene]] : [];
    return [[this.stage, this.scene], ...second];
  }

  // What of a moment has to be fetched to be drawn.
  look(scene) {
    return { color: this.paint.color, velocity: settings.velocity || this.pull.active, surface: settings.draw !== "particles", grid: settings.grid && hasGrid(scene) };
  }

  // What is drawn: "draw", "grid" or "velocity".
  setLook(name, value) {
    if (name === "grid" && !hasGrid(this.scene)) return this.note(`The method ${this.scene.method} has no grid.`);
    settings[name] = value;
    remember();
    this.options.update();
    this.player.again();
  }

  setTheme(theme) {
    settings.theme = theme;
    remember();
    document.documentElement.dataset.theme = theme;
    for (const [stage] of this.stages) stage.setTheme(theme);
    this.paint.all();
    this.plots.restyle();
  }

  // ---- what the user does

  frameAll() {
    if (this.beside.what && this.beside.stage?.frame) this.beside.frameAll();
    else this.stage.frameAll();
  }

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
  toggleEveryFrame() {
    settings.everyFrame = !settings.everyFrame;
    remember();
    this.bar.update();
  }
  goLive() {
    this.player.playing = false;
    this.player.follow = true;
    this.player.showNow();
    this.bar.update();
  }
  order(name) {
    return this.simulation.order(name);
  }
  send(order, quietly) {
    return this.simulation.send(order, quietly);
  }
  upload(csv) {
    return this.simulation.upload(csv);
  }

  help() {
    if ($("help").open) $("help").close();
    else $("help").showModal();
  }
}

const app = new App();
window.knead = app; // for those who look behind the page, and for its tests
app.watch();
