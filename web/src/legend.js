// What the colours mean.

import { short } from "./numbers.js";

// `items`: [{ name, color }], for things that are counted; else a scale { title, unit, low, high, colors }.
// `notes`: lines of text below.
export function showLegend(box, { items, scale, notes = [] }) {
  box.replaceChildren();
  box.hidden = !(items?.length || scale || notes.length);
  if (items) {
    for (const { name, color } of items) {
      const row = document.createElement("div");
      row.className = "entry";
      const dot = document.createElement("i");
      dot.style.background = color;
      row.append(dot, name);
      box.append(row);
    }
  }
  if (scale) {
    const text = (className, textContent) => Object.assign(document.createElement("span"), { className, textContent });
    const strip = text("strip", "");
    strip.style.background = `linear-gradient(to right, ${scale.colors.join(",")})`;
    const title = scale.unit ? `${scale.title} (${scale.unit})` : scale.title;
    box.append(text("what", title), text("end", short(scale.low, 3)), strip, text("end", short(scale.high, 3)));
  }
  for (const note of notes) box.append(Object.assign(document.createElement("div"), { className: "note", textContent: note }));
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
    context.fillText(scale.unit ? `${scale.title} (${scale.unit})` : scale.title, left, top - 6);
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
