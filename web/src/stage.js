// The scene on the canvas: camera, light, particles, solids, lines; drawn only when something has changed.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Blocks } from "./blocks.js";
import { rowOf } from "./frames.js";
import { fastest, Lines } from "./lines.js";
import { settings } from "./settings.js";
import { Solids } from "./solids.js";
import { Spheres } from "./spheres.js";
import { isSoftware, Splats } from "./splats.js";
import { Surface } from "./surface.js";

const slow = 60; // ms a picture
const most = 250_000; // particles in a picture that is soon followed by another, where there is no GPU
const backgrounds = { dark: "#14181e", light: "#f3f5f8" };

export const hasGrid = ({ method }) => method === "mpm" || method === "liquid";
export const hasMeshes = ({ matter }) => matter.some((m) => m.mesh);

// A number that is odd, so that it does not fall in with the rows of a lattice.
const oddUp = (number) => 2 * Math.ceil((number - 1) / 2) + 1;

// The particles that are drawn beside surfaces: those of bodies that have none.
function withoutMeshes(frame) {
  const { bodies } = frame.surface;
  const { body } = frame.data;
  if (!body) return { ...frame, rows: 0 };
  const rows = [];
  for (let i = 0; i < frame.rows; ++i) if (!bodies.includes(body[i])) rows.push(i);
  const data = {};
  for (const { name, components: n } of frame.arrays) {
    const from = frame.data[name];
    const to = (data[name] = new from.constructor(rows.length * n));
    rows.forEach((row, i) => to.set(from.subarray(row * n, row * n + n), i * n));
  }
  return { ...frame, rows: rows.length, data };
}

