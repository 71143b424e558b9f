// Values as the scene file writes them.

export const quoted = (text) => JSON.stringify(text);

// What an input says, as the scene file would have it: a text stands in quotes, and so does a number with its unit.
export function asToml(text, kind) {
  const trimmed = text.trim();
  if (kind === "text" || kind === "choice") return quoted(text);
  if (kind === "number" || kind === "integer") return /^[-+]?(\d|inf|nan)/.test(trimmed) && !Number.isNaN(Number(trimmed)) ? trimmed : quoted(trimmed);
  if (kind === "vector" && /^#[0-9a-f]{6}$/i.test(trimmed)) return colorOf(trimmed);
  // A list needs no brackets; a lone expression or number with a unit stands in quotes.
  if (kind === "formula" || kind === "vector") {
    if (/^["'[]/.test(trimmed) || !Number.isNaN(Number(trimmed))) return trimmed;
    const items = itemsOf(trimmed);
    return items.length > 1 ? `[${items.map((item) => asToml(item, "number")).join(", ")}]` : quoted(trimmed);
  }
  return trimmed;
}

// Parts between commas that stand in no brackets; between spaces, where all are numbers.
function itemsOf(text) {
  const words = text.split(/\s+/);
  if (words.every((word) => word !== "" && !Number.isNaN(Number(word)))) return words;
  const items = [""];
  let depth = 0;
  for (const c of text) {
    depth += "([".includes(c) - ")]".includes(c);
    if (c === "," && depth === 0) items.push("");
    else items[items.length - 1] += c;
  }
  return items.map((item) => item.trim()).filter((item) => item);
}

// #rrggbb as red, green and blue from 0 to 1, and back.
const colorOf = (hex) => vectorOf([1, 3, 5].map((at) => Number((parseInt(hex.slice(at, at + 2), 16) / 255).toFixed(3))));
export function hexOf(toml) {
  const numbers = lengthsOf(toml ?? "");
  return numbers?.length === 3 ? `#${numbers.map((v) => Math.round(255 * Math.min(1, Math.max(0, v))).toString(16).padStart(2, "0")).join("")}` : "#888888";
}

// Numbers in metres of a text such as "[0.5, 1]", "0.5 1" or "15 cm, 20 mm"; null where it is something else.
const metres = { "": 1, m: 1, cm: 0.01, mm: 0.001, um: 1e-6, km: 1000 };
export function lengthsOf(text) {
  const number = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/i;
  const numbers = [];
  for (let rest = text.replaceAll(/[[\]"',]/g, " ").trim(); rest; ) {
    const [value] = rest.match(number) ?? [];
    const [all, unit] = value ? rest.slice(value.length).match(/^\s*([a-z]*)(?:\s+|$)/i) ?? [] : [];
    if (all === undefined || !(unit in metres)) return null;
    numbers.push(Number((Number(value) * metres[unit]).toPrecision(12)));
    rest = rest.slice(value.length + all.length).trim();
  }
  return numbers;
}

// What an input shows of it.
export const asShown = (toml, kind) => (toml === null ? "" : kind === "text" || kind === "choice" ? unquoted(toml) : toml);

function unquoted(toml) {
  try {
    return JSON.parse(toml);
  } catch {
    return toml.replace(/^"|"$/g, "");
  }
}

// { name = "ball", size = [1, 1] } of { name: '"ball"', size: "[1, 1]" }.
export const tableOf = (entries) => `{ ${Object.entries(entries).map(([key, toml]) => `${key} = ${toml}`).join(", ")} }`;

export const vectorOf = (numbers) => `[${numbers.map((n) => Number(n.toPrecision(6))).join(", ")}]`;
