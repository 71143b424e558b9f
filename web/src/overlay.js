// Drawn above the picture in its own pixels: the arrow of a pull, and where a body would come.
import * as THREE from "three";

const space = "http://www.w3.org/2000/svg";

export class Overlay {
  constructor(svg) {
    this.svg = svg;
    this.arrow = this.#add("path", { class: "pull" });
    this.label = this.#add("text", { class: "pull" });
    this.outline = this.#add("path", { class: "place" });
    this.arrow.style.display = this.label.style.display = this.outline.style.display = "none";
  }

  #add(tag, attributes) {
    const element = document.createElementNS(space, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    this.svg.append(element);
    return element;
  }

  // From a place to another, in pixels, with a text at its end; nothing: no arrow.
  showArrow(from, to, text) {
    this.arrow.style.display = this.label.style.display = from ? "" : "none";
    if (!from) return;
    const along = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(...along) || 1;
    const [ux, uy] = along.map((v) => (v / length) * Math.min(12, length / 2));
    const side = (turn) => `${to[0] - ux + (turn * -uy) / 2} ${to[1] - uy + (turn * ux) / 2}`;
    this.arrow.setAttribute("d", `M${from[0]} ${from[1]} L${to[0]} ${to[1]} M${side(1)} L${to[0]} ${to[1]} L${side(-1)}`);
    this.label.textContent = text;
    this.label.setAttribute("x", to[0] + 12);
    this.label.setAttribute("y", to[1] - 10);
  }

  // Closed lines of points of the scene; nothing: none.
  showPlace(stage, lines) {
    this.outline.style.display = lines ? "" : "none";
    if (!lines) return;
    const path = (line) => `M${line.map((point) => onScreen(stage, point).map((v) => v.toFixed(1)).join(" ")).join("L")}Z`;
    this.outline.setAttribute("d", lines.map(path).join(""));
  }
}

// Where a point of the scene is on the canvas, in pixels of the page.
export function onScreen(stage, point) {
  const { clientWidth: width, clientHeight: height } = stage.canvas.parentElement;
  stage.camera.updateMatrixWorld();
  const p = point.clone().project(stage.camera);
  return [(0.5 + 0.5 * p.x) * width, (0.5 - 0.5 * p.y) * height];
}

// The point under the pointer, as far from the eye as `at` is.
export function underPointer(stage, [px, py], at) {
  const { clientWidth: width, clientHeight: height } = stage.canvas.parentElement;
  stage.camera.updateMatrixWorld();
  const depth = at.clone().project(stage.camera).z;
  const point = new THREE.Vector3((2 * px) / width - 1, 1 - (2 * py) / height, depth).unproject(stage.camera);
  if (stage.dimension === 2) point.z = 0;
  return point;
}
