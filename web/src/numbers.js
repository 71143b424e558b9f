// Numbers and units as people read them.
export const short = (value, digits = 4) => (typeof value === "number" ? String(Number(value.toPrecision(digits))) : "–");

const raised = { "-": "⁻", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶" };
export const unitText = (unit) => unit.replaceAll(/\^(-?[1-6])/g, (_, power) => [...power].map((c) => raised[c]).join(""));
