// Changes of a simulation that goes on: every value of its scene, pushes, bodies that are added; and where its time goes.
import { getJson } from "./server.js";

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

const badges = { "next frame": "acts from the next frame on", "after restart": "acts after a restart" };

// What a field's input says, as the program takes it: a number, a list, or a text such as "140 kPa".
export function valueOf(text, kind) {
  if (kind === "choice" || kind === "text") return text;
  if (kind === "boolean") return text === "true";
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const rangeOf = ({ low, high, low_open, high_open, why }) => {
  const ends = [];
  if (low !== undefined) ends.push(`${low_open ? "above" : "at least"} ${low}`);
  if (high !== undefined) ends.push(`${high_open ? "below" : "at most"} ${high}`);
  return ends.length ? `${ends.join(", ")}${why ? ` (${why})` : ""}` : "";
};

// The start shapes that can be added, with what they need beside their place.
const shapes = {
  box: (size) => ({ size: [size, size, size] }),
  sphere: (size) => ({ radius: size / 2 }),
  cylinder: (size) => ({ radius: size / 2, height: size, axis: [0, 1, 0] }),
  torus: (size) => ({ radius: size / 2, tube: size / 6 }),
  star: (size) => ({ outer: size / 2, inner: size / 4, depth: size / 3 }),
};

export class Steer {
  constructor(box, app) {
    this.box = box;
    this.app = app;
  }

  async open(scene) {
    this.scene = scene;
    if (!scene.live) return;
    const opened = new Set([...this.box.querySelectorAll("details[open]")].map((d) => d.dataset.path));
    const panel = await getJson("panel");
    this.stages = make("div", { className: "bars" });
    this.pending = make("p", { className: "pending", hidden: true });
    this.box.replaceChildren(
      this.pending,
      make("h2", { textContent: "Push" }),
      this.#push(scene),
      make("h2", { textContent: "Add a body" }),
      this.#add(scene, panel),
      make("h2", { textContent: "Values of the scene" }),
      ...panel.map((section) => this.#section(section, opened)),
      make("h2", { textContent: "Where the time goes" }),
      this.stages,
    );
  }

  #push(scene) {
    const body = make("select", { ariaLabel: "Body" }, ...scene.matter.map(({ name }) => new Option(name)));
    const velocity = make("input", { value: scene.dimension === 2 ? "[0, 1]" : "[0, 1, 0]", size: 12, ariaLabel: "Velocity" });
    const go = make("button", { textContent: "push", title: "Adds this velocity to the body, from the next frame on" });
    go.addEventListener("click", () => this.app.send({ do: "event", event: { body: body.value, velocity: valueOf(velocity.value, "vector") } }));
    const hint = make("p", { textContent: "Or hold shift and drag at the matter itself." });
    return make("div", {}, make("div", { className: "row" }, body, velocity, make("span", { textContent: "m/s" }), go), hint);
  }

  #add(scene, panel) {
    const size = scene.region.max[1] - scene.region.min[1];
    const middle = scene.region.min.map((low, i) => Number(((low + scene.region.max[i]) / 2).toPrecision(3)));
    const shape = make("select", { ariaLabel: "Shape" }, ...Object.keys(shapes).map((name) => new Option(name)));
    const material = make("select", { ariaLabel: "Material" }, ...scene.materials.map(({ name }) => new Option(name)));
    const center = make("input", { value: JSON.stringify(middle.slice(0, scene.dimension)), size: 12, ariaLabel: "Centre" });
    const large = make("input", { value: Number((size / 4).toPrecision(2)), size: 5, ariaLabel: "Size" });
    const go = make("button", { textContent: "add", title: "Adds the body; acts after a restart" });
    go.addEventListener("click", () => {
      const own = shapes[shape.value](Number(large.value));
      if (own.size) own.size.length = scene.dimension;
      if (scene.dimension === 2) delete own.axis;
      const names = panel.filter((s) => s.path.startsWith("body.")).length;
      const body = { name: `added ${names + 1}`, material: material.value, shape: { type: shape.value, center: JSON.parse(center.value), ...own } };
      this.app.send({ do: "body", body });
    });
    return make("div", { className: "row" }, shape, make("span", { textContent: "of" }), material, make("span", { textContent: "at" }), center, large, make("span", { textContent: "m" }), go);
  }

  #section({ title, path, doc, fields }, opened) {
    const details = make("details", { open: opened.has(path) }, make("summary", { textContent: title, title: doc }));
    details.dataset.path = path;
    for (const field of fields) details.append(this.#row(field, field.path.slice(path.length + 1)));
    return details;
  }

  #row(field, name) {
    const { path, unit, doc, kind, text, choices, acts } = field;
    const range = rangeOf(field);
    const label = make("label", { textContent: name, title: [doc, range && `Range: ${range}.`, `It ${badges[acts]}.`].filter(Boolean).join("\n") });
    const shown = text === null ? "" : kind === "text" || kind === "choice" ? text.replace(/^"|"$/g, "") : text;
    let input;
    if (kind === "choice" || kind === "boolean") {
      input = make("select", {}, ...(choices ?? ["true", "false"]).map((c) => new Option(c, c, false, c === shown)));
    } else {
      input = make("input", { value: shown, placeholder: text === null ? "not given" : "", disabled: kind === "other" || kind === "settings" });
    }
    input.setAttribute("aria-label", path);
    input.addEventListener("change", async () => {
      const taken = await this.#change(path, valueOf(input.value, kind), acts);
      input.classList.toggle("wrong", !taken);
      input.classList.toggle("changed", taken);
    });
    const badge = make("i", { className: acts === "next frame" ? "soon" : "later", title: badges[acts], textContent: acts === "next frame" ? "▸" : "↻" });
    return make("div", { className: "row field" }, label, input, make("span", { textContent: unit }), badge);
  }

  // A material's parameter is an event of its own; everything else waits for a restart.
  #change(path, value, acts) {
    if (acts !== "next frame") return this.app.send({ do: "set", path, value });
    const [, material, parameter] = path.match(/^materials\.(.+)\.([^.]+)$/);
    return this.app.send({ do: "event", event: { material: material.replaceAll('"', ""), set: { [parameter]: value } } });
  }

  update(state) {
    if (!this.stages || !state.live || this.box.hidden) return;
    const { waiting, for_restart: later } = state.live;
    const parts = [];
    if (waiting) parts.push(`${waiting} at the next frame`);
    if (later) parts.push(`${later} after a restart (R)`);
    this.pending.hidden = !parts.length;
    this.pending.textContent = `Changes that wait: ${parts.join(", ")}.`;
    const sum = state.live.stages.reduce((all, s) => all + s.seconds, 0) || 1;
    this.stages.replaceChildren(
      ...state.live.stages.map(({ name, seconds }) => {
        const part = `${((100 * seconds) / sum).toFixed(1)} %`;
        const row = make("div", {}, make("span", { textContent: name }), make("span", { textContent: part }));
        row.style.setProperty("--part", part.replace(" ", ""));
        return row;
      }),
    );
  }
}
