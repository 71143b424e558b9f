// The bar at the foot: what is played, and of a simulation that goes on how it goes.
import { button, worded } from "./icons.js";
import { remember, settings } from "./settings.js";

const speeds = [0.1, 0.25, 0.5, 1, 2, 4];

const filmTitle = "Film every frame, or a running simulation without its pauses, until it ends or you press this again (M)";

export class Bar {
  constructor(box, app) {
    this.app = app;
    const group = (label, ...items) => {
      const element = document.createElement("div");
      element.className = "group";
      if (label) element.append(Object.assign(document.createElement("span"), { className: "label", textContent: label }));
      element.append(...items);
      return element;
    };
    this.simulate = worded("pause", "Pause or resume the simulation (space)", () => app.simulation.toggle());
    this.simulate.id = "simulate";
    this.live = worded("live", "Follow the simulation (End)", () => app.goLive());
    this.live.id = "live";
    this.on = [worded("step", "One time step (S)", () => app.order("step")), worded("+1 frame", "On to the next frame (N)", () => app.order("frame"))];
    this.pace = document.createElement("select");
    this.pace.title = "How fast the simulation goes: as fast as it can, or at most so many simulated seconds per second";
    this.pace.setAttribute("aria-label", "Pace of the simulation");
    this.pace.append(new Option("at full speed", 0), ...[2, 1, 0.5, 0.25, 0.1].map((s) => new Option(`at ${s}×`, s)));
    this.pace.addEventListener("change", () => app.send({ do: "pace", speed: Number(this.pace.value) }));
    this.simulation = group(
      "simulation",
      this.simulate,
      this.pace,
      ...this.on,
      worded("restart", "Restart the simulation and repeat what was done by hand (R); shift R: without that", () => app.order("restart")),
      this.live,
    );
    this.play = button("play", "Play the existing frames (space, if no simulation is followed)", () => app.togglePlay());
    this.play.id = "play";
    this.loop = button("loop", "Repeat (L)", () => app.toggleLoop());
    this.every = button("every", "Play every frame, however long that takes; otherwise frames are skipped where drawing is slow, to keep the speed (E)", () => app.toggleEveryFrame());
    this.speed = document.createElement("select");
    this.speed.title = "Speed, relative to simulated time";
    this.speed.append(...speeds.map((s) => new Option(`${s}×`, s, false, s === settings.speed)));
    this.speed.addEventListener("change", () => {
      settings.speed = Number(this.speed.value);
      remember();
    });
    this.slider = Object.assign(document.createElement("input"), { type: "range", min: 0, max: 0, step: 1, value: 0, id: "scrub" });
    this.slider.setAttribute("aria-label", "Frame");
    this.slider.addEventListener("input", () => app.seek(Number(this.slider.value)));
    this.slider.addEventListener("keydown", (event) => event.preventDefault()); // arrows go to the page
    this.slide = group("", this.slider);
    this.slide.className = "slide";
    this.text = Object.assign(document.createElement("output"), { id: "moment" });
    box.append(
      this.simulation,
      group(
        "frames",
        button("first", "First frame (Home)", () => app.seek(0)),
        button("back", "Frame before (←)", () => app.move(-1)),
        this.play,
        button("forward", "Next frame (→)", () => app.move(1)),
        button("last", "Last frame (End)", () => app.seek(Infinity)),
        this.loop,
        this.every,
        this.speed,
      ),
      this.slide,
      this.text,
      group(
        "",
        button("frame", "Fit everything into the picture (F)", () => app.frameAll()),
        button("camera", "Save a picture (P)", () => app.saving.picture()),
        (this.film = button("record", filmTitle, () => app.saving.film())),
        button("side", "Plots and more (B)", () => app.side.toggle()),
        button("help", "Help (H)", () => app.help()),
      ),
    );
  }

  // How far a film is; nothing: none is made.
  showFilm(text) {
    this.film.classList.toggle("on", Boolean(text));
    this.film.icon(text ? "stop" : "record");
    this.film.title = text ? `End the film${this.app.saving.kind === "canvas" ? " of what you do" : ""} (M)` : filmTitle;
    this.filming = text;
    this.app.options.showFilm?.(text && this.app.saving.kind);
    this.update();
  }

  // That the run will have, or had where it is done: it may have been asked for fewer than the scene has.
  #lastFrame() {
    const { player, scene, state } = this.app;
    if (scene?.live) return state?.live?.last_frame || scene.last_frame;
    const there = player.numbers.at(-1) ?? 0;
    return ["running", "killed", "stopped"].includes(state?.status) ? Math.max(there, state.last_frame || scene.last_frame) : there;
  }

  update() {
    const { player, scene, simulation, stage, stale } = this.app;
    this.simulation.hidden = !scene?.live;
    if (scene?.live) {
      this.simulate.textContent = simulation.going ? "pause" : "resume";
      for (const each of [this.simulate, ...this.on]) each.disabled = simulation.ended;
      const pace = String(this.app.state?.live?.pace ?? 0);
      if (document.activeElement !== this.pace) this.pace.value = pace;
      this.live.classList.toggle("on", player.follow);
    }
    this.play.icon(player.playing ? "pause" : "play");
    this.loop.classList.toggle("on", settings.loop);
    this.every.classList.toggle("on", settings.everyFrame);
    const last = this.#lastFrame();
    const count = Math.max(player.numbers.length, player.countTo(last));
    this.slider.max = Math.max(0, count - 1);
    this.slider.value = Math.max(0, player.index);
    this.slide.style.setProperty("--there", `${count > 1 ? (100 * Math.max(0, player.numbers.length - 1)) / (count - 1) : 0}%`);
    this.slide.classList.toggle("partly", player.numbers.length < count);
    const frame = stage.frame;
    const number = player.follow && frame ? stage.moment.number : player.numbers[player.index];
    const filming = this.filming ? `${this.filming} (M ends it)   ` : "";
    this.text.textContent = filming + (stale ? "restarting …" : frame ? `frame ${number ?? "–"} / ${last}   t = ${stage.moment.time.toFixed(4)} s` : "no frame yet");
  }
}
