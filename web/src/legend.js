// What the colours mean.
import { choiceOf, make } from "./dom.js";
import { short } from "./numbers.js";

// What the ends of a scale are of.
export const ranges = { frame: "this frame", seen: "frames seen so far", fixed: "fixed" };

const titleOf = ({ title, unit }) => (unit ? `${title} (${unit})` : title);

export class Legend {
  // choose(range): the user wants the scale to be of that.
  constructor(box, choose) {
    this.box = box;
    this.range = choiceOf("Range of the colours", Object.entries(ranges).map(([value, text]) => new Option(text, value)));
    this.range.title = "What sets the ends of the scale";
    this.range.addEventListener("change", () => choose(this.range.value));
  }

  // `items`: [{ name, color }], for things that are counted; else a scale { title, unit, low, high, range, colors }.
  // `notes`: lines of text below.
  show({ items, scale, notes = [] }) {
    this.box.hidden = !(items?.length || scale || notes.length);
    const shape = JSON.stringify([items, scale && [titleOf(scale), scale.meaning, scale.colors], notes]);
    if (shape !== this.shape) this.#build({ items, scale, notes });
    this.shape = shape;
    if (!scale) return;
    this.ends.forEach((end, i) => (end.textContent = short(i ? scale.high : scale.low, 3)));
    this.range.value = scale.range;
  }

  #build({ items, scale, notes }) {
    const entry = ({ name, color }) => {
      const dot = make("i");
      dot.style.background = color;
      return make("div", { className: "entry" }, dot, name);
    };
    const parts = (items ?? []).map(entry);
    if (scale) {
      const strip = make("span", { className: "strip" });
      strip.style.background = `linear-gradient(to right, ${scale.colors.join(",")})`;
      this.ends = [0, 1].map(() => make("span", { className: "end" }));
      parts.push(make("span", { textContent: titleOf(scale), title: scale.meaning }), this.ends[0], strip, this.ends[1], this.range);
    }
    this.box.replaceChildren(...parts, ...notes.map((note) => make("div", { className: "note", textContent: note })));
  }
}

// The same on a picture that is saved.
export function drawLegend(context, { items, scale }, ink, height) {
  context.save();
  context.font = "14px system-ui, sans-serif";
  context.fillStyle = ink;
  if (scale) {
    const [left, top, width] = [20, height - 56, 260];
    const gradient = context.createLinearGradient(left, 0, left + width, 0);
    scale.colors.forEach((color, i) => gradient.addColorStop(i / (scale.colors.length - 1), color));
    context.fillText(`${titleOf(scale)}, range: ${ranges[scale.range]}`, left, top - 6);
    context.fillText(short(scale.low, 3), left, top + 30);
    context.textAlign = "right";
    context.fillText(short(scale.high, 3), left + width, top + 30);
    context.fillStyle = gradient;
    context.fillRect(left, top, width, 12);
  }
  (items ?? []).forEach(({ name, color }, i) => {
    const y = height - 20 - 20 * (items.length - 1 - i);
    context.fillStyle = color;
    context.fillRect(20, y - 11, 12, 12);
    context.fillStyle = ink;
    context.fillText(name, 40, y);
  });
  context.restore();
}
