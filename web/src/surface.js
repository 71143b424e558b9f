// The surfaces of bodies: their outside in the colours of the particles, and cracks in their own.
import * as THREE from "three";

// The first that is like none of the bodies and materials.
const crackColors = ["#f0dcae", "#c79a5b", "#d8402c", "#2f9fe0", "#8a4fd0"];
function crackColorFor({ matter, materials }) {
  const parts = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const far = (a, b) => Math.hypot(...parts(a).map((v, k) => v - parts(b)[k])) > 70;
  return crackColors.find((color) => [...matter, ...materials].every((m) => far(m.color, color))) ?? crackColors[0];
}

const vertexShader = /* glsl */ `
  attribute float value;
  uniform float low, high, steps;
  uniform bool counted, opened;
  uniform vec4 slice; // normal and offset; what is beyond is not drawn
  uniform sampler2D colors;
  uniform vec3 missing, crackTint;
  varying vec3 tint, facing;
  varying float beyond;
  void main() {
    vec4 place = modelViewMatrix * vec4(position, 1.0);
    gl_Position = projectionMatrix * place;
    facing = normalMatrix * normal;
    float at = counted ? (value + 0.5) / steps : (value - low) / max(high - low, 1e-30) * (steps - 1.0) / steps + 0.5 / steps;
    tint = value == value ? texture2D(colors, vec2(clamp(at, 0.0, 1.0), 0.5)).rgb : missing;
    if (opened) tint = counted ? crackTint : tint * 0.62;
    beyond = dot(position, slice.xyz) - slice.w;
  }`;
const fragmentShader = /* glsl */ `
  uniform bool flat_;
  uniform vec3 sun;
  varying vec3 tint, facing;
  varying float beyond;
  void main() {
    if (beyond > 0.0) discard;
    float shine = 1.0;
    if (!flat_) {
      vec3 n = normalize(facing) * (gl_FrontFacing ? 1.0 : -1.0);
      shine = max(0.0, dot(n, sun));
    }
    gl_FragColor = vec4(tint * (flat_ ? 1.0 : 0.38 + 0.62 * shine), 1.0);
    #include <colorspace_fragment>
  }`;

export class Surface {
  // `shared` are the uniforms of the particles: colours, their range, the slice.
  constructor(scene, shared) {
    const { dimension } = scene;
    const crackColor = crackColorFor(scene);
    this.dimension = dimension;
    this.crackColor = crackColor;
    this.object = new THREE.Group();
    const crackTint = { value: new THREE.Color(crackColor) };
    const material = (opened) =>
      new THREE.ShaderMaterial({
        ...{ vertexShader, fragmentShader, side: THREE.DoubleSide },
        uniforms: { ...shared, crackTint, opened: { value: opened } },
        depthTest: dimension === 3,
        depthWrite: dimension === 3,
      });
    this.meshes = [false, true].map((opened) => new THREE.Mesh(new THREE.BufferGeometry(), material(opened)));
    this.lines = ["#5a6677", crackColor].map((color) => {
      const lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color, depthTest: false }));
      lines.renderOrder = 3;
      return lines;
    });
    for (const object of [...this.meshes, ...this.lines]) object.frustumCulled = false;
    if (dimension === 2) for (const mesh of this.meshes) mesh.renderOrder = -3;
    this.object.add(...this.meshes, ...(dimension === 2 ? this.lines : []));
    this.object.visible = false;
  }

  // What came of `frame.surface`; nothing where it is missing or refused.
  show(surface) {
    const there = Boolean(surface?.data);
    this.object.visible = there;
    if (!there || surface === this.shown) return there;
    this.shown = surface;
    const { x, normal, value, outside, crack, outline, crack_lines } = surface.data;
    const attributes = {
      position: new THREE.BufferAttribute(x, 3),
      normal: new THREE.BufferAttribute(normal, 4, true),
      value: new THREE.BufferAttribute(value, 1),
    };
    const fill = (object, index) => {
      const geometry = new THREE.BufferGeometry();
      for (const [name, attribute] of Object.entries(attributes)) geometry.setAttribute(name, attribute);
      geometry.setIndex(new THREE.BufferAttribute(index, 1));
      object.geometry.dispose();
      object.geometry = geometry;
      object.visible = index.length > 0;
    };
    fill(this.meshes[0], outside);
    fill(this.meshes[1], crack);
    if (this.dimension === 3) return true;
    fill(this.lines[0], outline);
    fill(this.lines[1], crack_lines);
    return true;
  }

  get cracked() {
    return this.object.visible && (this.meshes[1].visible || (this.dimension === 2 && this.lines[1].visible));
  }
}
