// Bodies that are added to a scene, by form; they come with a restart.
import * as THREE from "three";
import { choiceOf, field, make } from "./dom.js";
import { Form, rowOf } from "./form.js";
import { finenessOf, matterOf, startOf } from "./matter.js";
import { underPointer } from "./overlay.js";
import { pointsIn, shapeAround } from "./points.js";
import { getJson } from "./server.js";
import { others, outlineOf, sizeLabel, starts } from "./shapes.js";
import { asToml, lengthsOf, quoted, tableOf } from "./toml.js";

export class AddBody {
  placing = false; // the next click on the picture is the centre

  // send(order, settled): tells settled() what is wrong, or nothing; resolves to that when the panel is made anew.
  constructor(app, send) {
    this.app = app;
    this.send = send;
    this.form = new Form(() => this.#add());
    for (const kind of ["input", "change"]) this.form.box.addEventListener(kind, () => this.propose());
  }

  // What is filled in stays while the scene is the same.
  show(scene, panel, forms) {
    this.bodies = matterOf(panel);
    this.names = scene.materials.map(({ name }) => name);
    for (const { path, fields } of panel) if (path.startsWith("materials.") && fields.length && !this.names.includes(path.slice(10))) this.names.push(path.slice(10).replaceAll('"', ""));
    const [first] = this.bodies;
    const liquid = scene.method === "liquid"; // all of it is of one material
    if (liquid && first) this.names = this.names.filter((name) => name === first.material);
    this.presets = forms.presets.filter((p) => !liquid && !this.names.includes(p.name));
    if (this.scene?.name !== scene.name || this.scene?.dimension !== scene.dimension) this.form.empty();
    this.scene = scene;
    this.#build(scene);
  }

  #build(scene) {
    const { middle, size } = startOf(scene);
    this.called = (name) => (scene.dimension === 3 ? name.replace("disc", "ball") : name).replace("_", " ");
    const group = (label, names) => make("optgroup", { label }, ...names.map((n) => new Option(this.called(n), n)));
    this.shape = choiceOf("Shape", [group("to start with", Object.keys(starts)), group("other shapes", Object.keys(others).filter((n) => scene.dimension === 3 || n !== "torus"))]);
    const presets = this.presets.map((p) => Object.assign(new Option(p.name, p.name), { title: p.doc }));
    const own = make("optgroup", { label: "of the scene" }, ...this.names.map((n) => new Option(n)));
    this.material = choiceOf("Material", [own, ...(presets.length ? [make("optgroup", { label: "presets" }, ...presets)] : [])]);
    this.center = field("Centre", make("input", { value: JSON.stringify(middle), size: 14 }));
    this.size = field("Size", make("input", { value: size, size: 5 }));
    this.velocity = field("Velocity of the body", make("input", { value: JSON.stringify(middle.map(() => 0)), size: 14, required: true }));
    this.file = field("CSV file", make("input", { type: "file", accept: ".csv,.txt" }));
    this.place = make("button", { type: "button", textContent: "by a click", title: "The next click on the picture sets its centre" });
    this.place.addEventListener("click", () => {
      this.#placeByClick(!this.placing);
      this.propose();
    });
    this.hint = make("p", { className: "hint", role: "status", textContent: "Click in the picture to place its centre. Esc cancels." });
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
    this.form.fill(
      row("shape", this.shape, "of", this.material),
      files,
      ...sizes,
      row("velocity", this.velocity, "m/s", make("button", { textContent: "add", title: "It is added at the next restart" })),
    );
    this.outline();
  }

