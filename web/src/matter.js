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

// As fine as the matter beside it: that of the same material, else the first.
export function finenessOf(matter, material) {
  const perCell = (matter.find((m) => m.material === material) ?? matter[0])?.perCell ?? null;
  return perCell === null ? {} : { particles_per_cell: perCell };
}

// Names of the parts in a list of the scene.
export const namesOf = (panel, list) =>
  panel.filter(({ path }) => path.startsWith(`${list}.`)).map(({ path, fields }) => asShown(fields.find((f) => f.path === `${path}.name`)?.text ?? null, "text"));
