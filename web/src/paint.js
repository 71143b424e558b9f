// How the matter is coloured: by which quantity, in which colours, over which range; and the legend that says so.
import { readable } from "./colors.js";
import { Legend } from "./legend.js";
import { remember, settings } from "./settings.js";
import { backgrounds } from "./stage.js";

const counted = ["body", "material", "plain"]; // these are no columns of numbers, whatever the columns are called
// Numbers of a particle; entries of matrices have no place in a menu.
export const quantitiesOf = (scene) => scene.quantities.filter((q) => q.startsWith("stress_") || !/_[xyz]{2}$/.test(q));
export const colorsOf = (scene) => [...counted, ...quantitiesOf(scene).filter((q) => !counted.includes(q))];

// Of a run that is not done, and how it can be.
const shellWord = (path) => (/^[\w./+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
function howItEnded({ scene, state, player }) {
  if (!["killed", "stopped"].includes(state.status)) return "";
  const [file, folder] = [`${scene.folder}/scene.toml`, scene.folder].map(shellWord);
  return `This run was ${state.status} after frame ${player.numbers.at(-1) ?? 0}. To resume: knead run ${file} --out ${folder} --resume`;
}

export class Paint {
  range = "seen"; // or "frame", or "fixed"
  ends = [0, 1]; // of the scale
  legend = {}; // what it shows
  #seen = [Infinity, -Infinity]; // of the column, in the frames shown so far
  #frame = null; // the last one
  #second = null; // and the one beside it, of another run

  constructor(app, box) {
    this.app = app;
    this.box = new Legend(box, (range) => this.setRange(range));
  }

  // A scene's own colours are taken where the user has chosen none, and where the scene was given others (`anew`).
  open(scene, anew) {
    const all = colorsOf(scene);
    const chosen = anew ? scene.camera.color : settings.color[scene.name];
    this.color = [chosen, scene.camera.color, "body"].find((c) => all.includes(c));
    this.colormap = (anew ? undefined : settings.colormap[scene.name]) ?? scene.camera.colormap;
    this.startRange();
  }

  // The frames seen so far are those of another run.
  forgetSeen() {
    this.#seen = [Infinity, -Infinity];
  }

  startRange() {
    this.forgetSeen();
    const { color, low, high } = this.app.scene.camera;
    const own = color === this.color && low !== null && high !== null;
    const fixed = settings.fixed[this.app.scene.name];
    const chosen = fixed?.color === this.color;
    this.range = own || chosen ? "fixed" : settings.range;
    if (chosen) this.ends = fixed.ends;
    else if (own) this.ends = [low, high];
  }

  // False of a frame that was asked for before the colour was changed.
  takes(frame) {
    if (frame.color !== this.color) return false;
    this.#frame = frame;
    this.#see(frame);
    return true;
  }

  // Another run beside has the same colours.
  takeBeside(frame) {
    this.#second = frame?.color === this.color ? frame : null;
    if (!this.#second) return;
    this.#see(frame);
    this.scale();
  }

  #see({ low, high }) {
    this.#seen = this.#around([this.#seen, [low, high]]);
  }
  #around(ranges) {
    const known = ranges.filter(([low, high]) => low !== null && high !== null);
    return [Math.min(...known.map(([low]) => low)), Math.max(...known.map(([, high]) => high))];
  }

  // What the column is that the colours show.
  get meaning() {
    return (counted.includes(this.color) ? "" : this.app.scene.meanings[this.color]) ?? "";
  }

  setColor(color) {
    this.color = color;
    settings.color[this.app.scene.name] = color;
    remember();
    this.startRange();
    this.all();
    this.app.options.update();
    this.app.player.again();
  }

  next() {
    const all = colorsOf(this.app.scene);
    this.setColor(all[(all.indexOf(this.color) + 1) % all.length]);
  }

  setColormap(name) {
    this.colormap = name;
    settings.colormap[this.app.scene.name] = name;
    remember();
    this.all();
  }

  // Fixed ones stay what they are, or become the ones that are given.
  setRange(range, ends) {
    this.range = range;
    if (ends) this.ends = ends;
    if (range !== "fixed") settings.range = range;
    this.scale();
    const { name } = this.app.scene;
    if (range === "fixed") settings.fixed[name] = { color: this.color, ends: this.ends };
    else delete settings.fixed[name];
    remember();
  }

  #listOf({ matter, materials }) {
    return { body: matter, material: materials, plain: [{ name: "", color: "#9fb2cc" }] }[this.color];
  }

  // Colours and range of all that is drawn.
  all() {
    const { scene, stages } = this.app;
    const colors = readable(scene.colormaps[this.colormap], backgrounds[settings.theme]);
    const list = this.#listOf(scene);
    for (const [stage, of] of stages) {
      const own = this.#listOf(of);
      stage.paint(own ? own.map((m) => m.color) : colors, Boolean(own));
    }
    this.legend = list ? { list: this.color === "plain" ? [] : list } : { scale: { colors } };
    this.scale();
  }

  #endsNow() {
    if (this.legend.list) return [0, 1];
    const shown = [this.#frame, this.#second].filter((frame) => frame?.color === this.color).map(({ low, high }) => [low, high]);
    const wanted = { fixed: this.ends, seen: this.#seen, frame: this.#around(shown) }[this.range];
    return Number.isFinite(wanted[0]) && wanted[0] <= wanted[1] ? wanted : [0, 1];
  }

  // The range only, as it changes from frame to frame.
  scale() {
    const { stage, stages, options } = this.app;
    const [low, high] = (this.ends = this.#endsNow());
    for (const [each] of stages) {
      each.spheres.uniforms.low.value = low;
      each.spheres.uniforms.high.value = high;
      each.draw();
    }
    const { legend } = this;
    if (legend.scale) Object.assign(legend.scale, { low, high, range: this.range, title: this.#frame?.title ?? this.color, meaning: this.meaning, unit: this.#frame?.unit ?? "" });
    else legend.items = stage.surface?.cracked ? [...legend.list, { name: "crack", color: stage.surface.crackColor }] : legend.list;
    legend.notes = this.#notes();
    this.box.show(legend);
    options.showRange?.();
  }

  // What is good to know of what is drawn.
  #notes() {
    const { frame } = this.app.stage;
    const error = frame?.surface?.error ?? frame?.grid?.error;
    const notes = error ? [error] : [];
    const end = this.app.state && howItEnded(this.app);
    if (end) notes.push(end);
    if (frame && this.app.stage.surfaceMoment) notes.push(this.app.stage.surfaceMoment);
    if (settings.grid && frame?.grid?.data) {
      const { source, every } = frame.grid;
      notes.push(`grid velocities: ${source === "solver" ? "of the last step" : "computed from the particles of this frame"}${every > 1 ? `, every ${every}th node` : ""}`);
    }
    return notes;
  }
}
