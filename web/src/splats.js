// The same spheres without a GPU. A software GL spends microseconds on each point; here each ball is copied from a small
// picture of one into a buffer with depth, which takes a tenth of that, and the buffer is then laid under the solids.
import * as THREE from "three";

const levels = 32; // of light
const most = 256; // pixels of radius
const buckets = 1024; // of distance
const sun = new THREE.Vector3(0.35, 0.55, 0.75).normalize();

// A ball of this radius in pixels: where its pixels lie from its middle, how light they are, how far before it.
class Sprite {
  constructor(radius, flat) {
    const r = Math.max(radius, 0.5);
    const reach = Math.ceil(r);
    const [dx, dy, light, front] = [[], [], [], []];
    for (let y = -reach; y <= reach; ++y)
      for (let x = -reach; x <= reach; ++x) {
        const d = (x * x + y * y) / (r * r);
        if (d > 1 && (x || y)) continue;
        const z = Math.sqrt(Math.max(0, 1 - d));
        dx.push(x);
        dy.push(y);
        front.push(z);
        const shine = flat ? 1 : Math.max(0, (x / r) * sun.x + (y / r) * sun.y + z * sun.z);
        light.push(Math.round(shine * (levels - 1)));
      }
    this.reach = reach;
    this.count = dx.length;
    this.dx = Int16Array.from(dx);
    this.dy = Int16Array.from(dy);
    this.light = Uint8Array.from(light);
    this.front = Float32Array.from(front);
    this.offset = new Int32Array(this.count);
    this.width = 0; // of the picture that the offsets are for
  }

  offsets(width) {
    if (this.width !== width) {
      for (let i = 0; i < this.count; ++i) this.offset[i] = this.dy[i] * width + this.dx[i];
      this.width = width;
    }
    return this.offset;
  }
}

const vertexShader = /* glsl */ `
  varying vec2 at;
  void main() {
    at = position.xy * 0.5 + 0.5;
    gl_Position = vec4(position.xy, 0.0, 1.0);
  }`;
const fragmentShader = /* glsl */ `
  uniform sampler2D colors, depths;
  uniform vec2 depthLine; // of the projection: from the distance to what the solids have
  uniform bool flat_;
  varying vec2 at;
  void main() {
    vec4 color = texture2D(colors, at);
    if (color.a == 0.0) discard;
    gl_FragColor = vec4(color.rgb, 1.0);
    float far = texture2D(depths, at).r;
    gl_FragDepth = flat_ ? 0.5 : clamp(0.5 + 0.5 * (depthLine.y / far - depthLine.x), 0.0, 1.0);
  }`;

export class Splats {
  #sprites = new Map();
  #table = new Uint32Array(0);
  #colors = 1;
  #far = new Float32Array(0);
  #px = new Int32Array(0);
  #py = new Int32Array(0);
  #order = new Uint32Array(0);
  #bucket = new Uint16Array(0);
  cull = true; // pass over what is hidden
  width = 0;
  height = 0;

