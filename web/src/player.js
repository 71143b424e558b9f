// Which moment is shown: a frame of the run, or the state of a simulation that goes on.
import { coarseAbove } from "./frames.js";
import { short } from "./numbers.js";
import { settings } from "./settings.js";

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const ahead = 4; // frames fetched before they are due

export class Player {
  numbers = []; // of the frames there are
  index = -1;
  playing = false;
  follow = false; // the simulation, as it goes
  waits = false; // for a run that starts again, and has nothing to show yet
  #request = 0;
  #turn = 0; // of playing
  #count = 0; // particles of the last frame

  // look(): what a frame has to have; show(frame): draws it; settled(): when that is done; changed(): the bar has to be drawn anew
  constructor(frames, { look, show, settled, changed, failed }) {
    this.frames = frames;
    Object.assign(this, { look, show, settled, changed, failed });
  }

  setFrames(ranges) {
    const numbers = [];
    for (const [first, last, step] of ranges) for (let n = first; n <= last; n += step) numbers.push(n);
    const same = numbers.length === this.numbers.length && numbers.at(-1) === this.numbers.at(-1);
    if (same) return;
    const shown = this.numbers[this.index];
    this.numbers = numbers;
    this.index = shown === undefined ? -1 : numbers.indexOf(shown);
    this.changed();
  }

  // How many frames there are once the last one is this, if they go on as they began.
  countTo(last) {
    const [first = last, second = first + 1] = this.numbers;
    return 1 + Math.floor((last - first) / (second - first));
  }

  // The run that was shown is gone; the next one is followed.
  startAgain() {
    this.numbers = [];
    this.index = -1;
    this.playing = false;
    this.follow = this.waits = true;
    ++this.#request;
  }

  async seek(index) {
    if (!this.numbers.length) return;
    this.follow = false;
    await this.#display(index);
  }

  async seekTime(time, scene) {
    const wanted = scene.start_frame + time * scene.fps;
    let best = 0;
    this.numbers.forEach((n, i) => {
      if (Math.abs(n - wanted) < Math.abs(this.numbers[best] - wanted)) best = i;
    });
    this.pause();
    await this.seek(best);
  }

  // While the user drags on, frames are fetched one at a time, and those passed over meanwhile not at all.
  async #display(index) {
    if (!this.numbers.length) return;
    this.index = Math.max(0, Math.min(this.numbers.length - 1, index));
    const request = ++this.#request;
    const number = this.numbers[this.index];
    this.changed();
    await this.#fetching;
    if (request === this.#request) await (this.#fetching = this.#fetch(number, request));
  }
  #fetching = Promise.resolve();

  async #fetch(number, request) {
    try {
      if (this.#count > coarseAbove && !this.playing && !this.frames.kept(number, this.look())) {
        const coarse = await this.frames.fetch(number, this.look(), "coarse");
        if (request !== this.#request) return;
        this.#take(coarse);
        await sleep(30);
        if (request !== this.#request) return;
      }
      const frame = await this.frames.fetch(number, this.look());
      if (request === this.#request) this.#take(frame);
    } catch (error) {
      if (request === this.#request && error.name !== "AbortError") this.failed(error);
    }
  }

  #take(frame) {
    this.#count = frame.count;
    this.show(frame);
  }

  // After a change of colour, or of what is drawn.
  async again() {
    if (this.follow) return this.showNow(true);
    await this.#display(this.index);
  }

  // The newest state of the simulation, where it is another one than is shown.
  async showNow(force = false) {
    if (this.waits) return;
    if (this.following) {
      this.#onceMore ||= force;
      return;
    }
    this.following = true;
    const request = ++this.#request;
    try {
      const frame = await this.frames.now(this.look());
      if (frame && (this.follow || force) && request === this.#request) {
        this.#take(frame);
        this.index = this.numbers.length - 1;
        this.changed();
      }
    } catch (error) {
      if (error.status !== 400 && error.name !== "AbortError") this.failed(error);
    } finally {
      this.following = false;
    }
    if (!this.#onceMore) return;
    this.#onceMore = false;
    await this.showNow(true);
  }
  #onceMore = false; // what comes was asked for before the colour, or what is drawn, was changed

  pause() {
    this.playing = false;
    this.pace = "";
    this.changed();
  }

  // Milliseconds that a frame lasts.
  interval({ fps }) {
    const step = (this.numbers[1] ?? 1) - (this.numbers[0] ?? 0) || 1;
    return (1000 * step) / (fps * settings.speed);
  }

  // Keeps the time of the run, by leaving frames out where drawing takes longer; or shows every frame, in the time that takes.
  async play(scene) {
    if (this.playing || !this.numbers.length) return;
    const turn = ++this.#turn;
    this.follow = false;
    this.playing = true;
    if (this.index >= this.numbers.length - 1) this.index = -1;
    this.changed();
    let due = performance.now(); // of the next frame
    while (this.playing && turn === this.#turn) {
      const interval = this.interval(scene);
      const late = performance.now() - due;
      const skip = settings.everyFrame ? 0 : Math.max(0, Math.floor(late / interval));
      const next = this.#after(skip);
      if (next < 0) break;
      this.#tellPace(skip, late, interval);
      due = next === 0 || settings.everyFrame ? Math.max(due, performance.now()) + interval : due + (1 + skip) * interval;
      this.#fetchAhead(next, 1 + skip);
      await this.#display(next);
      await this.settled();
      await sleep(Math.max(0, due - performance.now()));
    }
    if (turn === this.#turn) this.pause();
  }

  // The last frame is never left out.
  #after(skip) {
    const last = this.numbers.length - 1;
    if (this.index < last) return Math.min(last, this.index + 1 + skip);
    return settings.loop ? 0 : -1;
  }

  #fetchAhead(next, by) {
    for (let i = 1; i <= ahead && this.frames.busy < ahead; ++i) {
      const soon = this.numbers[(next + i * by) % this.numbers.length];
      this.frames.fetch(soon, this.look()).catch(() => {});
    }
  }

  // What a user would wonder about.
  #tellPace(skip, late, interval) {
    this.#skips = 0.8 * this.#skips + 0.2 * skip;
    this.#late = 0.8 * this.#late + 0.2 * Math.max(0, late);
    if (settings.everyFrame) this.pace = this.#late > 0.1 * interval ? `every frame, at ${short((settings.speed * interval) / (interval + this.#late), 2)}×` : "";
    else this.pace = this.#skips > 0.2 ? `1 of ${(1 + this.#skips).toFixed(this.#skips < 9 ? 1 : 0)} frames, to keep the speed` : "";
  }
  pace = "";
  #skips = 0;
  #late = 0;
}
