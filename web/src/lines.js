// Velocities of particles and of grid nodes as lines: dark where they start and bright where they lead.
import * as THREE from "three";

const mostLines = 40_000;

// Unlike each other, and unlike the colours of bodies.
export const lineColors = { particles: "#ff3fd0", grid: "#2fe6e6" };

export class Lines {
  // In 2D they lie on the matter.
  constructor(dimension, color) {
    this.object = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ vertexColors: true, depthTest: dimension === 3 }));
    this.object.frustumCulled = false;
    this.object.visible = false;
    this.object.renderOrder = 4;
    const bright = new THREE.Color(color);
    this.ends = [...bright.clone().multiplyScalar(0.12).toArray(), ...bright.toArray()];
  }

  // Of the particles of a frame or the nodes of a grid, or of nothing. `seconds`: a line goes as far as its particle would in that time.
  show(frame, seconds) {
    this.object.visible = Boolean(frame);
    if (!frame) return;
    const { x, v } = frame.data;
    const d = frame.dimension;
    const every = Math.max(1, Math.ceil(frame.rows / mostLines));
    const count = Math.ceil(frame.rows / every);
    const ends = new Float32Array(6 * count);
    for (let i = 0, k = 0; i < frame.rows; i += every, ++k)
      for (let c = 0; c < d; ++c) {
        ends[6 * k + c] = x[i * d + c];
        ends[6 * k + 3 + c] = x[i * d + c] + seconds * v[i * d + c];
      }
    const colors = new Float32Array(6 * count);
    for (let k = 0; k < count; ++k) colors.set(this.ends, 6 * k);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(ends, 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(colors, 3));
    this.object.geometry.dispose();
    this.object.geometry = geometry;
  }
}

export function fastest(frame) {
  const { v } = frame.data;
  const d = frame.dimension;
  let most = 0;
  for (let i = 0; v && i < frame.rows; ++i) {
    let sum = 0;
    for (let c = 0; c < d; ++c) sum += v[i * d + c] ** 2;
    if (sum > most) most = sum;
  }
  return Math.sqrt(most);
}
