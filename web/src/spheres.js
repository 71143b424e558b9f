// Particles as shaded spheres: each is one point, on which the shader draws a ball.
import * as THREE from "three";

const vertex = /* glsl */ `
  attribute float value;
  attribute float radius;
  uniform float size, pixels, low, high;
  uniform bool counted, varied, perspective;
  uniform vec4 slice; // normal and offset; what is beyond is not drawn
  uniform sampler2D colors;
  uniform float steps; // of the colours
  uniform vec3 missing;
  varying vec3 tint;
  void main() {
    vec4 place = modelViewMatrix * vec4(position, 1.0);
    gl_Position = projectionMatrix * place;
    float r = size * (varied ? radius : 1.0);
    float wide = pixels * r * (perspective ? 1.0 / max(1e-6, -place.z) : 1.0);
    gl_PointSize = max(wide, 1.5); // less cannot be seen
    bool known = value == value;
    float at = counted ? (value + 0.5) / steps : (value - low) / max(high - low, 1e-30) * (steps - 1.0) / steps + 0.5 / steps;
    tint = known ? texture2D(colors, vec2(clamp(at, 0.0, 1.0), 0.5)).rgb : missing;
    if (dot(position, slice.xyz) > slice.w) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }`;

const fragment = /* glsl */ `
  uniform bool flat_;
  uniform vec3 sun;
  varying vec3 tint;
  void main() {
    vec2 p = gl_PointCoord * 2.0 - 1.0;
    float d = dot(p, p);
    if (d > 1.0) discard;
    if (flat_) {
      gl_FragColor = vec4(tint, 1.0);
    } else {
      vec3 n = vec3(p.x, -p.y, sqrt(1.0 - d));
      float shine = max(0.0, dot(n, sun));
      gl_FragColor = vec4(tint * (0.45 + 0.55 * shine) + 0.12 * pow(shine, 24.0), 1.0);
    }
    #include <colorspace_fragment>
  }`;

function colorTexture(hex) {
  const data = new Uint8Array(4 * hex.length);
  hex.forEach((text, i) => {
    const c = new THREE.Color(text);
    data.set([255 * c.r, 255 * c.g, 255 * c.b, 255].map(Math.round), 4 * i);
  });
  const texture = new THREE.DataTexture(data, hex.length, 1);
  texture.needsUpdate = true;
  return texture;
}

export class Spheres {
  constructor(dimension) {
    this.dimension = dimension;
    this.uniforms = {
      size: { value: 1 },
      pixels: { value: 1 },
      low: { value: 0 },
      high: { value: 1 },
      counted: { value: true },
      varied: { value: false },
      perspective: { value: dimension === 3 },
      flat_: { value: dimension === 2 },
      slice: { value: new THREE.Vector4(0, 0, 0, 1) },
      colors: { value: colorTexture(["#ffffff"]) },
      steps: { value: 1 },
      missing: { value: new THREE.Color("#969696") },
      sun: { value: new THREE.Vector3(0.35, 0.55, 0.75).normalize() },
    };
    const material = new THREE.ShaderMaterial({ vertexShader: vertex, fragmentShader: fragment, uniforms: this.uniforms });
    this.object = new THREE.Points(new THREE.BufferGeometry(), material);
    this.object.frustumCulled = false;
  }

  show(frame) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(frame.data.x, this.dimension));
    geometry.setAttribute("value", new THREE.BufferAttribute(frame.data.value, 1));
    if (frame.data.radius) geometry.setAttribute("radius", new THREE.BufferAttribute(frame.data.radius, 1));
    geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity); // never asked for, and costly
    this.object.geometry.dispose();
    this.object.geometry = geometry;
    this.uniforms.varied.value = Boolean(frame.data.radius);
  }

  // Either a list of colours by number, or a scale from low to high.
  paint(colors, counted) {
    this.uniforms.colors.value.dispose();
    const texture = colorTexture(colors);
    texture.minFilter = texture.magFilter = counted ? THREE.NearestFilter : THREE.LinearFilter;
    this.uniforms.colors.value = texture;
    this.uniforms.steps.value = colors.length;
    this.uniforms.counted.value = counted;
  }
}
