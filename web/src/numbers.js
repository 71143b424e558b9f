// Numbers as people read them.
export const short = (value, digits = 4) => (typeof value === "number" ? String(Number(value.toPrecision(digits))) : "–");
