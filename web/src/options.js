// The panel of what is shown, and how.
import GUI from "lil-gui";
import { choicesFor } from "./beside.js";
import { make } from "./dom.js";
import { ranges } from "./legend.js";
import { colorsOf } from "./paint.js";
import { hasGrid } from "./stage.js";
import { remember, settings } from "./settings.js";
import { sliderOf } from "./slice.js";

export class Options {
  constructor(box, app) {
    this.box = box;
    this.app = app;
  }

  // Anew for each scene, since its columns are others.
  build(scene, steerable) {
    this.gui?.destroy();
    this.gui = new GUI({ container: this.box, title: "" });
    this.#colors(scene);
    this.#matter(scene);
    this.#velocities(scene);
    this.#around(scene);
    this.#beside(scene);
    this.#page(steerable);
  }

  // After a change by a key, or by the legend.
  update() {
    Object.assign(this.look, { color: this.app.paint.color, colormap: this.app.paint.colormap });
    this.gui.controllersRecursive().forEach((c) => c.updateDisplay());
  }

  #keep = () => {
    remember();
    this.app.stage.refresh();
  };

  #colors(scene) {
    const { paint } = this.app;
    const folder = this.gui.addFolder("Colour");
    this.look = { color: paint.color, colormap: paint.colormap, range: paint.range, low: 0, high: 1 };
    folder
      .add(this.look, "color", colorsOf(scene))
      .name("colour by (C)")
      .onChange((color) => paint.setColor(color));
    const meaning = make("p", { className: "meaning" });
    folder.$children.append(meaning);
    const map = folder
      .add(this.look, "colormap", Object.keys(scene.colormaps))
      .name("colours")
      .onChange((name) => paint.setColormap(name));
    const range = folder
      .add(this.look, "range", Object.fromEntries(Object.entries(ranges).map(([value, text]) => [text, value])))
      .onChange((value) => paint.setRange(value));
    const ends = ["low", "high"].map((end) => folder.add(this.look, end).onChange(() => paint.setRange("fixed", [this.look.low, this.look.high])));
    // Bodies and materials have their own colours.
    this.showRange = () => {
      meaning.textContent = paint.meaning;
      for (const controller of [map, range, ...ends]) controller.show(Boolean(paint.legend.scale));
      const [low, high] = paint.ends.map((v) => Number(v.toPrecision(paint.range === "fixed" ? 6 : 4)));
      if (this.look.range === paint.range && this.look.low === low && this.look.high === high) return;
      Object.assign(this.look, { range: paint.range, low, high });
      [range, ...ends].forEach((c) => c.updateDisplay());
    };
  }

  #matter(scene) {
    const { app } = this;
    const folder = this.gui.addFolder("Matter");
    folder
      .add(settings, "draw", ["particles", "surface", "both"])
      .name("drawn as (X)")
      .onChange((draw) => app.setLook("draw", draw));
    folder.add(settings, "size", 0.2, 3, 0.05).name("particle size").onChange(this.#keep);
    this.#slice(scene, folder);
  }

  #slice(scene, folder) {
    const { app } = this;
    const slice = Object.assign({ along: "", at: 0, flip: false }, settings.slice[scene.name]);
    settings.slice[scene.name] = slice;
    const cut = () => {
      remember();
      for (const [stage] of app.stages) stage.slice(slice);
    };
    // In the middle of the matter, so that something is seen of either part.
    const start = () => {
      if (slice.along) slice.at = Number(app.stage.matter().getCenter(app.stage.mark.position.clone())[slice.along].toPrecision(3));
      this.showSlice(true);
      cut();
    };
    const axes = scene.dimension === 3 ? ["x", "y", "z"] : ["x", "y"];
    folder.add(slice, "along", { no: "", ...Object.fromEntries(axes.map((axis) => [axis, axis])) }).name("slice across").onChange(start);
    const at = folder.add(slice, "at", 0, 1).onChange(cut);
    const flip = folder.add(slice, "flip").name("remove the other side").onChange(cut);
    let box = null; // of all that was shown since the slice was chosen
    this.showSlice = (anew = false) => {
      for (const controller of [at, flip]) controller.show(Boolean(slice.along));
      if (!slice.along || !app.stage.frame?.rows) return;
      box = anew || !box ? app.stage.around() : box.union(app.stage.around());
      const { low, high, step } = sliderOf(box, slice.along, slice.at);
      at.name(`slice at ${slice.along} (m)`).min(low).max(high).step(step).updateDisplay();
    };
    this.showSlice();
  }

  #velocities(scene) {
    const { app } = this;
    const folder = this.gui.addFolder("Velocities as lines");
    folder
      .add(settings, "velocity")
      .name("of particles (V)")
      .onChange((on) => app.setLook("velocity", on));
    if (hasGrid(scene))
      folder
        .add(settings, "grid")
        .name("of grid nodes (G)")
        .onChange((on) => app.setLook("grid", on));
    folder.add(settings, "velocityScale", 0.1, 10, 0.1).name("length of the lines").onChange(this.#keep);
  }

  #around(scene) {
    const folder = this.gui.addFolder("Surroundings");
    folder.add(settings, "solids").name("colliders").onChange(this.#keep);
    folder.add(settings, "grips").onChange(this.#keep);
    if (scene.domain) folder.add(settings, "domain").onChange(this.#keep);
    if (hasGrid(scene)) folder.add(settings, "blocks").name("grid blocks in use").onChange(this.#keep);
  }

  #beside(scene) {
    const { beside } = this.app;
    const choices = choicesFor(scene);
    if (Object.keys(choices).length === 1) return;
    this.gui
      .addFolder("Beside")
      .add({ what: beside.what }, "what", choices)
      .name("show")
      .onChange((what) => beside.choose(what));
  }

  #page(steerable) {
    const { app } = this;
    const { saving } = app;
    const folder = this.gui.addFolder("Page");
    folder
      .add(settings, "theme", ["dark", "light"])
      .name("theme (T)")
      .onChange(() => app.setTheme(settings.theme))
      .listen();
    folder.add({ save: () => saving.scene() }, "save").name(steerable ? "save the scene of this run" : "save the scene file");
    if (steerable) folder.add({ save: () => saving.scene(true) }, "save").name("save it with the changes that wait for a restart");
    folder.add({ frame: () => saving.frame() }, "frame").name("save this frame (HDF5)");
    folder.add({ picture: () => saving.picture() }, "picture").name("save a picture (P)");
    const film = folder.add({ film: () => saving.film() }, "film");
    const canvas = folder.add({ canvas: () => saving.canvas() }, "canvas");
    // kind: of the film that is made; nothing: none is
    this.showFilm = (kind) => {
      film.name(kind === "film" ? "end this film (M)" : "film of every frame, or of the simulation (M)").enable(kind !== "canvas");
      canvas.name(kind === "canvas" ? "end this film (M)" : "film what I do from now on").enable(kind !== "film");
    };
    this.showFilm("");
  }
}
