// What the user takes away: pictures, films, frames and the scene.
import { Recorder, sheetOf } from "./film.js";
import { getBytes, getText } from "./server.js";

function download(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export class Saving {
  constructor(app) {
    this.app = app;
    this.recorder = new Recorder(app.stage, {
      sheet: () => this.#sheet(),
      done: (blob) => download(blob, `${app.scene.name}.webm`),
      changed: (text) => app.bar.showFilm(text),
      failed: (why) => app.note(why),
    });
  }

  #numbered(ending) {
    return `${this.app.scene.name}.${String(this.app.stage.moment.number).padStart(4, "0")}.${ending}`;
  }

  // The picture with its legend and time.
  #sheet() {
    const { stage, scene, paint } = this.app;
    const older = stage.surfaceMoment && `   (${stage.surfaceMoment})`;
    return sheetOf(stage, paint.legend, `${scene.name}   t = ${stage.moment.time.toFixed(4)} s${older}`);
  }

  async picture() {
    this.app.stage.drawNow();
    download(await this.#sheet().convertToBlob({ type: "image/png" }), this.#numbered("png"));
  }

  // Of a run that is shown, every frame of it, also of a simulation that has ended; of one that is followed, what is drawn until it ends
  // or this is called again, without its pauses.
  film() {
    const { player, scene, simulation } = this.app;
    if (this.recorder.on) return this.recorder.stop();
    this.kind = "film";
    this.#untilEnd = player.follow && simulation.open;
    if (this.#untilEnd) return this.recorder.record(() => !simulation.going);
    if (player.numbers.length < 2) return this.recorder.record();
    player.pause();
    return this.recorder.recordFrames(player.numbers.length, player.interval(scene), (i) => this.#frame(i));
  }
  #untilEnd = false;
  kind = ""; // of the last film: "film", or "canvas"

  // Told after each picture of a simulation.
  update() {
    if (this.#untilEnd && this.app.simulation.ended && this.recorder.on) this.recorder.stop();
  }

  // Also where the user goes elsewhere meanwhile.
  async #frame(index) {
    const { player, stage } = this.app;
    const number = player.numbers[index];
    for (let tries = 0; tries < 5; ++tries) {
      await player.seek(index);
      if (stage.frame.number === number) return;
    }
    throw new Error(`frame ${number} could not be shown`);
  }

  // Whatever happens on the canvas, until it is called again.
  canvas() {
    if (this.recorder.on) return this.recorder.stop();
    this.kind = "canvas";
    this.#untilEnd = false;
    return this.recorder.record();
  }

  // Of the run that is shown, or with what waits for a restart. It stays where the browser puts it: files that it names are told.
  async scene(next = false) {
    const text = await getText(next ? "toml" : "toml?of=run");
    download(new Blob([text], { type: "text/plain" }), `${this.app.scene.name}${next ? ".next" : ""}.toml`);
    const files = [...text.matchAll(/\b(?:file|points|cells_file) = ("(?:[^"\\]|\\.)*")/g)].map(([, path]) => JSON.parse(path)).filter((path) => path);
    if (files.length) this.app.note(`The scene names files of this machine, which must stay where they are: ${[...new Set(files)].join(", ")}`);
  }

  async frame() {
    try {
      download(new Blob([await getBytes(`file?number=${this.app.stage.moment.number}`)]), this.#numbered("h5"));
    } catch (error) {
      this.app.note(error.message);
    }
  }
}
