// The scene on the canvas: light, particles, solids, lines, seen by the eye; drawn only when something has changed.
import * as THREE from "three";
import { Blocks } from "./blocks.js";
import { boundsOf, Eye } from "./eye.js";
import { fastest, lineColors, Lines } from "./lines.js";
import { makeRing, particleAt, placeRing } from "./picking.js";
import { settings } from "./settings.js";
import { Outline, planeOf } from "./slice.js";
import { Solids } from "./solids.js";
import { Spheres } from "./spheres.js";
import { isSoftware, Splats } from "./splats.js";
import { Surface } from "./surface.js";

const slow = 60; // ms a picture
const most = 250_000; // particles in a picture that is soon followed by another, where there is no GPU
export const backgrounds = { dark: "#14181e", light: "#f3f5f8" };

export const hasGrid = ({ method }) => method === "mpm" || method === "liquid";
export const hasMeshes = ({ matter }) => matter.some((m) => m.mesh);

// A number that is odd, so that it does not fall in with the rows of a lattice.
const oddUp = (number) => 2 * Math.ceil((number - 1) / 2) + 1;

export class Stage {
  frame = null; // the one shown
  picked = null; // a row
  drawn = 0; // pictures so far
  seenAnew; // called after each: what lies above the picture may have to move
  #wanted = false;

  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: false });
    this.renderer.localClippingEnabled = true;
    this.software = isSoftware(this.renderer.getContext());
    this.eye = new Eye(canvas, () => this.draw());
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
    this.surface = new Surface(scene, this.spheres.uniforms);
    this.lines = new Lines(scene.dimension, lineColors.particles);
    this.gridLines = new Lines(scene.dimension, lineColors.grid);
    this.blocks = new Blocks(scene.dimension);
    this.mark = makeRing();
    this.outline = new Outline();
    this.world.add(this.spheres.object, this.splats.object, this.surface.object, this.solids.object, this.mark);
    this.world.add(this.lines.object, this.gridLines.object, this.blocks.object, this.outline.object);
    this.world.add(new THREE.AmbientLight("#ffffff", 1.6));
    const sun = new THREE.DirectionalLight("#ffffff", 1.8);
    sun.position.copy(this.up).multiplyScalar(2).add(new THREE.Vector3(0.8, 0.5, 1.1));
    this.world.add(sun);
    this.slice(settings.slice[scene.name] ?? {});
    this.eye.open(scene, this.up);
    this.setTheme(settings.theme);
    this.frame = null;
    this.#resize();
  }
  #other = false; // the scene has other bodies than before, which may be out of the picture

  get camera() {
    return this.eye.camera;
  }
  get controls() {
    return this.eye.controls;
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
    this.eye.fit();
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

  show(frame) {
    this.frame = frame;
    this.#showMatter();
    this.#showLines();
    this.#placeSolids();
    placeRing(this.mark, frame, this.picked);
    this.#showCut();
    if (!this.eye.framed) this.frameAll(true);
    else if (this.#other && !this.eye.sees(frame)) this.frameAll();
    this.#other = false;
    this.draw();
  }

  #placeSolids() {
    this.solids.place(this.frame.poses, settings);
    this.eye.floor = this.solids.floor(this.up);
  }

  // As particles, as surfaces, or as both; as particles where there is no surface.
  #showMatter() {
    const draw = this.draws ?? settings.draw;
    const surface = draw !== "particles" && this.surface.show(this.frame.surface);
    if (draw === "particles") this.surface.show(null);
    this.particles = surface && draw === "surface" ? { ...this.frame, rows: 0 } : this.frame;
    this.spheres.object.visible = !this.software && this.particles.rows > 0;
    this.splats.object.visible = this.software && this.particles.rows > 0;
    if (this.spheres.object.visible) this.spheres.show(this.particles);
  }

  // What is drawn, for its number and time: a simulation goes on while a surface is made, which is of its own moment.
  get moment() {
    return this.particles === this.frame ? this.frame : this.frame.surface;
  }
  // Where the surface is not of the moment of the particles beside it: of which.
  get surfaceMoment() {
    const { surface } = this.frame;
    return this.surface.object.visible && surface.time !== this.moment.time ? `surface of t = ${surface.time.toFixed(4)} s` : "";
  }

  // After a change of what is shown beside the particles.
  refresh() {
    if (!this.frame) return;
    this.#placeSolids();
    this.#showLines();
    this.#showCut();
    this.draw();
  }

  #showLines() {
    this.blocks.object.visible = settings.blocks && hasGrid(this.scene);
    if (this.blocks.object.visible) this.blocks.show(this.frame, this.scene.dx);
    const { grid } = this.frame;
    const size = new THREE.Vector3(...this.scene.region.max).distanceTo(new THREE.Vector3(...this.scene.region.min));
    // Of the fastest seen so far. Flat matter has all its lines side by side, where long ones hide each other, and nodes stand in rows.
    const flat = this.dimension === 2;
    const apart = this.scene.dx * (grid?.every ?? 1);
    this.#showVelocities(this.lines, settings.velocity && this.frame.data.v && this.frame, flat ? Math.max(2 * this.scene.dx, 0.015 * size) : 0.05 * size);
    this.#showVelocities(this.gridLines, settings.grid && grid?.data && grid, flat ? apart : 2 * apart);
  }

  #showVelocities(lines, of, longest) {
    if (of) lines.speed = Math.max(lines.speed ?? 0, fastest(of));
    lines.show(of, lines.speed > 0 ? (longest * settings.velocityScale) / lines.speed : 0);
  }

  // others: frames that are to be in the picture too
  frameAll(first = false, others = []) {
    if (this.frame) this.eye.frameAll([this.frame, ...others], first, this.extent?.());
  }

  paint(colors, counted) {
    this.spheres.paint(colors, counted);
    this.splats.paint(colors, counted);
  }

  // Where the matter is, and the colliders that are shown and have an end.
  around() {
    return boundsOf(this.frame).union(this.solids.bounds());
  }
  matter() {
    return boundsOf(this.frame);
  }

  // As slice.js has it.
  slice(cut) {
    this.#cut = cut;
    const plane = planeOf(cut);
    const { slice } = this.spheres.uniforms;
    slice.value.set(...(plane?.normal.toArray() ?? [0, 0, 0]), plane?.offset ?? 1);
    this.solids.slice(plane ? [new THREE.Plane(plane.normal.clone().negate(), plane.offset)] : []);
    this.#showCut();
    this.draw();
  }
  #cut = {};

  #showCut() {
    this.outline.object.visible = Boolean(this.frame?.rows && planeOf(this.#cut));
    if (this.outline.object.visible) this.outline.show(this.#cut, this.around());
  }

  pick(row) {
    this.picked = row;
    placeRing(this.mark, this.frame, row);
    this.draw();
  }

  // The row of the particle that is seen at a place of the canvas (CSS pixels), or null.
  particleAt(px, py) {
    if (!this.frame) return null;
    return particleAt({ frame: this.frame, eye: this.eye, canvas: this.canvas, slice: this.spheres.uniforms.slice.value }, px, py);
  }

  // Soon, and not before the picture before is done: pictures that a machine has no time for would pile up.
  draw() {
    if (this.#wanted) return;
    this.#wanted = true;
    this.#settled = this.#settled.then(() => this.#picture()).catch(reportError);
  }

  // When what was to be drawn is on the canvas; a page that nobody sees has nothing to wait for.
  settled() {
    return document.hidden ? Promise.resolve() : this.#settled;
  }

  async #picture() {
    await new Promise(requestAnimationFrame);
    this.#wanted = false;
    const started = performance.now();
    const hurried = this.software && this.#cost > slow && started - this.#last < 500 && !this.#rest;
    this.#rest = false;
    this.drawNow(hurried ? 0.5 : this.#sharp);
    this.#last = performance.now();
    if (!hurried) this.#cost = this.#last - started;
    clearTimeout(this.#later);
    if (hurried) this.#later = setTimeout(() => this.#drawInFull(), 300);
    await this.#finished();
    await this.filmed;
    this.took = performance.now() - started;
  }
  #drawInFull() {
    this.#rest = true;
    this.draw();
  }
  took = 0; // ms, of the last picture until it was on the canvas
  #settled = Promise.resolve();
  #cost = 0; // ms of the last picture in full, without what GL did later
  #last = 0;
  #later = 0;
  #rest = false; // nothing moved since the last picture: the next one may take its time

  // GL is given its orders at once, and obeys later.
  async #finished() {
    const gl = this.renderer.getContext();
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (!fence) return; // the context is lost
    gl.flush();
    while (gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.UNSIGNALED) await new Promise((done) => setTimeout(done, 4));
    gl.deleteSync(fence);
  }

  drawNow(ratio = this.#sharp) {
    if (!this.frame) return;
    this.#setRatio(ratio);
    const { uniforms } = this.spheres;
    const size = settings.size * this.scene.camera.radius * (this.frame.data.radius ? 1 : this.frame.radius);
    uniforms.pixels.value = this.eye.pixelsPerUnit(this.canvas.height);
    uniforms.size.value = size;
    if (this.splats.object.visible) {
      const { width, height } = this.canvas;
      this.camera.updateMatrixWorld();
      this.splats.draw(this.particles, this.camera, {
        ...{ width, height, size, scale: this.eye.pixelsPerUnit(this.canvas.height) / 2 },
        ...{ low: uniforms.low.value, high: uniforms.high.value, slice: uniforms.slice.value },
        every: ratio < this.#sharp ? oddUp(this.particles.rows / most) : 1,
      });
    }
    this.renderer.render(this.world, this.camera);
    this.drawn += 1;
    this.filmed = this.whenDrawn?.();
    this.seenAnew?.();
  }
}
