// The panel of every value of the scene, made from what the program says of each: one row a value, changed as soon as it is typed in.
// A wrong value stays where it is, with what the scene's reader says of it.
import { make } from "./dom.js";
import { unitText } from "./numbers.js";
import { asShown, asToml, hexOf, quoted, tableOf } from "./toml.js";

const badges = {
  live: ["●", "now", "Takes effect at once."],
  "next frame": ["▸", "soon", "Takes effect from the next frame on."],
  "after restart": ["↻", "later", "Takes effect after a restart."],
};

// What variants need that have no default: something that can be seen, and changed then.
const starters = {
  polygon: { points: "[[0, 0], [0.3, 0], [0.15, 0.3]]" },
  heightfield: { heights: "[0.1, 0.2, 0.1]" },
};

const lastOf = (path) => path.slice(path.lastIndexOf(".") + 1);
const depthOf = (path) => path.split(".").length;

export class Values {
  // send(order, settled): tells settled() what is wrong, or nothing; waiting(): whether changes wait for the next frame;
  // ended(): whether none will come any more
  constructor(send, { waiting, ended }) {
    this.send = send;
    this.waiting = waiting;
    this.ended = ended;
    this.box = make("div");
  }

  // What the user has typed and what is open stay, whatever changes around it.
  show(panel, forms) {
    this.forms = forms;
    const opened = new Set([...this.box.querySelectorAll("details[open]")].map((d) => d.dataset.path));
    const kept = (row) => row.unsent || (row.sent && this.waiting());
    const typed = new Map([...this.box.querySelectorAll("[data-row]")].filter(kept).map((r) => [r.dataset.row, r]));
    const active = this.box.contains(document.activeElement) ? document.activeElement : null;
    const selection = active?.selectionStart ?? null;
    for (const row of typed.values()) row.gone = true;
    this.titles = new Map(panel.map(({ path, title }) => [path, title]));
    this.rows = new Map(panel.flatMap(({ fields }) => fields.map((f) => [f.path, f])));
    this.box.replaceChildren(...panel.map((section) => this.#section(section, opened)));
    for (const [path, old] of typed) this.#row(path)?.keep(old);
    const label = active?.getAttribute("aria-label");
    const again = label && this.box.querySelector(`[aria-label="${CSS.escape(label)}"]`);
    if (!again) return;
    again.focus();
    if (selection !== null) again.setSelectionRange?.(selection, selection);
  }

  #row(path) {
    return this.box.querySelector(`[data-row="${CSS.escape(path)}"]`);
  }

  // Opens the section of a part and shows it.
  reveal(path) {
    const section = this.box.querySelector(`details[data-path="${CSS.escape(path)}"]`);
    if (!section) return;
    section.open = true;
    section.scrollIntoView({ block: "nearest" });
  }

  #section({ title, path, doc, fields, optional }, opened) {
    const head = make("summary", { title: doc }, title);
    const details = make("details", { open: opened.has(path) }, head);
    details.dataset.path = path;
    if (fields.some((f) => "now" in f)) head.append(make("b", { textContent: " changed", className: "pending" }));
    if (optional) head.append(this.#cross(`Remove ${title}`, { do: "remove", path }, details));
    // Its rows are made when they are looked at: a scene may have thousands.
    const fill = () => {
      if (details.open && !details.querySelector(":scope > .row")) details.append(...fields.map((f) => this.#field(f, path)));
    };
    details.addEventListener("toggle", fill);
    fill();
    return details;
  }

  #cross(title, order, row) {
    const cross = make("button", { type: "button", className: "cross", textContent: "×", title });
    cross.addEventListener("click", async (event) => {
      event.preventDefault();
      this.send(order, (wrong) => this.#tell(row, wrong && `Cannot be removed: ${wrong}`));
    });
    return cross;
  }

  // Says beside a row what is wrong with it.
  #tell(row, wrong) {
    row.querySelector(":scope > .why")?.remove();
    row.classList.toggle("wrong", Boolean(wrong));
    // A value is beside its own message, whatever event would have changed it.
    if (!wrong) return;
    const named = wrong.replaceAll(/\bevent\.\d+\.(set\.|(?=gravity\b))/g, "").replaceAll(/\b([a-z]+\.\d+)\b(\.?)/g, (all, path, dot) => (this.titles.has(path) ? this.titles.get(path) + (dot && ": ") : all));
    const why = make("p", { className: "why", role: "alert", textContent: named });
    if (!row.matches("details")) return row.append(why);
    row.open = true;
    row.firstElementChild.after(why);
    why.scrollIntoView({ block: "nearest" });
  }

  // Values that were refused give way to those of the scene when the panel is made anew.
  forgetWrong() {
    for (const row of this.box.querySelectorAll(".wrong")) {
      row.unsent = false;
      this.#tell(row, "");
    }
  }

  #field(f, above) {
    const row = make("div", { className: "row field" });
    row.dataset.row = f.path;
    row.style.setProperty("--level", f.level);
    const name = f.path === above ? "model" : f.path.slice(above.length + 1).split(".").slice(f.level ? -1 : 0).join(".");
    const [sign, className, when] = badges[f.acts];
    const now = "now" in f ? `\nNow, until a restart: ${f.now ?? "not given"}.` : "";
    const label = make("label", { textContent: name, title: `${f.path}: ${f.doc}\n${when}${now}` });
    const badge = make("i", { className, title: when, textContent: sign });
    const input = this.#input(f, row);
    if ("now" in f) row.classList.add("changed");
    row.classList.toggle("wide", ["vector", "formula", "values", "text"].includes(f.kind) && (f.text?.length ?? 0) > 12);
    row.append(label, input);
    if (f.optional && f.text !== null && ["part", "variant", "item"].includes(f.kind)) row.append(this.#cross(`Remove ${f.path}`, { do: "remove", path: f.path }, row));
    row.append(make("span", { textContent: unitText(f.unit), title: f.unit }), badge);
    row.keep = (old) => {
      const from = old.querySelector("input, select");
      const to = row.querySelector("input, select");
      if (from && to) to.value = from.value;
      row.unsent = old.unsent;
      row.sent = old.sent;
      row.typed = old.typed;
      const why = old.querySelector(":scope > .why");
      if (why) this.#tell(row, why.textContent);
    };
    return row;
  }

  #input(f, row) {
    const change = (order) =>
      this.send(order, (wrong) => {
        const now = this.#row(f.path) ?? row; // the panel may have been made anew meanwhile
        now.unsent = Boolean(wrong);
        now.sent = !wrong && order.do === "event";
        this.#tell(now, wrong);
      });
    if (f.kind === "list") return this.#adder(f, change);
    if (f.kind === "item") return make("em", { textContent: "" });
    if (f.kind === "part") return this.#part(f, change);
    if (f.kind === "variant") return this.#variant(f, change);
    let input;
    if (f.kind === "choice" || f.kind === "boolean") {
      const shown = asShown(f.text, f.kind);
      const options = (f.choices ?? ["true", "false"]).map((c) => new Option(c, c, false, c === shown));
      if (f.text === null) options.unshift(new Option("not given", "", true, true));
      input = make("select", {}, ...options);
      input.addEventListener("change", () => change(this.#order(f, input.value)));
    } else {
      input = make("input", { value: asShown(f.text, f.kind), placeholder: "not given", title: f.text ?? "", spellcheck: false });
      input.addEventListener("input", () => {
        row.unsent = row.typed = true;
      });
      // Once. To a browser, an input that is taken away in the midst of typing has changed, and the one that takes over its text has not.
      const give = () => {
        if (!row.typed || row.gone) return;
        row.typed = false;
        change(this.#order(f, input.value));
      };
      for (const kind of ["change", "blur"]) input.addEventListener(kind, give);
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter") give();
        if (event.key !== "Escape") return;
        row.typed = false;
        input.value = asShown(f.text, f.kind);
        row.unsent = false;
        this.#tell(row, "");
        input.blur();
      });
    }
    input.setAttribute("aria-label", f.path);
    return f.kind === "vector" && lastOf(f.path) === "color" ? this.#color(f, input, change) : input;
  }

  // The numbers, and the colour itself to be picked.
  #color(f, input, change) {
    const picker = make("input", { type: "color", value: hexOf(f.text), title: "Pick it" });
    picker.setAttribute("aria-label", `${f.path}: pick`);
    picker.addEventListener("change", () => change(this.#order(f, picker.value)));
    return make("span", { className: "color" }, input, picker);
  }

  // An empty input is a value left out, so that its default holds. Gravity and a material's parameters change by an event, while there is a
  // next frame.
  #order(f, text) {
    if (f.acts === "next frame" && !this.ended()) {
      if (text.trim() === "") return { do: "remove", path: f.path };
      if (f.path === "scene.gravity") return { do: "event", toml: tableOf({ gravity: asToml(text, f.kind) }) };
      const [, material, parameter] = f.path.match(/^materials\.(.+)\.([^.]+)$/);
      const name = material.startsWith('"') ? material : quoted(material);
      return { do: "event", toml: tableOf({ material: name, set: tableOf({ [parameter]: asToml(text, f.kind) }) }) };
    }
    if (text.trim() === "" && f.kind !== "text") return { do: "remove", path: f.path };
    return { do: "set", path: f.path, toml: asToml(text, f.kind) };
  }

  #part(f, change) {
    if (f.text !== null) return make("em", { textContent: "given" });
    const button = make("button", { type: "button", textContent: "give", title: "With its default values, if it has any" });
    button.addEventListener("click", () => change({ do: "set", path: f.path, toml: lastOf(f.path) === "domain" ? this.domain : "{}" }));
    return button;
  }

  #variant(f, change) {
    const options = f.choices.map((c) => new Option(c, c, false, c === f.text));
    if (f.text === null) options.unshift(new Option("not given", "", true, true));
    const select = make("select", {}, ...options);
    if (f.variant === "material") {
      const presets = this.forms.presets.map((p) => Object.assign(new Option(p.name, `preset ${p.name}`), { title: p.doc }));
      select.append(make("optgroup", { label: "presets" }, ...presets));
    }
    select.setAttribute("aria-label", f.path);
    select.addEventListener("change", () => {
      const [, preset] = select.value.match(/^preset (.*)$/) ?? [];
      change({ do: "set", path: f.path, toml: preset ? tableOf({ preset: quoted(preset) }) : this.#become(f, select.value) });
    });
    return select;
  }

  // Another variant takes over what both have, and a shape made of shapes the one that was there.
  #become(f, name) {
    const variant = this.forms.variants[f.variant].find((v) => v.name === name);
    const entries = { [variant.tag]: quoted(name), ...starters[name] };
    for (const { path: key, kind, level } of variant.fields) {
      const own = this.rows.get(`${f.path}.${key}`);
      if (level > 0 || key in entries) continue;
      if (key === "of" && f.toml) entries.of = own?.toml ?? (kind === "list" ? `[${f.toml}]` : f.toml);
      else if (own && own.kind === kind && own.text !== null && kind !== "list") entries[key] = own.text;
    }
    return tableOf(entries);
  }

  #adder(f, change) {
    const first = new Option(`${f.text} of them; add …`, "", true, true);
    const names = f.variant ? f.choices : ["one more"];
    const select = make("select", {}, first, ...names.map((n) => new Option(n)));
    select.setAttribute("aria-label", `${f.path}: add`);
    select.addEventListener("change", () => {
      const items = [...this.rows.values()].filter((r) => r.path.startsWith(`${f.path}.`) && depthOf(r.path) === depthOf(f.path) + 1);
      const toml = f.variant ? tableOf({ type: quoted(select.value), ...starters[select.value] }) : (items.at(-1)?.toml ?? "{}");
      change({ do: "add", path: f.path, toml });
      first.selected = true;
    });
    return select;
  }
}
