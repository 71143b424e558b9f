// Numbers and units as people read them.
export const short = (value, digits = 4) => (typeof value === "number" ? String(Number(value.toPrecision(digits))) : "–");

// Large and small numbers of an axis in thousands: the unit for its label, and what its ticks are divided by.
const prefixes = { "-12": "p", "-9": "n", "-6": "µ", "-3": "m", 3: "k", 6: "M", 9: "G", 12: "T" };
const prefixed = ["J", "s", "m", "Pa", "m/s"];
export function scaled(unit, ticks) {
  const largest = Math.max(...ticks.map(Math.abs));
  const power = largest > 0 ? 3 * Math.floor(Math.log10(largest * 1.0001) / 3) : 0;
  if (power === 0 || (largest >= 0.01 && largest < 1e4)) return { unit, by: 1 };
  const by = 10 ** power;
  if (prefixed.includes(unit) && prefixes[power]) return { unit: prefixes[power] + unit, by };
  return { unit: `10${raisedText(power)}${unit ? ` ${unit}` : ""}`, by };
}

const raised = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
const raisedText = (power) => [...String(power)].map((c) => raised[c]).join("");
export const unitText = (unit) => unit.replaceAll(/\^(-?[1-6])/g, (_, power) => raisedText(power));
