// Bodies and other parts that are added to a scene, by form; they come with a restart.
import * as THREE from "three";
import { choiceOf, field, make } from "./dom.js";
import { underPointer } from "./overlay.js";
import { asToml, quoted, tableOf, vectorOf } from "./toml.js";

const number = (value) => String(Number(value.toPrecision(6)));

// Shapes of a size about a centre, as the scene file writes them. The first four are those that simulators of snow start with.
const flatDisc = (c, r) => ({ type: quoted("sphere"), center: vectorOf(c), radius: number(r) });
function twoDiscs(c, s) {
  const [left, right] = [-1, 1].map((side) => tableOf(flatDisc([c[0] + 0.27 * side * s, ...c.slice(1)], s / 4)));
  return { type: quoted("union"), of: `[${left}, ${right}]` };
}
const starts = {
  box: (c, s) => ({ type: quoted("box"), center: vectorOf(c), size: vectorOf(c.map(() => s)) }),
  disc: (c, s) => flatDisc(c, s / 2),
  "two discs": twoDiscs,
  "points of a CSV file": null,
};
const others = {
  "rounded_box": (c, s) => ({ type: quoted("rounded_box"), center: vectorOf(c), size: vectorOf(c.map(() => s)) }),
  ellipsoid: (c, s) => ({ type: quoted("ellipsoid"), center: vectorOf(c), radii: vectorOf([s / 2, s / 3, s / 3].slice(0, c.length)) }),
  cylinder: (c, s) => ({ type: quoted("cylinder"), center: vectorOf(c), radius: number(s / 2), height: number(s), ...(c.length === 3 && { axis: "[0, 1, 0]" }) }),
  capsule: (c, s) => ({ type: quoted("capsule"), from: vectorOf(moved(c, -s / 4)), to: vectorOf(moved(c, s / 4)), radius: number(s / 4) }),
  cone: (c, s) => ({ type: quoted("cone"), base: vectorOf(moved(c, -s / 2)), apex: vectorOf(moved(c, s / 2)), radius: number(s / 2) }),
  torus: (c, s) => ({ type: quoted("torus"), center: vectorOf(c), radius: number(s / 3), tube: number(s / 8) }),
  star: (c, s) => ({ type: quoted("star"), center: vectorOf(c), outer: number(s / 2), inner: number(s / 4), ...(c.length === 3 && { depth: number(s / 3) }) }),
  polygon: (c, s) => ({ type: quoted("polygon"), points: `[${corners(c, s).map(vectorOf).join(", ")}]`, ...(c.length === 3 && { z: number(c[2]), depth: number(s / 3) }) }),
  shell: (c, s) => ({ type: quoted("shell"), of: tableOf(flatDisc(c, s / 2)), thickness: number(s / 8) }),
};
const moved = (c, by) => c.map((v, i) => (i === 1 ? v + by : v));
const corners = ([x, y], s) => [0, 1, 2].map((k) => [x + (s / 2) * Math.sin((2 * Math.PI * k) / 3), y + (s / 2) * Math.cos((2 * Math.PI * k) / 3)]);

// The outline around points in the plane, corners in order.
export function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      const left = () => {
        const [a, b] = chain.slice(-2);
        return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) <= 0;
      };
      while (chain.length > 1 && left()) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