export class Stage {
  frame = null; // the one shown
  picked = null; // { row }
  drawn = 0; // pictures so far
  #wanted = false;

  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: false });
    this.renderer.localClippingEnabled = true;
    this.software = isSoftware(this.renderer.getContext());
    new ResizeObserver(() => this.#resize()).observe(canvas.parentElement);
  }

  // A new scene takes the place of the one before.
  open(scene, solids) {
    const first = !this.scene;
    this.#other = !first && scene.matter.length !== this.scene.matter.length;
    this.scene = scene;
    this.dimension = scene.dimension;
    this.up = scene.up === "z" ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(0, 1, 0);
    this.world = new THREE.Scene();
    this.spheres = new Spheres(scene.dimension);
    this.splats = new Splats(scene.dimension);
    this.spheres.object.visible = this.splats.object.visible = false;
    this.solids = new Solids(solids, scene);
    this.surface = new Surface(scene.dimension, this.spheres.uniforms);
    this.lines = new Lines(scene.dimension, "#e0342c");
    this.gridLines = new Lines(scene.dimension, "#ff4a3d");
    this.blocks = new Blocks(scene.dimension);
    this.mark = this.#ring();
    this.world.add(this.spheres.object, this.splats.object, this.surface.object, this.solids.object, this.mark);
    this.world.add(this.lines.object, this.gridLines.object, this.blocks.object);
    this.world.add(new THREE.AmbientLight("#ffffff", 1.6));
    const sun = new THREE.DirectionalLight("#ffffff", 1.8);
    sun.position.copy(this.up).multiplyScalar(2).add(new THREE.Vector3(0.8, 0.5, 1.1));
    this.world.add(sun);
    if (first || Boolean(this.camera.isPerspectiveCamera) !== (this.dimension === 3)) this.#makeCamera();
    this.setTheme(settings.theme);
    this.frame = null;
    this.#framed = !first && this.#framed;
    this.#resize();
  }
  #framed = false;
  #other = false; // the scene has other bodies than before, which may be out of the picture

  #makeCamera() {
    this.controls?.dispose();
    if (this.dimension === 3) {
      this.camera = new THREE.PerspectiveCamera(THREE.MathUtils.radToDeg(this.scene.camera.fov), 1, 0.01, 1000);
    } else {
      this.camera = new THREE.OrthographicCamera(-1, 1, 1, -1, -1000, 1000);
    }
    this.camera.up.copy(this.dimension === 3 ? this.up : new THREE.Vector3(0, 1, 0));
    this.controls = new OrbitControls(this.camera, this.canvas);
    if (this.dimension === 2) {
      this.controls.enableRotate = false;
      this.controls.screenSpacePanning = true;
      this.controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
      this.controls.touches.ONE = THREE.TOUCH.PAN;
    }
    this.controls.addEventListener("change", () => this.draw());
  }

  // After another has moved the camera.
  refit() {
    this.#fitCamera();
    this.controls.update();
    this.draw();
  }

  setTheme(theme) {
    if (this.world) this.world.background = new THREE.Color(backgrounds[theme]);
    this.draw();
  }

  #resize() {
    const box = this.canvas.parentElement;
    const { clientWidth: width, clientHeight: height } = box;
    if (!width || !height) return;
    this.#setRatio(this.#sharp);
    this.renderer.setSize(width, height, false);
    if (!this.camera) return;
    this.#fitCamera();
    this.draw();
  }

  // Pixels of the picture for a pixel of the page. Where there is no GPU, pictures in quick succession have fewer, and the
  // last one all.
  get #sharp() {
    return this.software ? 1 : Math.min(devicePixelRatio, 2);
  }
  #setRatio(ratio) {
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
  }

  #fitCamera() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (this.camera.isPerspectiveCamera) {
      this.camera.aspect = width / height;
    } else {
      const half = this.half ?? 1;
      this.camera.left = (-half * width) / height;
      this.camera.right = (half * width) / height;
      this.camera.top = half;
      this.camera.bottom = -half;
    }
    this.camera.updateProjectionMatrix();
  }

  show(frame) {
    this.frame = frame;
    this.#showMatter();
    this.#showLines();
    this.solids.place(frame.poses, settings);
    this.#placeMark();
    if (!this.#framed) this.frameAll(true);
    else if (this.#other && !this.#sees(this.bounds())) this.frameAll();
    this.#other = false;
    this.draw();
  }

  // As particles, as surfaces, or as both; what has no surface is always drawn as particles.
  #showMatter() {
    const draw = this.draws ?? settings.draw;
    const surface = draw !== "particles" && this.surface.show(this.frame.surface);
    if (draw === "particles") this.surface.show(null);
    this.particles = surface && draw === "surface" ? withoutMeshes(this.frame) : this.frame;
    this.spheres.object.visible = !this.software && this.particles.rows > 0;
    this.splats.object.visible = this.software && this.particles.rows > 0;
    if (this.spheres.object.visible) this.spheres.show(this.particles);
  }

  // After a change of what is shown beside the particles.
  refresh() {
    if (!this.frame) return;
    this.solids.place(this.frame.poses, settings);
    this.#showLines();
    this.draw();
  }

  #showLines() {
    this.blocks.object.visible = settings.blocks && hasGrid(this.scene);
    if (this.blocks.object.visible) this.blocks.show(this.frame, this.scene.dx);
    const { grid } = this.frame;
    const size = new THREE.Vector3(...this.scene.region.max).distanceTo(new THREE.Vector3(...this.scene.region.min));
    // The fastest seen so far has a line of a tenth of the region; of the grid, whose nodes stand in rows, of two of its distances.
    this.#showVelocities(this.lines, settings.velocity && this.frame.data.v && this.frame, 0.1 * size);
    this.#showVelocities(this.gridLines, settings.grid && grid?.data && grid, 2 * this.scene.dx * (grid?.every ?? 1));
  }

  #showVelocities(lines, of, longest) {
    if (of) lines.speed = Math.max(lines.speed ?? 0, fastest(of));
    lines.show(of, lines.speed > 0 ? (longest * settings.velocityScale) / lines.speed : 0);
  }

  // Where the particles are, but for a few that strayed far away; the region where there are none yet.
  bounds() {
    if (!this.frame.rows) return this.#region();
    const { x } = this.frame.data;
    const d = this.dimension;
    const every = Math.max(1, Math.floor(this.frame.rows / 20_000));
    const box = new THREE.Box3();
    const sides = [0, 1, 2].map((c) => {
      if (c >= d) return [0, 0];
      const values = [];
      for (let i = 0; i < this.frame.rows; i += every) if (Number.isFinite(x[i * d + c])) values.push(x[i * d + c]);
      values.sort((a, b) => a - b);
      if (!values.length) return [0, 0];
      const cut = Math.floor(values.length / 200);
      const [all, most] = [0, cut].map((skip) => [values[skip], values[values.length - 1 - skip]]);
      return all[1] - all[0] > 3 * (most[1] - most[0]) ? most : all;
    });
    box.min.set(sides[0][0], sides[1][0], sides[2][0]).addScalar(-this.frame.radius);
    box.max.set(sides[0][1], sides[1][1], sides[2][1]).addScalar(this.frame.radius);
    return box;
  }

  #region() {
    const { min, max } = this.scene.region;
    const region = new THREE.Box3(new THREE.Vector3(...min), new THREE.Vector3(...max));
    if (this.dimension === 2) region.min.z = region.max.z = 0;
    return region;
  }

  // Whether all matter is in the picture.
  #sees(box) {
    this.camera.updateMatrixWorld();
    return [0, 1, 2, 3, 4, 5, 6, 7].every((corner) => {
      const at = new THREE.Vector3(...["x", "y", "z"].map((axis, k) => ((corner >> k) & 1 ? box.max : box.min)[axis])).project(this.camera);
      return Math.abs(at.x) <= 1 && Math.abs(at.y) <= 1 && at.z <= 1;
    });
  }

  // All that is there in the picture. The first time, all that will be: the scene's region too, and its own camera.
  frameAll(first = false) {
    if (!this.frame) return;
    this.#framed = true;
    const box = this.bounds();
    if (first) {
      const region = this.#region();
      if (this.extent) region.union(new THREE.Box3(new THREE.Vector3(...this.extent.min), new THREE.Vector3(...this.extent.max)));
      // A domain much larger than its matter would leave a speck in the middle.
      if (region.getSize(new THREE.Vector3()).length() < 6 * box.getSize(new THREE.Vector3()).length()) box.union(region);
    }
    const center = box.getCenter(new THREE.Vector3());
    const size = box.getSize(new THREE.Vector3());
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (this.dimension === 2) {
      this.half = 0.56 * Math.max(size.y, (size.x * height) / width, 1e-9);
      this.camera.zoom = 1;
      this.controls.target.copy(center);
      this.camera.position.set(center.x, center.y, 10);
    } else {
      const radius = Math.max(0.5 * size.length(), 1e-9);
      const narrow = Math.min(1, width / height);
      const distance = (0.85 * radius) / Math.sin(0.5 * this.scene.camera.fov) / narrow;
      const own = first && this.scene.camera.position;
      const away = own
        ? null
        : first
          ? new THREE.Vector3(0.45, 0.28, 1).applyQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), this.up))
          : this.camera.position.clone().sub(this.controls.target);
      this.controls.target.copy(own && this.scene.camera.target ? new THREE.Vector3(...this.scene.camera.target) : center);
      if (own) this.camera.position.set(...own);
      else this.camera.position.copy(center).addScaledVector(away.normalize(), distance);
      this.camera.near = radius * 1e-3;
      this.camera.far = radius * 200 + distance;
    }
    this.#fitCamera();
    this.controls.update();
    this.draw();
  }

  paint(colors, counted) {
    this.spheres.paint(colors, counted);
    this.splats.paint(colors, counted);
  }

  // along: "x", "y", "z" or ""; part: how much of the region is left, 0 to 1
  slice(along, part) {
    const axis = "xyz".indexOf(along);
    const { slice } = this.spheres.uniforms;
    if (axis < 0 || !along) {
      slice.value.set(0, 0, 0, 1);
      this.solids.slice([]);
    } else {
      const { min, max } = this.scene.region;
      const offset = min[axis] + part * (max[axis] - min[axis]);
      const normal = new THREE.Vector3().setComponent(axis, 1);
      slice.value.set(normal.x, normal.y, normal.z, offset);
      this.solids.slice([new THREE.Plane(normal.clone().negate(), offset)]);
    }
    this.draw();
  }

  #ring() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3), 3));
    const material = new THREE.PointsMaterial({ size: 18, sizeAttenuation: false, color: "#ff9d2e", transparent: true, depthTest: false });
    material.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace(
        "#include <clipping_planes_fragment>",
        "float ring = length(gl_PointCoord - 0.5); if (ring > 0.5 || ring < 0.34) discard;\n#include <clipping_planes_fragment>",
      );
    };
    const mark = new THREE.Points(geometry, material);
    mark.frustumCulled = false;
    mark.visible = false;
    mark.renderOrder = 10;
    return mark;
  }

  pick(row) {
    this.picked = row;
    this.#placeMark();
    this.draw();
  }

  #placeMark() {
    const i = this.picked === null || !this.frame ? -1 : this.#indexOf(this.picked);
    this.mark.visible = i >= 0;
    if (i < 0) return;
    const d = this.dimension;
    const { array } = this.mark.geometry.attributes.position;
    array.fill(0);
    for (let c = 0; c < d; ++c) array[c] = this.frame.data.x[i * d + c];
    this.mark.geometry.attributes.position.needsUpdate = true;
  }

  #indexOf(row) {
    return row % this.frame.stride === 0 && row / this.frame.stride < this.frame.rows ? row / this.frame.stride : -1;
  }

  // The row of the particle that is seen at a place of the canvas (CSS pixels), or null.
  particleAt(px, py) {
    if (!this.frame) return null;
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    this.camera.updateMatrixWorld();
    const m = new THREE.Matrix4().multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse).elements;
    const { x } = this.frame.data;
    const d = this.dimension;
    const slice = this.spheres.uniforms.slice.value;
    const scale = this.#pixelsPerUnit(1) / this.renderer.getPixelRatio() / 2;
    let best = -1;
    let depth = Infinity;
    for (let i = 0; i < this.frame.rows; ++i) {
      const a = x[i * d];
      const b = x[i * d + 1];
      const c = d === 3 ? x[i * d + 2] : 0;
      if (a * slice.x + b * slice.y + c * slice.z > slice.w) continue;
      const w = m[3] * a + m[7] * b + m[11] * c + m[15];
      if (w <= 0) continue;
      const sx = (0.5 + (0.5 * (m[0] * a + m[4] * b + m[8] * c + m[12])) / w) * width;
      const sy = (0.5 - (0.5 * (m[1] * a + m[5] * b + m[9] * c + m[13])) / w) * height;
      const r = Math.max(3, (scale * settings.size * (this.frame.data.radius?.[i] ?? this.frame.radius)) / (d === 3 ? w : 1));
      const off = Math.hypot(sx - px, sy - py);
      // In 3D the nearest to the eye, in 2D the nearest to the place.
      const far = d === 3 ? w : off;
      if (off <= r && far < depth) {
        best = i;
        depth = far;
      }
    }
    return best < 0 ? null : rowOf(this.frame, best);
  }

  // Diameter in pixels of a ball of radius 1, times its distance in 3D.
  #pixelsPerUnit() {
    const height = this.canvas.height;
    if (this.camera.isPerspectiveCamera) return height / Math.tan(THREE.MathUtils.degToRad(this.camera.fov) / 2);
    return (height / this.half) * this.camera.zoom;
  }

  draw() {
    if (this.#wanted) return;
    this.#wanted = true;
    requestAnimationFrame(() => {
      this.#wanted = false;
      const started = performance.now();
      const hurried = this.software && this.#cost > slow && started - this.#last < 500;
      this.drawNow(hurried ? 0.5 : this.#sharp);
      this.#last = performance.now();
      if (!hurried) this.#cost = this.#last - started;
      clearTimeout(this.#later);
      if (hurried) this.#later = setTimeout(() => this.drawNow(), 300);
    });
  }
  #cost = 0; // ms of the last picture in full
  #last = 0;
  #later = 0;

  drawNow(ratio = this.#sharp) {
    if (!this.frame) return;
    this.#setRatio(ratio);
    const { uniforms } = this.spheres;
    const size = settings.size * this.scene.camera.radius * (this.frame.data.radius ? 1 : this.frame.radius);
    uniforms.pixels.value = this.#pixelsPerUnit();
    uniforms.size.value = size;
    if (this.splats.object.visible) {
      const { width, height } = this.canvas;
      this.camera.updateMatrixWorld();
      this.splats.draw(this.particles, this.camera, {
        ...{ width, height, size, scale: this.#pixelsPerUnit() / 2 },
        ...{ low: uniforms.low.value, high: uniforms.high.value, slice: uniforms.slice.value },
        every: ratio < this.#sharp ? oddUp(this.particles.rows / most) : 1,
      });
    }
    this.renderer.render(this.world, this.camera);
    this.drawn += 1;
    this.whenDrawn?.();
  }
}
