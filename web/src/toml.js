// Values as the scene file writes them.

export const quoted = (text) => JSON.stringify(text);

// What an input says, as the scene file would have it: a text stands in quotes, and so does a number with its unit.
export function asToml(text, kind) {
  const trimmed = text.trim();
  if (kind === "text" || kind === "choice") return quoted(text);
  if (kind === "number" || kind === "integer") return /^[-+]?(\d|inf|nan)/.test(trimmed) && !Number.isNaN(Number(trimmed)) ? trimmed : quoted(trimmed);
  // A lone expression or number with a unit, where a list may stand too.
  if (kind === "formula" || kind === "vector") return /^["'[]/.test(trimmed) || !Number.isNaN(Number(trimmed)) ? trimmed : quoted(trimmed);
  return trimmed;
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
