// Shapes that a body can be added with: as the scene file writes them, and as lines to see where they would come.
import * as THREE from "three";
import { quoted, tableOf, vectorOf } from "./toml.js";

const number = (value) => String(Number(value.toPrecision(6)));
const flatDisc = (c, r) => ({ type: quoted("sphere"), center: vectorOf(c), radius: number(r) });
const moved = (c, by) => c.map((v, i) => (i === 1 ? v + by : v));
const corners = ([x, y], s) => [0, 1, 2].map((k) => [x + (s / 2) * Math.sin((2 * Math.PI * k) / 3), y + (s / 2) * Math.cos((2 * Math.PI * k) / 3)]);
const apart = 0.27; // of the size, from the middle to either of two discs
function twoDiscs(c, s) {
  const [left, right] = [-1, 1].map((side) => tableOf(flatDisc([c[0] + apart * side * s, ...c.slice(1)], s / 4)));
  return { type: quoted("union"), of: `[${left}, ${right}]` };
}

// Of a size s about a centre c. The first four are those that simulators of snow start with.
export const starts = {
  box: (c, s) => ({ type: quoted("box"), center: vectorOf(c), size: vectorOf(c.map(() => s)) }),
  disc: (c, s) => flatDisc(c, s / 2),
  "two discs": twoDiscs,
  "points of a CSV file": null,
};
export const others = {
  "rounded_box": (c, s) => ({ type: quoted("rounded_box"), center: vectorOf(c), size: vectorOf(c.map(() => s)) }),
  ellipsoid: (c, s) => ({ type: quoted("ellipsoid"), center: vectorOf(c), radii: vectorOf([s / 2, s / 3, s / 3].slice(0, c.length)) }),
  cylinder: (c, s) => ({ type: quoted("cylinder"), center: vectorOf(c), radius: number(s / 2), height: number(s), ...(c.length === 3 && { axis: "[0, 1, 0]" }) }),
  capsule: (c, s) => ({ type: quoted("capsule"), from: vectorOf(moved(c, -s / 4)), to: vectorOf(moved(c, s / 4)), radius: number(s / 4) }),
  cone: (c, s) => ({ type: quoted("cone"), base: vectorOf(moved(c, -s / 2)), apex: vectorOf(moved(c, s / 2)), radius: number(s / 2) }),
  torus: (c, s) => ({ type: quoted("torus"), center: vectorOf(c), radius: number(s / 3), tube: number(s / 8) }),
  star: (c, s) => ({ type: quoted("star"), center: vectorOf(c), outer: number(s / 2), inner: number(s / 4), ...(c.length === 3 && { depth: number(s / 3) }) }),
  polygon: (c, s) => ({ type: quoted("polygon"), points: `[${corners(c, s).map(vectorOf).join(", ")}]`, ...(c.length === 3 && { z: number(c[2]), depth: number(s / 3) }) }),
  shell: (c, s) => ({ type: quoted("shell"), of: tableOf(flatDisc(c, s / 2)), thickness: number(s / 8) }),
};

// What the size of a shape is.
export const sizeLabel = (shape) => ({ box: "side", disc: "diameter" })[shape] ?? "across";

// Closed lines in the plane, for a size of 1.
const ring = (rx, ry = rx, x = 0) => Array.from({ length: 48 }, (_, k) => [x + rx * Math.cos((Math.PI * k) / 24), ry * Math.sin((Math.PI * k) / 24)]);
const tips = (count, radius) => Array.from({ length: count }, (_, k) => [radius(k) * Math.sin((2 * Math.PI * k) / count), radius(k) * Math.cos((2 * Math.PI * k) / count)]);
const square = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
const flat = {
  box: [square],
  "rounded_box": [square],
  cylinder: [square],
  "two discs": [ring(0.25, 0.25, -apart), ring(0.25, 0.25, apart)],
  ellipsoid: [ring(1 / 2, 1 / 3)],
  capsule: [ring(0.25).map(([x, y]) => [x, y + (y > 0 ? 0.25 : -0.25)])],
  cone: [[[-0.5, -0.5], [0.5, -0.5], [0, 0.5]]],
  star: [tips(10, (k) => (k % 2 ? 0.25 : 0.5))],
  polygon: [tips(3, () => 0.5)],
};
const around = [ring(0.5)];

// Of a shape of a size about a point: in 2D itself; in 3D a cube, a ring that lies flat, or balls as the camera sees them.
export function outlineOf(shape, center, size, camera, dimension) {
  const at = (x, y, z = 0) => new THREE.Vector3(x, y, z).multiplyScalar(size).add(center);
  if (dimension === 2) return (flat[shape] ?? around).map((line) => line.map(([x, y]) => at(x, y)));
  if (shape === "box") {
    const walls = [-0.5, 0.5].map((z) => square.map(([x, y]) => at(x, y, z)));
    return [...walls, ...square.map((_, i) => walls.map((wall) => wall[i]))];
  }
  const [right, up] = [0, 1].map((k) => new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, k).multiplyScalar(size));
  const ball = (radius, from) => ring(radius).map(([x, y]) => from.clone().addScaledVector(right, x).addScaledVector(up, y));
  if (shape === "torus") return [1 / 3 + 1 / 8, 1 / 3 - 1 / 8].map((radius) => ring(radius).map(([x, y]) => at(x, 0, y)));
  if (shape === "two discs") return [-apart, apart].map((x) => ball(0.25, at(x, 0)));
  return [ball(0.5, center)];
}
