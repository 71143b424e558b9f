// All columns of the particle that was picked.
import { unitText } from "./numbers.js";
import { getJson } from "./server.js";

const digits = (value) => (value === null ? "not a number" : Number.isInteger(value) ? String(value) : value.toPrecision(6));

// Flat matter is a slab of one metre.
const unitOf = (unit, dimension) => (unit === "m^3" && dimension === 2 ? `${unitText(unit)}, 1 m thick` : unitText(unit));

// Gives its id.
export async function showParticle(box, question, dimension) {
  const { columns, matter, time, frame, row } = await getJson(question);
  const id = columns.find((c) => c.name === "id")?.values[0] ?? row;
  const title = Object.assign(document.createElement("h2"), { textContent: `Particle ${id}` });
  const about = Object.assign(document.createElement("p"), { textContent: `${matter ?? ""}; frame ${frame}, t = ${time.toFixed(4)} s` });
  const table = document.createElement("table");
  for (const { name, unit, components, values } of columns)
    values.forEach((value, i) => {
      const line = table.insertRow();
      line.insertCell().textContent = values.length > 1 ? (components[i] ?? `${name} ${i}`) : name;
      line.insertCell().textContent = digits(value);
      line.insertCell().textContent = unitOf(unit, dimension);
    });
  box.replaceChildren(title, about, table);
  return id;
}
