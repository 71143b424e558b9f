// Films and pictures of the canvas, with the legend and the time on them.
import { drawLegend } from "./legend.js";

const kinds = ["video/webm;codecs=vp8", "video/webm"];

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

export class Film {
  // sheet(): the picture to be filmed; done(blob): the film; changed(on); failed(why)
  constructor(stage, { sheet, done, changed, failed }) {
    this.stage = stage;
    Object.assign(this, { sheet, done, changed, failed });
  }

  toggle() {
    if (this.recorder) return this.recorder.stop();
    const mimeType = kinds.find((k) => globalThis.MediaRecorder?.isTypeSupported(k));
    if (!mimeType) return this.failed("This browser cannot record films.");
    // A canvas of its own, whose size stays whatever the page's does; even numbers, as codecs want them.
    const { clientWidth, clientHeight } = this.stage.canvas;
    this.canvas = Object.assign(document.createElement("canvas"), { width: clientWidth & ~1, height: clientHeight & ~1 });
    this.context = this.canvas.getContext("2d");
    this.stream = this.canvas.captureStream(0);
    this.last = 0;
    const parts = [];
    this.recorder = new MediaRecorder(this.stream, { mimeType, videoBitsPerSecond: 8e6 });
    this.recorder.ondataavailable = ({ data }) => data.size && parts.push(data);
    this.recorder.onstop = () => {
      this.recorder = this.stage.whenDrawn = null;
      clearInterval(this.rest);
      this.changed(false);
      if (parts.length) this.done(new Blob(parts, { type: "video/webm" }));
      else this.failed("Nothing was drawn while the film was recorded.");
    };
    this.recorder.start(1000);
    this.changed(true);
    // The canvas of a GPU can be read only right after it was drawn. While it rests, a picture now and then keeps the time.
    this.stage.whenDrawn = () => this.#take();
    this.rest = setInterval(() => performance.now() - this.last > 400 && this.stage.draw(), 500);
    this.stage.draw();
  }

  #take() {
    this.last = performance.now();
    this.context.drawImage(this.sheet(), 0, 0, this.canvas.width, this.canvas.height);
    this.stream.getVideoTracks()[0].requestFrame();
  }
}
