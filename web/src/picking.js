// The particle that the user clicks at: which it is, and the ring around it.
import * as THREE from "three";
import { rowOf } from "./frames.js";
import { settings } from "./settings.js";

// The row of the particle of a frame that is seen at a place of the canvas (CSS pixels), or null.
export function particleAt({ frame, eye, canvas, slice }, px, py) {
  const { camera } = eye;
  const { clientWidth: width, clientHeight: height } = canvas.parentElement;
  camera.updateMatrixWorld();
  const m = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
  const { x, radius } = frame.data;
  const d = frame.dimension;
  const scale = eye.pixelsPerUnit(height) / 2;
  let best = -1;
  let depth = Infinity;
  for (let i = 0; i < frame.rows; ++i) {
    const a = x[i * d];
    const b = x[i * d + 1];
    const c = d === 3 ? x[i * d + 2] : 0;
    if (a * slice.x + b * slice.y + c * slice.z > slice.w) continue;
    const w = m[3] * a + m[7] * b + m[11] * c + m[15];
    if (w <= 0) continue;
    const sx = (0.5 + (0.5 * (m[0] * a + m[4] * b + m[8] * c + m[12])) / w) * width;
    const sy = (0.5 - (0.5 * (m[1] * a + m[5] * b + m[9] * c + m[13])) / w) * height;
    const r = Math.max(3, (scale * settings.size * (radius?.[i] ?? frame.radius)) / (d === 3 ? w : 1));
    const off = Math.hypot(sx - px, sy - py);
    // In 3D the nearest to the eye, in 2D the nearest to the place.
    const far = d === 3 ? w : off;
    if (off <= r && far < depth) {
      best = i;
      depth = far;
    }
  }
  return best < 0 ? null : rowOf(frame, best);
}

// A ring of constant size in the picture, around a particle; over all else.
export function makeRing() {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3), 3));
  const material = new THREE.PointsMaterial({ size: 18, sizeAttenuation: false, color: "#ff9d2e", transparent: true, depthTest: false });
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      "#include <clipping_planes_fragment>",
      "float ring = length(gl_PointCoord - 0.5); if (ring > 0.5 || ring < 0.34) discard;\n#include <clipping_planes_fragment>",
    );
  };
  const ring = new THREE.Points(geometry, material);
  ring.frustumCulled = false;
  ring.visible = false;
  ring.renderOrder = 10;
  return ring;
}

// Around the particle of a row, where the frame has it.
export function placeRing(ring, frame, row) {
  const i = row === null || !frame || row % frame.stride ? -1 : row / frame.stride;
  ring.visible = i >= 0 && i < frame.rows;
  if (!ring.visible) return;
  const d = frame.dimension;
  const { position } = ring.geometry.attributes;
  position.array.fill(0);
  for (let c = 0; c < d; ++c) position.array[c] = frame.data.x[i * d + c];
  position.needsUpdate = true;
}