  #numbers(input) {
    const list = lengthsOf(input.value);
    return list?.length === this.scene.dimension ? list : null;
  }
  get #across() {
    const list = lengthsOf(this.size.value);
    return list?.length === 1 && list[0] > 0 ? list[0] : null;
  }

  // Until it is added, or the simulation started again, the body of the form has its outline in the picture.
  propose() {
    this.#proposed = true;
    this.outline();
  }
  settle() {
    this.#proposed = false;
    this.outline();
  }
  #proposed = true;

  // Where the body would come, while the form is seen: at the pointer while a place is wanted, else about the centre that is filled in.
  outline() {
    const { stage, overlay } = this.app;
    const seen = this.#proposed && this.scene && this.form.box.checkVisibility() && starts[this.shape.value] !== null;
    const center = seen && (this.#pointed ?? this.#numbers(this.center));
    const size = seen && this.#across;
    overlay.showPlace(stage, center && size ? outlineOf(this.shape.value, new THREE.Vector3(...center), size, stage.camera, this.scene.dimension) : null);
  }
  #pointed = null;

  #placeByClick(on) {
    const { canvas } = this.app.stage;
    this.placing = on;
    this.place.classList.toggle("on", on);
    this.place.setAttribute("aria-pressed", String(on));
    this.hint.hidden = !on;
    canvas.classList.toggle("placing", on);
    const listen = on ? "addEventListener" : "removeEventListener";
    canvas[listen]("pointermove", this.#follow);
    canvas[listen]("pointerleave", this.#leave);
    document[listen]("keydown", this.#cancel, true);
    this.#leave();
  }

  #follow = (event) => {
    this.#pointed = this.#under(event.offsetX, event.offsetY);
    this.outline();
  };
  #leave = () => {
    this.#pointed = null;
    this.outline();
  };
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
    this.outline();
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

  async #add() {
    try {
      const { shape, ...more } = await this.#shape();
      const material = this.material.value;
      const body = { name: quoted(this.#name()), material: quoted(material), shape, velocity: asToml(this.velocity.value, "formula"), ...finenessOf(this.bodies, material), ...more };
      const order = { do: "add", path: "body", toml: tableOf(body) };
      // Its outline goes as soon as it is taken: what is filled in after that is another body.
      const answered = (wrong) => wrong || this.settle();
      const wrong = await (this.names.includes(material) ? this.send(order, answered) : this.#sendWith(material, order, answered));
      this.form.tell(wrong);
    } catch (error) {
      this.form.tell(error.message);
    }
  }

  // A preset is a material of the scene first; of a body that is refused, nothing is left waiting.
  async #sendWith(preset, order, answered) {
    const { simulation } = this.app;
    const path = `materials.${quoted(preset)}`;
    const { live: before } = await getJson("state");
    const refused = await simulation.try({ do: "set", path, toml: tableOf({ preset: quoted(preset) }) }, true);
    if (refused) return refused;
    const wrong = await this.send(order, answered);
    if (wrong) await simulation.try(before.for_restart ? { do: "remove", path } : { do: "forget" }, true);
    return wrong;
  }

  async #shape() {
    const make_ = starts[this.shape.value] ?? others[this.shape.value];
    if (!make_) return this.#points();
    const center = this.#numbers(this.center);
    if (!center) throw new Error(`The centre must be ${this.scene.dimension} numbers, as in ${JSON.stringify([0.5, 0.5, 0.5].slice(0, this.scene.dimension))}.`);
    const size = this.#across;
    if (!size) throw new Error('The size must be a length above 0, as in 0.15 or "15 cm".');
    return { shape: tableOf(make_(center, size)) };
  }

  // Points of a file of the reader's machine: the program keeps them in the run folder.
  async #points() {
    const [file] = this.file.files;
    if (!file) throw new Error("Choose a CSV file: one line of numbers per particle.");
    const csv = await file.text();
    const d = this.scene.dimension;
    const points = pointsIn(csv, d);
    if (points.length < d + 1) throw new Error(`${file.name} needs at least ${d + 1} lines of ${d} numbers.`);
    const { file: path } = await this.app.upload(csv);
    return { shape: shapeAround(points), sampling: quoted("file"), points: quoted(path) };
  }
}