export class AddBody {
  // send(order): resolves to what is wrong, or nothing.
  constructor(app, send) {
    this.app = app;
    this.send = send;
    this.box = make("form", { className: "form" });
    this.box.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#add();
    });
  }

  // What is filled in stays while the scene is the same.
  show(scene, panel, forms) {
    this.bodies = panel.filter(({ path }) => path.startsWith("body.")).length;
    this.names = scene.materials.map(({ name }) => name);
    for (const { path, fields } of panel) if (path.startsWith("materials.") && fields.length && !this.names.includes(path.slice(10))) this.names.push(path.slice(10).replaceAll('"', ""));
    const inputs = [...this.box.querySelectorAll("input:not([type=file]), select")].map((e) => [e.getAttribute("aria-label"), e.value]);
    this.#build(scene, forms);
    if (this.scene?.name !== scene.name || this.scene?.dimension !== scene.dimension) inputs.length = 0;
    this.scene = scene;
    for (const [label, value] of inputs) {
      const again = this.box.querySelector(`[aria-label="${label}"]`);
      if (again && (again.tagName === "INPUT" || [...again.options].some((o) => o.value === value))) again.value = value;
    }
    this.#toggle();
  }

  #build(scene, forms) {
    const { min, max } = scene.region;
    const middle = min.map((low, i) => Number(((low + max[i]) / 2).toPrecision(3))).slice(0, scene.dimension);
    const called = (name) => (scene.dimension === 3 ? name.replace("disc", "ball") : name);
    const group = (label, names) => make("optgroup", { label }, ...names.map((n) => new Option(called(n), n)));
    this.shape = choiceOf("Shape", [group("to start with", Object.keys(starts)), group("other shapes", Object.keys(others))]);
    const presets = forms.presets.filter((p) => !this.names.includes(p.name)).map((p) => Object.assign(new Option(p.name, p.name), { title: p.doc }));
    const own = make("optgroup", { label: "of the scene" }, ...this.names.map((n) => new Option(n)));
    this.material = choiceOf("Material", [own, make("optgroup", { label: "presets" }, ...presets)]);
    this.center = field("Centre", make("input", { value: JSON.stringify(middle), size: 14 }));
    this.size = field("Size", make("input", { value: Number(((max[1] - min[1]) / 4).toPrecision(2)), size: 5 }));
    this.velocity = field("Velocity of the body", make("input", { value: JSON.stringify(middle.map(() => 0)), size: 14 }));
    this.file = field("CSV file", make("input", { type: "file", accept: ".csv,.txt" }));
    this.place = make("button", { type: "button", textContent: "by a click", title: "The next click on the picture is its centre" });
    this.place.addEventListener("click", () => this.#placeByClick(!this.placing));
    const row = (label, ...items) => make("div", { className: "row" }, make("label", { textContent: label }), ...items);
    const files = row("points", this.file);
    const sizes = [row("centre", this.center, "m", this.place), row("size", this.size, "m")];
    this.#toggle = () => {
      files.hidden = starts[this.shape.value] !== null;
      sizes.forEach((s) => (s.hidden = !files.hidden));
    };
    this.shape.addEventListener("change", this.#toggle);
    for (const input of [this.center, this.size]) input.addEventListener("focus", () => this.#outline());
    for (const input of [this.center, this.size]) input.addEventListener("input", () => this.#outline());
    for (const input of [this.center, this.size]) input.addEventListener("blur", () => this.app.overlay.showPlace(null, null));
    this.box.replaceChildren(
      row("shape", this.shape, "of", this.material),
      files,
      ...sizes,
      row("velocity", this.velocity, "m/s", make("button", { textContent: "add", title: "It comes with a restart" })),
    );
  }

  #toggle = () => {};

  #numbers(input) {
    const { dimension } = this.scene;
    let list;
    try {
      list = JSON.parse(input.value);
    } catch {
      list = null;
    }
    return Array.isArray(list) && list.length === dimension && list.every(Number.isFinite) ? list : null;
  }

  #outline() {
    const center = this.#numbers(this.center);
    const size = Number(this.size.value);
    this.app.overlay.showPlace(this.app.stage, center && size > 0 ? new THREE.Vector3(...center) : null, size / 2);
  }

  #placeByClick(on) {
    this.placing = on;
    this.place.classList.toggle("on", on);
    this.app.stage.canvas.classList.toggle("placing", on);
  }

  // A click on the picture while a place is wanted: in 3D as far from the eye as the middle of the picture.
  click(x, y) {
    if (!this.placing) return false;
    this.#placeByClick(false);
    const { stage } = this.app;
    const at = underPointer(stage, [x, y], stage.controls.target);
    this.center.value = JSON.stringify(at.toArray().slice(0, this.scene.dimension).map((v) => Number(v.toPrecision(4))));
    this.#outline();
    return true;
  }

  #say(wrong) {
    this.box.querySelector(".why")?.remove();
    if (wrong) this.box.append(make("p", { className: "why", role: "alert", textContent: wrong }));
  }

  async #add() {
    try {
      const { shape, ...more } = await this.#shape();
      const material = this.material.value;
      // A preset is a material of the scene first.
      if (!this.names.includes(material)) {
        const wrong = await this.send({ do: "set", path: `materials.${quoted(material)}`, toml: tableOf({ preset: quoted(material) }) });
        if (wrong) return this.#say(wrong);
      }
      const body = { name: quoted(`added ${this.bodies + 1}`), material: quoted(material), shape, velocity: asToml(this.velocity.value, "formula"), ...more };
      this.#say(await this.send({ do: "add", path: "body", toml: tableOf(body) }));
      this.app.overlay.showPlace(null, null);
    } catch (error) {
      this.#say(error.message);
    }
  }

  async #shape() {
    const make_ = starts[this.shape.value] ?? others[this.shape.value];
    if (!make_) return this.#points();
    const center = this.#numbers(this.center);
    if (!center) throw new Error(`The centre must be ${this.scene.dimension} numbers, as in ${JSON.stringify([0.5, 0.5, 0.5].slice(0, this.scene.dimension))}.`);
    if (!(Number(this.size.value) > 0)) throw new Error("The size must be a number above 0, in metres.");
    return { shape: tableOf(make_(center, Number(this.size.value))) };
  }

  // Points of a file of the reader's machine: the program keeps them in the run folder.
  async #points() {
    const [file] = this.file.files;
    if (!file) throw new Error("Choose a CSV file: a line of numbers for each particle.");
    const csv = await file.text();
    const d = this.scene.dimension;
    const points = csv.split("\n").map((line) => line.split(/[,;\s]+/).filter(Boolean).map(Number)).filter((p) => p.length >= d && p.every(Number.isFinite)).map((p) => p.slice(0, d));
    if (points.length < d + 1) throw new Error(`${file.name} has not ${d + 1} lines of ${d} numbers.`);
    const { file: path } = await this.app.upload(csv);
    const ends = [Math.min, Math.max].map((best) => points[0].map((_, k) => points.reduce((end, p) => best(end, p[k]), points[0][k])));
    const box = { type: quoted("box"), center: vectorOf(ends[0].map((low, k) => (low + ends[1][k]) / 2)), size: vectorOf(ends[0].map((low, k) => ends[1][k] - low)) };
    const shape = tableOf(d === 2 ? { type: quoted("polygon"), points: `[${hull(points).map(vectorOf).join(", ")}]` } : box);
    return { shape, sampling: quoted("file"), points: quoted(path) };
  }
}

