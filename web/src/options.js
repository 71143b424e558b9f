// The panel of what is shown, and how.
import GUI from "lil-gui";
import { choicesFor } from "./beside.js";
import { hasGrid, hasMeshes } from "./stage.js";
import { remember, settings } from "./settings.js";

export class Options {
  constructor(box, app) {
    this.box = box;
    this.app = app;
  }

  // Anew for each scene, since its columns are others.
  build(scene, steerable) {
    const { app } = this;
    this.gui?.destroy();
    const gui = (this.gui = new GUI({ container: this.box, title: "View" }));
    const keep = () => {
      remember();
      app.stage.refresh();
    };
    const colors = gui.addFolder("Colour");
    this.look = { color: app.color, colormap: app.colormap, automatic: app.range === null, low: 0, high: 1 };
    colors
      .add(this.look, "color", ["body", "material", "plain", ...scene.columns])
      .name("by")
      .onChange((color) => app.setColor(color));
    colors
      .add(this.look, "colormap", Object.keys(scene.colormaps))
      .name("colours")
      .onChange((name) => app.setColormap(name));
    colors
      .add(this.look, "automatic")
      .name("range of what occurs")
      .onChange((automatic) => app.setRange(automatic ? null : [this.look.low, this.look.high]));
    const ends = ["low", "high"].map((end) =>
      colors.add(this.look, end).onChange(() => {
        this.look.automatic = false;
        app.setRange([this.look.low, this.look.high]);
        this.gui.controllersRecursive().forEach((c) => c.updateDisplay());
      }),
    );
    this.showRange = (low, high) => {
      if (!this.look.automatic) return;
      [this.look.low, this.look.high] = [low, high].map((v) => Number(v.toPrecision(4)));
      ends.forEach((c) => c.updateDisplay());
    };
    this.setColor = (color) => {
      this.look.color = color;
      colors.controllers[0].updateDisplay();
    };

    const show = gui.addFolder("Show");
    if (hasMeshes(scene))
      show
        .add(settings, "draw", ["particles", "surface", "both"])
        .name("meshes as (X)")
        .onChange((draw) => app.setDraw(draw));
    show.add(settings, "size", 0.2, 3, 0.05).name("particle size").onChange(keep);
    this.velocity = show
      .add(settings, "velocity")
      .name("velocities (V)")
      .onChange(() => app.setVelocity(settings.velocity));
    if (hasGrid(scene))
      show
        .add(settings, "grid")
        .name("those of the grid (G)")
        .onChange((on) => app.setGrid(on));
    show.add(settings, "velocityScale", 0.1, 10, 0.1).name("their length").onChange(keep);
    show.add(settings, "solids").name("colliders").onChange(keep);
    show.add(settings, "grips").onChange(keep);
    if (scene.domain) show.add(settings, "domain").onChange(keep);
    if (hasGrid(scene)) show.add(settings, "blocks").name("grid blocks").onChange(keep);
    const slice = { along: "", at: 0.5 };
    const cut = () => app.stage.slice(slice.along, slice.at);
    show.add(slice, "along", scene.dimension === 3 ? { no: "", x: "x", y: "y", z: "z" } : { no: "", x: "x", y: "y" }).name("slice across").onChange(cut);
    show.add(slice, "at", 0, 1, 0.005).name("slice at").onChange(cut);

    this.refresh = () => show.controllers.forEach((c) => c.updateDisplay());
    const choices = choicesFor(scene);
    if (Object.keys(choices).length > 1) {
      const beside = gui.addFolder("Beside");
      this.beside = beside
        .add({ what: app.beside.what }, "what", choices)
        .name("show")
        .onChange((what) => app.beside.choose(what));
    }

    const page = gui.addFolder("Page");
    page
      .add(settings, "theme", ["dark", "light"])
      .name("theme (T)")
      .onChange(() => app.setTheme(settings.theme))
      .listen();
    page.add({ save: () => app.saveScene() }, "save").name(steerable ? "save the scene as it is now" : "save the scene file");
    page.add({ frame: () => app.saveFrame() }, "frame").name("save this frame (HDF5)");
    page.add({ picture: () => app.picture() }, "picture").name("save a picture (P)");
    page.add({ film: () => app.film() }, "film").name("record a film (M)");
  }
}