  constructor(dimension) {
    this.dimension = dimension;
    this.uniforms = {
      colors: { value: null },
      depths: { value: null },
      depthLine: { value: new THREE.Vector2() },
      flat_: { value: dimension === 2 },
    };
    const material = new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms: this.uniforms });
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    this.object = new THREE.Mesh(geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = -2;
  }

  // The colours in all levels of light, and the one of what has none behind them.
  paint(colors, counted) {
    this.counted = counted;
    this.#colors = counted ? colors.length : 256;
    const linear = colors.map((hex) => new THREE.Color(hex));
    const list = counted
      ? linear
      : Array.from({ length: 256 }, (_, i) => {
          const at = (i / 255) * (linear.length - 1);
          const low = Math.min(Math.floor(at), linear.length - 2);
          return linear[low].clone().lerp(linear[low + 1], at - low);
        });
    list.push(new THREE.Color("#969696"));
    this.#table = new Uint32Array(list.length * levels);
    list.forEach((color, i) => {
      for (let level = 0; level < levels; ++level) {
        const shine = level / (levels - 1);
        const light = this.dimension === 2 ? 1 : 0.45 + 0.55 * shine;
        const gloss = this.dimension === 2 ? 0 : 0.12 * shine ** 24;
        const c = new THREE.Color(color.r * light + gloss, color.g * light + gloss, color.b * light + gloss).convertLinearToSRGB();
        const [r, g, b] = [c.r, c.g, c.b].map((v) => Math.min(255, Math.round(255 * v)));
        this.#table[i * levels + level] = (255 << 24) | (b << 16) | (g << 8) | r;
      }
    });
  }

  #resize(width, height) {
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.pixels = new Uint32Array(width * height);
    this.depth = new Float32Array(width * height);
    for (const [name, data, format, type] of [
      ["colors", new Uint8Array(this.pixels.buffer), THREE.RGBAFormat, THREE.UnsignedByteType],
      ["depths", this.depth, THREE.RedFormat, THREE.FloatType],
    ]) {
      this.uniforms[name].value?.dispose();
      this.uniforms[name].value = new THREE.DataTexture(data, width, height, format, type);
    }
  }

  #sprite(radius) {
    const key = Math.round(2 * radius);
    let sprite = this.#sprites.get(key);
    if (!sprite) this.#sprites.set(key, (sprite = new Sprite(key / 2, this.dimension === 2)));
    return sprite;
  }

  // Where the particles before the eye appear, how far they are, and their order from near to far, by which those behind can be told to be
  // hidden. Gives how many there are.
  #project(frame, camera, width, height, slice, every) {
    const { rows } = frame;
    if (this.#far.length < rows) {
      this.#far = new Float32Array(rows);
      this.#px = new Int32Array(rows);
      this.#py = new Int32Array(rows);
      this.#order = new Uint32Array(rows);
      this.#bucket = new Uint16Array(rows);
    }
    const { x } = frame.data;
    const d = this.dimension;
    const deep = d === 3;
    const m = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
    const near = deep ? camera.near : 0;
    let [least, largest] = [Infinity, 0];
    for (let i = 0; i < rows; i += every) {
      const a = x[i * d];
      const b = x[i * d + 1];
      const c = deep ? x[i * d + 2] : 0;
      const w = deep ? m[3] * a + m[7] * b + m[11] * c + m[15] : 1;
      const out = !(w > near) || a * slice.x + b * slice.y + c * slice.z > slice.w;
      this.#far[i] = out ? 0 : w;
      if (out) continue;
      this.#px[i] = Math.floor((0.5 + (0.5 * (m[0] * a + m[4] * b + m[8] * c + m[12])) / w) * width);
      this.#py[i] = Math.floor((0.5 + (0.5 * (m[1] * a + m[5] * b + m[9] * c + m[13])) / w) * height);
      if (w < least) least = w;
      if (w > largest) largest = w;
    }
    const starts = new Uint32Array(buckets + 1);
    const scale = largest > least ? (buckets - 1) / (largest - least) : 0;
    for (let i = 0; i < rows; i += every) {
      if (!this.#far[i]) continue;
      const bucket = (this.#far[i] - least) * scale;
      this.#bucket[i] = bucket;
      starts[this.#bucket[i] + 1] += 1;
    }
    for (let k = 0; k < buckets; ++k) starts[k + 1] += starts[k];
    const seen = starts[buckets];
    for (let i = 0; i < rows; i += every) if (this.#far[i]) this.#order[starts[this.#bucket[i]]++] = i;
    return seen;
  }

  // Whether nearer things lie before a ball at every eighth of its pixels: it is then hidden, but for what could be seen through a gap
  // between these.
  #hidden(middle, offset, front) {
    const { depth } = this;
    for (let k = 0; k < offset.length; k += 8) if (!(depth[middle + offset[k]] < front)) return false;
    return true;
  }

  // `scale`: pixels of a radius of 1 at a distance of 1; `size`: of the balls, where they have no radius of their own; `every`: only every so manyth
  // is drawn, and larger.
  draw(frame, camera, { width, height, scale, size, low, high, slice, every = 1 }) {
    this.#resize(width, height);
    this.pixels.fill(0);
    this.depth.fill(Infinity);
    const { value, radius } = frame.data;
    const { pixels, depth, counted } = this;
    const table = this.#table;
    const last = this.#colors - 1;
    const deep = this.dimension === 3;
    const spread = high > low ? 255 / (high - low) : 0;
    const grown = size * every ** (1 / this.dimension);
    const seen = this.#project(frame, camera, width, height, slice, every);
    for (let n = 0; n < seen; ++n) {
      const i = this.#order[n];
      const w = this.#far[i];
      const px = this.#px[i];
      const py = this.#py[i];
      const own = radius ? radius[i] * grown : grown;
      const sprite = this.#sprite(Math.min((own * scale) / w, most));
      const { reach, count } = sprite;
      if (px + reach < 0 || px - reach >= width || py + reach < 0 || py - reach >= height) continue;
      const inside = px >= reach && px + reach < width && py >= reach && py + reach < height;
      const middle = py * width + px;
      const offset = sprite.offsets(width);
      if (deep && this.cull && inside && this.#hidden(middle, offset, w - own)) continue;
      const v = value[i];
      let tint;
      if (v !== v) tint = last + 1;
      else if (counted) tint = v < 0 ? 0 : v > last ? last : v | 0;
      else {
        const t = (v - low) * spread;
        tint = t < 0 ? 0 : t > 255 ? 255 : t | 0;
      }
      tint *= levels;
      const { light, front, dx, dy } = sprite;
      for (let k = 0; k < count; ++k) {
        if (!inside && (px + dx[k] < 0 || px + dx[k] >= width || py + dy[k] < 0 || py + dy[k] >= height)) continue;
        const at = middle + offset[k];
        const far = deep ? w - front[k] * own : 0;
        if (far < depth[at]) {
          depth[at] = far;
          pixels[at] = table[tint + light[k]];
        }
      }
    }
    const { elements: p } = camera.projectionMatrix;
    this.uniforms.depthLine.value.set(p[10], p[14]);
    this.uniforms.colors.value.needsUpdate = true;
    this.uniforms.depths.value.needsUpdate = true;
  }
}

// Whether the browser draws without a GPU.
export function isSoftware(gl) {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "");
}
