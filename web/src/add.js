// Bodies and other parts that are added to a scene, by form; they come with a restart.
import * as THREE from "three";
import { choiceOf, field, make } from "./dom.js";
import { Form, rowOf } from "./form.js";
import { unitText } from "./numbers.js";
import { underPointer } from "./overlay.js";
import { pointsIn, shapeAround } from "./points.js";
import { others, outlineOf, sizeLabel, starts } from "./shapes.js";
import { asShown, asToml, quoted, tableOf } from "./toml.js";

export class AddBody {
  placing = false; // the next click on the picture is the centre

  // send(order): resolves to what is wrong, or nothing.
  constructor(app, send) {
    this.app = app;
    this.send = send;
    this.form = new Form(() => this.#add());
  }

  // What is filled in stays while the scene is the same.
  show(scene, panel, forms) {
    const valueOf = (fields, name) => fields.find((f) => f.path.endsWith(name) && f.path.split(".").length === 3)?.text ?? null;
    this.bodies = panel
      .filter(({ path }) => /^(body|source)\./.test(path))
      .map(({ fields }) => ({ name: asShown(valueOf(fields, ".name"), "text"), material: asShown(valueOf(fields, ".material"), "text"), perCell: valueOf(fields, ".particles_per_cell") }));
    this.names = scene.materials.map(({ name }) => name);
    for (const { path, fields } of panel) if (path.startsWith("materials.") && fields.length && !this.names.includes(path.slice(10))) this.names.push(path.slice(10).replaceAll('"', ""));
    if (this.scene?.name !== scene.name || this.scene?.dimension !== scene.dimension) this.form.empty();
    this.scene = scene;
    this.#build(scene, forms);
  }

  #build(scene, forms) {
    const { min, max } = scene.region;
    const middle = min.map((low, i) => Number(((low + max[i]) / 2).toPrecision(3))).slice(0, scene.dimension);
    this.called = (name) => (scene.dimension === 3 ? name.replace("disc", "ball") : name).replace("_", " ");
    const group = (label, names) => make("optgroup", { label }, ...names.map((n) => new Option(this.called(n), n)));
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
    this.hint = make("p", { className: "hint", role: "status", textContent: "Click in the picture where its centre is to be. Esc cancels." });
    const row = (label, ...items) => rowOf(make("label", { textContent: label }), ...items);
    const files = row("points", this.file);
    const across = row("", this.size, "m");
    const sizes = [row("centre", this.center, "m", this.place), this.hint, across];
    const toggle = () => {
      const points = starts[this.shape.value] === null;
      files.hidden = !points;
      for (const line of sizes) line.hidden = points;
      across.firstChild.textContent = sizeLabel(this.shape.value);
      this.#placeByClick(this.placing && !points);
    };
    this.shape.addEventListener("change", toggle);
    toggle();
    for (const input of [this.center, this.size]) {
      input.addEventListener("focus", () => this.#outline());
      input.addEventListener("input", () => this.#outline());
      input.addEventListener("blur", () => this.#hideOutline());
    }
    this.form.fill(
      row("shape", this.shape, "of", this.material),
      files,
      ...sizes,
      row("velocity", this.velocity, "m/s", make("button", { textContent: "add", title: "It comes with a restart" })),
    );
  }

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

  // Where the body would come: about the centre that is filled in, or another.
  #outline(center = this.#numbers(this.center)) {
    const { stage, overlay } = this.app;
    const size = Number(this.size.value);
    const there = center && size > 0;
    overlay.showPlace(stage, there ? outlineOf(this.shape.value, new THREE.Vector3(...center), size, stage.camera, this.scene.dimension) : null);
  }
  #hideOutline() {
    this.app.overlay.showPlace(null, null);
  }

  #placeByClick(on) {
    const { canvas } = this.app.stage;
    if (this.placing && !on) this.#hideOutline();
    this.placing = on;
    this.place.classList.toggle("on", on);
    this.place.setAttribute("aria-pressed", String(on));
    this.hint.hidden = !on;
    canvas.classList.toggle("placing", on);
    const listen = on ? "addEventListener" : "removeEventListener";
    canvas[listen]("pointermove", this.#follow);
    canvas[listen]("pointerleave", this.#leave);
    document[listen]("keydown", this.#cancel, true);
  }

  #follow = (event) => this.#outline(this.#under(event.offsetX, event.offsetY));
  #leave = () => this.#hideOutline();
  #cancel = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    this.#placeByClick(false);
  };

  // In 3D as far from the eye as the middle of the picture.
  #under(x, y) {
    const { stage } = this.app;
    return underPointer(stage, [x, y], stage.controls.target).toArray().slice(0, this.scene.dimension);
  }

  // A click on the picture while a place is wanted.
  click(x, y) {
    if (!this.placing) return false;
    this.#placeByClick(false);
    this.center.value = JSON.stringify(this.#under(x, y).map((v) => Number(v.toPrecision(4))));
    this.center.given = true;
    this.#outline();
    return true;
  }

  // After its shape, with a number where the scene has one of that name.
  #name() {
    const shape = starts[this.shape.value] === null ? "points" : this.called(this.shape.value);
    const taken = (name) => this.bodies.some((b) => b.name === name);
    let name = shape;
    for (let n = 2; taken(name); ++n) name = `${shape} ${n}`;
    return name;
  }

  // As fine as the matter beside it: that of the same material, else the first.
  #fineness(material) {
    const perCell = (this.bodies.find((b) => b.material === material) ?? this.bodies[0])?.perCell ?? null;
    return perCell === null ? {} : { particles_per_cell: perCell };
  }

