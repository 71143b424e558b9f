// The bodies and sources of a scene, as its panel tells them.
import { asShown } from "./toml.js";

export function matterOf(panel) {
  const valueOf = (fields, name) => fields.find((f) => f.path.endsWith(name) && f.path.split(".").length === 3)?.text ?? null;
  return panel
    .filter(({ path }) => /^(body|source)\./.test(path))
    .map(({ path, fields }) => ({
      source: path.startsWith("source."),
      name: asShown(valueOf(fields, ".name"), "text"),
      material: asShown(valueOf(fields, ".material"), "text"),
      perCell: valueOf(fields, ".particles_per_cell"),
    }));
}

// Where a new part starts: in the middle of the scene's region, of a size that is seen and that its cells can resolve.
export function startOf({ region, dimension, dx }) {
  const { min, max } = region;
  const sides = max.map((high, i) => high - min[i]).slice(0, dimension);
  const largest = Math.max(...sides);
  const step = 10 ** (Math.floor(Math.log10(largest)) - 2);
  const middle = sides.map((_, i) => Number((Math.round((min[i] + max[i]) / 2 / step) * step).toPrecision(6)));
  return { middle, size: Number(Math.min(largest / 2, Math.max(Math.min(...sides) / 4, largest / 8, 6 * dx)).toPrecision(2)) };
}

// As fine as the matter beside it: that of the same material, else the first.
export function finenessOf(matter, material) {
  const perCell = (matter.find((m) => m.material === material) ?? matter[0])?.perCell ?? null;
  return perCell === null ? {} : { particles_per_cell: perCell };
}

// Names of the parts in a list of the scene.
export const namesOf = (panel, list) =>
  panel.filter(({ path }) => path.startsWith(`${list}.`)).map(({ path, fields }) => asShown(fields.find((f) => f.path === `${path}.name`)?.text ?? null, "text"));
