// What the user takes away: pictures, films, frames and the scene.
import { Film, sheetOf } from "./film.js";
import { getBytes, getText } from "./server.js";

function download(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export class Saving {
  constructor(app) {
    this.app = app;
    this.recording = new Film(app.stage, {
      sheet: () => this.#sheet(),
      done: (blob) => download(blob, `${app.scene.name}.webm`),
      changed: (on) => app.bar.film.classList.toggle("on", on),
      failed: (why) => app.note(why),
    });
  }

  #numbered(ending) {
    return `${this.app.scene.name}.${String(this.app.stage.frame.number).padStart(4, "0")}.${ending}`;
  }

  // The picture with its legend and time.
  #sheet() {
    const { stage, scene, paint } = this.app;
    return sheetOf(stage, paint.legend, `${scene.name}   t = ${stage.frame.time.toFixed(4)} s`);
  }

  async picture() {
    this.app.stage.drawNow();
    download(await this.#sheet().convertToBlob({ type: "image/png" }), this.#numbered("png"));
  }

  // Whatever happens on the canvas, until it is called again.
  film() {
    this.recording.toggle();
  }

  async scene() {
    download(new Blob([await getText("toml")], { type: "text/plain" }), `${this.app.scene.name}.toml`);
  }

  async frame() {
    try {
      download(new Blob([await getBytes(`file?number=${this.app.stage.frame.number}`)]), this.#numbered("h5"));
    } catch (error) {
      this.app.note(error.message);
    }
  }
}
