// Films and pictures of the canvas, with the legend and the time on them.
import { drawLegend } from "./legend.js";
import { webmOf } from "./webm.js";

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// The picture as it is now, with what belongs to it; of this size, or the canvas's own.
export function sheetOf(stage, legend, title, size = [stage.canvas.width, stage.canvas.height]) {
  const sheet = new OffscreenCanvas(...size);
  const context = sheet.getContext("2d");
  context.drawImage(stage.canvas, 0, 0, ...size);
  const ink = getComputedStyle(document.documentElement).getPropertyValue("--ink");
  drawLegend(context, legend, ink, size[1]);
  context.font = "14px system-ui, sans-serif";
  context.fillStyle = ink;
  context.fillText(title, 20, 28);
  return sheet;
}

// A film that has every picture it is given: the encoder is waited for, so that a machine with much to do only takes longer.
class Film {
  #pictures = [];
  #error = null;

  // Of even size, as codecs want it, which stays whatever the page's does.
  constructor({ clientWidth, clientHeight }) {
    [this.width, this.height] = [clientWidth & ~1, clientHeight & ~1];
    this.encoder = new VideoEncoder({ output: (chunk) => this.#keep(chunk), error: (error) => (this.#error = error) });
    this.encoder.configure({ codec: "vp8", width: this.width, height: this.height, bitrate: 8e6 });
  }

  #keep(chunk) {
    const data = new Uint8Array(chunk.byteLength);
    chunk.copyTo(data);
    this.#pictures.push({ data, time: Math.round(chunk.timestamp / 1000), key: chunk.type === "key" });
  }

  // sheet: a picture; time: ms since the start
  async add(sheet, time) {
    if (this.#error) throw this.#error;
    const canvas = new OffscreenCanvas(this.width, this.height);
    canvas.getContext("2d").drawImage(sheet, 0, 0, this.width, this.height);
    const frame = new VideoFrame(canvas, { timestamp: Math.round(1000 * time) });
    this.encoder.encode(frame, { keyFrame: this.count++ % 60 === 0 });
    frame.close();
    while (this.encoder.encodeQueueSize > 2) await sleep(5);
  }
  count = 0;

  async end(length) {
    await this.encoder.flush();
    this.encoder.close();
    return webmOf(this.#pictures, { codec: "V_VP8", width: this.width, height: this.height, length });
  }
}

export class Recorder {
  on = false;

  // sheet(): the picture to be filmed; done(blob): the film; changed(text): how far it is, or nothing; failed(why)
  constructor(stage, { sheet, done, changed, failed }) {
    this.stage = stage;
    Object.assign(this, { sheet, done, changed, failed });
  }

  stop() {
    this.on = false;
  }

  // Of what is drawn until it is stopped, at the times when it is; while it is paused() only what was not drawn before, and no time passes
  // else. The next picture waits for the one before.
  async record(paused = () => false) {
    await this.#make("recording", async (film) => {
      let adding = Promise.resolve();
      let [time, last, frame] = [0, performance.now(), null];
      // The canvas of a GPU can be read only right after it was drawn.
      this.stage.whenDrawn = () => {
        const since = performance.now() - last;
        last += since;
        if (paused() && this.stage.frame === frame) return adding;
        frame = this.stage.frame;
        const [sheet, now] = [this.sheet(), (time += since)];
        return (adding = adding.then(() => film.add(sheet, now)));
      };
      this.stage.draw();
      while (this.on) {
        await sleep(100);
        if (performance.now() - last > 400) this.stage.draw(); // while it rests, a picture now and then keeps the time
      }
      this.stage.whenDrawn = null;
      await adding;
      return time + performance.now() - last;
    });
  }

  // Of every frame of a run, each as long as it lasts: show(i) resolves when the i-th is on the canvas.
  async recordFrames(count, milliseconds, show) {
    await this.#make("filming", async (film) => {
      let i = 0;
      for (; i < count && this.on; ++i) {
        this.changed(`filming ${i + 1} of ${count}`);
        await show(i);
        this.stage.drawNow();
        await film.add(this.sheet(), i * milliseconds);
      }
      return i * milliseconds;
    });
  }

  async #make(what, fill) {
    if (!globalThis.VideoEncoder) return this.failed("This browser cannot make films here. Use `knead render RUN --out film.mp4`.");
    this.on = true;
    this.changed(what);
    try {
      const film = new Film(this.stage.canvas);
      const length = await fill(film);
      const blob = await film.end(length);
      if (film.count) this.done(blob);
    } catch (error) {
      this.failed(`The film could not be made: ${error.message}`);
    }
    this.on = false;
    this.stage.whenDrawn = null;
    this.changed("");
  }
}