  async #add() {
    try {
      const { shape, ...more } = await this.#shape();
      const material = this.material.value;
      // A preset is a material of the scene first.
      if (!this.names.includes(material)) {
        const wrong = await this.send({ do: "set", path: `materials.${quoted(material)}`, toml: tableOf({ preset: quoted(material) }) });
        if (wrong) return this.form.tell(wrong);
      }
      const body = { name: quoted(this.#name()), material: quoted(material), shape, velocity: asToml(this.velocity.value, "formula"), ...this.#fineness(material), ...more };
      this.form.tell(await this.send({ do: "add", path: "body", toml: tableOf(body) }));
      this.#hideOutline();
    } catch (error) {
      this.form.tell(error.message);
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
    const points = pointsIn(csv, d);
    if (points.length < d + 1) throw new Error(`${file.name} has not ${d + 1} lines of ${d} numbers.`);
    const { file: path } = await this.app.upload(csv);
    return { shape: shapeAround(points), sampling: quoted("file"), points: quoted(path) };
  }
}

// Any other part of a scene, with what it cannot do without; its values are in the panel then.
export class AddPart {
  constructor(send, added) {
    this.send = send;
    this.added = added;
    this.form = new Form(() => this.#add());
  }

  show(scene, panel, forms) {
    this.forms = forms;
    const { min, max } = scene.region;
    this.middle = min.map((low, i) => (low + max[i]) / 2).slice(0, scene.dimension);
    this.size = (max[1] - min[1]) / 4;
    this.count = (list) => panel.filter(({ path }) => path.startsWith(`${list}.`)).length;
    this.what = choiceOf("Part", Object.keys(forms.lists).filter((l) => l !== "body"));
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
    this.form.fill(rowOf(this.what, ...this.inputs.flatMap(({ f, input }) => (f.unit ? [input, unitText(f.unit)] : [input])), go));
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
    this.form.tell(wrong);
    if (!wrong) this.added(path);
  }

  // In the middle, where it can be; its place is in the panel then.
  #shape(type) {
    const start = type === "sphere" ? starts.disc : (starts[type] ?? others[type]);
    return tableOf(start ? start(this.middle, this.size) : { type: quoted(type) });
  }
}
