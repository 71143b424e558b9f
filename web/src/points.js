// Points of a file of the reader's machine, and a shape that holds them.
import { quoted, tableOf, vectorOf } from "./toml.js";

// The outline around points in the plane, corners in order.
function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      const left = () => {
        const [a, b] = chain.slice(-2);
        return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) <= 0;
      };
      while (chain.length > 1 && left()) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

// Lines of so many numbers and more; others are passed over.
export function pointsIn(csv, dimension) {
  const rows = csv.split("\n").map((line) => line.split(/[,;\s]+/).filter(Boolean).map(Number));
  return rows.filter((p) => p.length >= dimension && p.every(Number.isFinite)).map((p) => p.slice(0, dimension));
}

export function shapeAround(points) {
  if (points[0].length === 2) return tableOf({ type: quoted("polygon"), points: `[${hull(points).map(vectorOf).join(", ")}]` });
  const [low, high] = [Math.min, Math.max].map((best) => points[0].map((_, k) => points.reduce((end, p) => best(end, p[k]), points[0][k])));
  return tableOf({ type: quoted("box"), center: vectorOf(low.map((v, k) => (v + high[k]) / 2)), size: vectorOf(low.map((v, k) => high[k] - v)) });
}
