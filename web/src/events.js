// What can happen to a simulation while it goes on: the events of the scene's format, by form.
import { choiceOf, field, make } from "./dom.js";
import { Form, rowOf } from "./form.js";
import { namesOf } from "./matter.js";
import { unitText } from "./numbers.js";
import { asToml, quoted, tableOf } from "./toml.js";

const all = "all matter";

export class Events {
  // send(order): resolves to what is wrong, or nothing.
  constructor(send) {
    this.send = send;
    this.form = new Form(() => this.#apply());
  }

  show(scene, panel, forms) {
    const liquid = scene.method === "liquid";
    const bodies = namesOf(panel, "body");
    const solids = [...namesOf(panel, "grip"), ...namesOf(panel, "collider")];
    const materials = scene.materials.map(({ name }) => name);
    const laws = new Map(panel.filter(({ path }) => path.startsWith("materials.")).map(({ path, fields }) => [path, fields.filter((f) => f.acts === "next frame")]));
    const gravity = panel.flatMap(({ fields }) => fields).find(({ path }) => path === "scene.gravity");
    const docs = Object.fromEntries(forms.lists.event.fields.map(({ path, doc }) => [path, doc]));
    this.kinds = {
      "push a body": [this.#choice("body", "Body", [...bodies, all]), this.#text("velocity", "Velocity", scene.dimension === 2 ? "[0, 1]" : "[0, 1, 0]", "m/s", "formula")],
      "gravity changes": [this.#text("gravity", "Gravity", gravity.text, unitText(gravity.unit), "vector")],
      "a parameter changes": !liquid && [this.#parameter(materials, [...laws.values()])],
      "a body becomes": !liquid && bodies.length && [this.#choice("body", "Body that changes", bodies), this.#choice("material", "Its new material", materials), this.#tick("reset", "and its shape becomes its rest shape")],
      "a body forgets its strain": !liquid && bodies.length && [this.#choice("body", "Body that forgets", bodies), { element: make("span"), entries: () => ({ reset: "true" }) }],
      "switch off grips, colliders": solids.length && [this.#several("release", "Grips and colliders to switch off", solids)],
      "switch on grips, colliders": solids.length && [this.#several("enable", "Grips and colliders to switch on", solids)],
    };
    const known = Object.keys(this.kinds).filter((k) => this.kinds[k]);
    this.what = choiceOf("What happens", known);
    this.what.addEventListener("change", () => this.#fill(docs));
    this.#fill(docs);
  }

  #fill(docs) {
    const parts = this.kinds[this.what.value];
    for (const { key, element } of parts) if (docs[key]) element.title = docs[key];
    this.time = field("When", make("input", { placeholder: "next frame", size: 8, title: `${docs.time} With a time it happens after a restart.` }));
    const go = make("button", { textContent: "apply", title: "It becomes an event of the scene" });
    this.form.fill(rowOf(this.what, ...parts.map((p) => p.element), make("span", { className: "whole" }, "at ", this.time, " s"), go));
  }

  async #apply() {
    const entries = Object.assign({}, ...this.kinds[this.what.value].map((p) => p.entries()));
    const time = this.time.value.trim();
    const order = time ? { do: "add", path: "event", toml: tableOf({ time: asToml(time, "number"), ...entries }) } : { do: "event", toml: tableOf(entries) };
    const wrong = await this.send(order);
    this.form.tell(wrong.replaceAll(/\bevent\.\d+\.(set\.)?/g, ""));
  }

  #choice(key, label, options) {
    const element = choiceOf(label, options);
    return { key, element, entries: () => (element.value === all ? {} : { [key]: quoted(element.value) }) };
  }

  #text(key, label, value, unit, kind) {
    const input = field(label, make("input", { value, size: 12, required: true }));
    return { key, element: make("span", { className: "whole" }, input, ` ${unit}`), entries: () => ({ [key]: asToml(input.value, kind) }) };
  }

  #tick(key, label) {
    const input = field(label, make("input", { type: "checkbox" }));
    return { key, element: make("label", {}, input, label), entries: () => (input.checked ? { [key]: "true" } : {}) };
  }

  #several(key, label, names) {
    const element = field(label, make("select", { multiple: true, size: Math.min(4, names.length) }, ...names.map((n, i) => new Option(n, n, false, i === 0))));
    return { key, element, entries: () => ({ [key]: `[${[...element.selectedOptions].map((o) => quoted(o.value)).join(", ")}]` }) };
  }

  // A material, one of its parameters, and the value.
  #parameter(materials, laws) {
    const material = choiceOf("Material that changes", materials);
    const parameter = choiceOf("Parameter", []);
    const value = field("New value", make("input", { size: 8, required: true }));
    const unit = make("span");
    const chosen = () => laws[material.selectedIndex]?.find((f) => f.path.endsWith(`.${parameter.value}`));
    const fillValue = () => {
      const f = chosen();
      value.value = f?.text ?? "";
      value.given = false;
      unit.textContent = unitText(f?.unit ?? "");
      parameter.title = f?.doc ?? "";
    };
    const fill = () => {
      parameter.replaceChildren(...(laws[material.selectedIndex] ?? []).map((f) => new Option(f.path.slice(f.path.lastIndexOf(".") + 1))));
      fillValue();
    };
    material.addEventListener("change", fill);
    parameter.addEventListener("change", fillValue);
    fill();
    const element = make("span", { className: "unit" }, material, parameter, make("span", { className: "whole" }, value, " ", unit));
    return { key: "set", element, entries: () => ({ material: quoted(material.value), set: tableOf({ [parameter.value]: asToml(value.value, chosen()?.kind) }) }) };
  }
}
