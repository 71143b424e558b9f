// The blocks of the sparse grid that hold matter, as thin boxes.
import * as THREE from "three";

const cells = { 2: 8, 3: 4 }; // a side, by dimension, as in src/grid/blocks.h
const most = 20_000;

export class Blocks {
  constructor(dimension) {
    this.dimension = dimension;
    const material = new THREE.LineBasicMaterial({ color: "#5f9fd8", transparent: true, opacity: 0.35 });
    this.object = new THREE.LineSegments(new THREE.BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.visible = false;
  }

  show(frame, dx) {
    const d = this.dimension;
    const size = cells[d] * dx;
    const { x } = frame.data;
    const found = new Map();
    for (let i = 0; i < frame.rows && found.size < most; ++i) {
      const at = [0, 1, 2].map((c) => (c < d ? Math.floor(x[i * d + c] / size) : 0));
      const key = `${at}`;
      if (!found.has(key)) found.set(key, at);
    }
    const ends = [];
    const corners = d === 2 ? [0, 1, 2, 3] : [0, 1, 2, 3, 4, 5, 6, 7];
    for (const at of found.values())
      for (const corner of corners)
        for (let axis = 0; axis < d; ++axis) {
          if ((corner >> axis) & 1) continue;
          for (const end of [corner, corner | (1 << axis)]) for (let c = 0; c < 3; ++c) ends.push(c < d ? size * (at[c] + ((end >> c) & 1)) : 0);
        }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(Float32Array.from(ends), 3));
    this.object.geometry.dispose();
    this.object.geometry = geometry;
    this.count = found.size;
  }
}