// Any other part of a scene, with what it cannot do without; its values are in the panel then.
export class AddPart {
  constructor(send, added) {
    this.send = send;
    this.added = added;
    this.box = make("form", { className: "form" });
    this.box.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#add();
    });
  }

  show(scene, panel, forms) {
    this.forms = forms;
    const { min, max } = scene.region;
    this.middle = min.map((low, i) => (low + max[i]) / 2).slice(0, scene.dimension);
    this.size = (max[1] - min[1]) / 4;
    this.count = (list) => panel.filter(({ path }) => path.startsWith(`${list}.`)).length;
    const before = this.what?.value;
    const lists = Object.keys(forms.lists).filter((l) => l !== "body");
    this.what = choiceOf("Part", lists);
    if (lists.includes(before)) this.what.value = before;
    this.what.addEventListener("change", () => this.#fill());
    this.#fill();
  }

  #fill() {
    const { doc, fields } = this.forms.lists[this.what.value];
    this.what.title = doc;
    this.inputs = fields
      .filter((f) => f.level === 0 && (f.required || f.path === "name" || (f.kind === "variant" && !f.path.includes("."))))
      .map((f) => {
        const options = f.choices?.map((c) => new Option(c)) ?? [];
        const input = options.length ? choiceOf(`${this.what.value} ${f.path}`, options) : field(`${this.what.value} ${f.path}`, make("input", { placeholder: f.path, size: 10 }));
        input.title = f.doc;
        return { f, input };
      });
    const go = make("button", { textContent: "add", title: "It comes with a restart" });
    this.box.replaceChildren(make("div", { className: "row" }, this.what, ...this.inputs.flatMap(({ f, input }) => (f.unit ? [input, f.unit] : [input])), go));
  }

  async #add() {
    const entries = {};
    for (const { f, input } of this.inputs) {
      if (input.value.trim() === "") continue;
      entries[f.path] = f.kind === "variant" ? this.#shape(input.value) : asToml(input.value, f.kind);
    }
    const list = this.what.value;
    const path = `${list}.${this.count(list)}`;
    const wrong = await this.send({ do: "add", path: list, toml: tableOf(entries) });
    this.box.querySelector(".why")?.remove();
    if (wrong) this.box.append(make("p", { className: "why", role: "alert", textContent: wrong }));
    else this.added(path);
  }

  // In the middle, where it can be; its place is in the panel then.
  #shape(type) {
    const start = type === "sphere" ? starts.disc : (starts[type] ?? others[type]);
    return tableOf(start ? start(this.middle, this.size) : { type: quoted(type) });
  }
}
