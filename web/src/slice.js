// A plane that cuts what is shown: beyond it, or before it, nothing is drawn. Its outline says where it is.
import * as THREE from "three";

const letters = ["x", "y", "z"];

// along: "x", "y", "z" or ""; at: m; flip: what lies before it is taken away, not what lies beyond. Null where nothing is cut.
export function planeOf({ along, at, flip }) {
  if (!along || !Number.isFinite(at)) return null;
  const side = flip ? -1 : 1;
  return { normal: new THREE.Vector3().setComponent(letters.indexOf(along), side), offset: side * at };
}

export class Outline {
  constructor() {
    this.object = new THREE.LineLoop(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: "#ff9d2e", transparent: true, opacity: 0.7 }));
    this.object.frustumCulled = false;
    this.object.visible = false;
  }

  // Around a box of what is shown, somewhat larger.
  show({ along, at }, box) {
    const size = box.getSize(new THREE.Vector3());
    const [low, high] = [box.min.clone().addScaledVector(size, -0.06), box.max.clone().addScaledVector(size, 0.06)];
    const [a, b] = letters.filter((letter) => letter !== along);
    const corner = (first, second) => low.clone().setComponent(letters.indexOf(a), first[a]).setComponent(letters.indexOf(b), second[b]).setComponent(letters.indexOf(along), at);
    this.object.geometry.setFromPoints([corner(low, low), corner(high, low), corner(high, high), corner(low, high)]);
  }
}

// Ends of a slider through a box, in steps that people count in, and the step; `at` is between them.
export function sliderOf(box, along, at) {
  const step = 10 ** Math.floor(Math.log10(Math.max(box.max[along] - box.min[along], 1e-9) / 100));
  const whole = (value, round) => Number((round(value / step) * step).toPrecision(12));
  return { low: whole(Math.min(box.min[along], at), Math.floor), high: whole(Math.max(box.max[along], at), Math.ceil), step };
}
