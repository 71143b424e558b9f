// Any part of a scene but bodies and events, by form: with all that it cannot do without. Its other values are in the panel then.
import { choiceOf, field, make } from "./dom.js";
import { Form, rowOf } from "./form.js";
import { finenessOf, matterOf, namesOf, startOf } from "./matter.js";
import { unitText } from "./numbers.js";
import { others, starts } from "./shapes.js";
import { asToml, quoted, tableOf, vectorOf } from "./toml.js";

// Beside what is always required: one of these has to be given, or is what the part is for. Of a probe it depends on its type.
const wanted = {
  expect: ["min", "max"],
  explosion: ["radius", "time"],
  probe: {
    force: ["on"],
    particle: ["at"],
    region: ["shape"],
    front: ["axis", "body", "shape"],
    mean: ["column", "body", "shape"],
    count: ["column", "above", "body", "shape"],
    pieces: ["body"],
  },
};
// What can be left out is so at first, but for these.
const needed = { probe: { force: ["on"], region: ["shape"], mean: ["column"], count: ["column"] }, grip: ["shape"] };

export class AddPart {
  constructor(send, added) {
    this.send = send;
    this.added = added;
    this.form = new Form(() => this.#add());
  }

  show(scene, panel, forms) {
    this.forms = forms;
    this.dimension = scene.dimension;
    Object.assign(this, startOf(scene));
    this.count = (list) => panel.filter(({ path }) => path.startsWith(`${list}.`)).length;
    this.matter = matterOf(panel);
    this.bodies = namesOf(panel, "body");
    const own = scene.materials.map(({ name }) => name);
    const first = this.matter[0]?.material;
    this.names = {
      on: [...namesOf(panel, "collider"), ...namesOf(panel, "grip"), ...forms.walls],
      column: forms.quantities,
      body: this.bodies,
      material: [...own.filter((name) => name === first), ...own.filter((name) => name !== first)],
    };
    // Events have a form of their own, with a time.
    this.what = choiceOf("Part", Object.keys(forms.lists).filter((list) => list !== "body" && list !== "event"));
    this.what.addEventListener("change", () => this.#fill());
    this.#fill();
  }

  #of(table, type) {
    const fields = table[this.what.value] ?? [];
    return Array.isArray(fields) ? fields : (fields[type] ?? []);
  }

  #fill(type) {
    const list = this.what.value;
    const { doc, fields } = this.forms.lists[list];
    this.what.title = doc;
    const kinds = fields.find((f) => f.path === "type")?.choices;
    const chosen = kinds && (type ?? kinds[0]);
    const asked = this.#of(wanted, chosen);
    const shown = (f) => f.level === 0 && (f.required || f.path === "name" || asked.includes(f.path) || (f.kind === "variant" && !kinds && !f.path.includes(".")));
    this.inputs = fields.filter(shown).map((f) => ({ f, input: this.#input(list, f, f.required || this.#of(needed, chosen).includes(f.path), chosen) }));
    // Whatever is filled in again tells that it has changed, also to what it is already.
    const fillAnew = ({ target }) => target.value !== chosen && this.#fill(target.value);
    for (const { f, input } of this.inputs) if (f.path === "type") input.addEventListener("change", fillAnew);
    const go = make("button", { textContent: "add", title: "It is added at the next restart" });
    const unitOf = ({ unit }) => (unit ? ` ${unitText(unit)}` : "");
    const labelled = ({ f, input }) => make("label", { className: "given" }, f.path, " ", input, unitOf(f));
    this.form.fill(rowOf(this.what, ...this.inputs.map(labelled), go));
  }

  #input(list, f, must, type) {
    const label = `${list} ${f.path}`;
    const names = f.kind === "text" ? this.names[f.path] : f.choices;
    let input;
    if (names) {
      const options = names.map((n) => new Option(n, n, false, n === type));
      if (!must && f.kind !== "choice") options.unshift(new Option(f.path === "body" ? "all matter" : "everywhere", ""));
      // A grip may have the region of a body.
      if (list === "grip" && this.bodies.length) options.push(make("optgroup", { label: "that of a body" }, ...this.bodies.map((n) => new Option(n, `body ${n}`))));
      input = choiceOf(label, options);
    } else {
      input = field(label, make("input", { placeholder: f.path, value: this.#start(list, f, type), size: f.kind === "vector" ? 14 : 10 }));
    }
    input.title = f.doc;
    return input;
  }

  // What can be told beforehand.
  #start(list, f, type) {
    const number = this.count(list) + 1;
    if (f.path === "name" && f.required) return list === "probe" ? `${type}${number}` : `${list} ${number}`;
    if (list === "expect" && f.path === "value") return "max(kinetic)";
    if (f.path === "at" || f.path === "center") return vectorOf(this.middle);
    if (list === "source" && f.path === "velocity") return vectorOf(this.middle.map((_, i) => (i ? 0 : 1)));
    if (list === "explosion" && f.path === "radius") return String(Number((this.size / 2).toPrecision(2)));
    return "";
  }

  async #add() {
    const list = this.what.value;
    const entries = {};
    for (const { f, input } of this.inputs) {
      if (input.value.trim() === "") continue;
      if (f.kind === "variant" && input.value.startsWith("body ")) entries.body = quoted(input.value.slice(5));
      else entries[f.path] = f.kind === "variant" ? this.#shape(input.value) : asToml(input.value, f.kind);
    }
    if (list === "source") Object.assign(entries, finenessOf(this.matter, JSON.parse(entries.material)));
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
