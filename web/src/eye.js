// The camera of a stage, and what of the scene it has in the picture: turned and moved by the mouse, straight on in 2D.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

// Where the particles of a frame are, but for a few that strayed far away.
export function boundsOf(frame) {
  const { x } = frame.data;
  const { dimension: d, rows, radius } = frame;
  const every = Math.max(1, Math.floor(rows / 20_000));
  const sides = [0, 1, 2].map((c) => {
    if (c >= d) return [0, 0];
    const values = [];
    for (let i = 0; i < rows; i += every) if (Number.isFinite(x[i * d + c])) values.push(x[i * d + c]);
    values.sort((a, b) => a - b);
    if (!values.length) return [0, 0];
    const cut = Math.floor(values.length / 200);
    const [all, most] = [0, cut].map((skip) => [values[skip], values[values.length - 1 - skip]]);
    return all[1] - all[0] > 3 * (most[1] - most[0]) ? most : all;
  });
  const corner = (end) => new THREE.Vector3(...sides.map((side) => side[end]));
  return new THREE.Box3(corner(0).addScalar(-radius), corner(1).addScalar(radius));
}

const margin = 0.92; // of the picture's half that what is framed fills at most

function cornersOf(box) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((corner) => new THREE.Vector3(...["x", "y", "z"].map((axis, k) => ((corner >> k) & 1 ? box.max : box.min)[axis])));
}

export class Eye {
  framed = false; // whether it was ever told what to look at
  floor = null; // the height that it stays above
  half = 1; // 2D: metres from the middle to the upper edge, before zooming

  constructor(canvas, changed) {
    this.canvas = canvas;
    this.changed = changed;
  }

  open(scene, up) {
    const { dimension } = scene;
    const same = this.camera && Boolean(this.camera.isPerspectiveCamera) === (dimension === 3);
    this.scene = scene;
    this.up = up;
    if (!same) this.#make();
  }

  #make() {
    this.controls?.dispose();
    const deep = this.scene.dimension === 3;
    this.camera = deep ? new THREE.PerspectiveCamera(THREE.MathUtils.radToDeg(this.scene.camera.fov), 1, 0.01, 1000) : new THREE.OrthographicCamera(-1, 1, 1, -1, -1000, 1000);
    this.camera.up.copy(deep ? this.up : new THREE.Vector3(0, 1, 0));
    this.controls = new OrbitControls(this.camera, this.canvas);
    if (!deep) {
      this.controls.enableRotate = false;
      this.controls.screenSpacePanning = true;
      this.controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
      this.controls.touches.ONE = THREE.TOUCH.PAN;
    }
    this.controls.addEventListener("change", () => {
      this.#stayAbove();
      this.changed();
    });
  }

  // Turned, moved or zoomed, it does not go below the floor, which would not be seen from there.
  #stayAbove() {
    if (!this.camera.isPerspectiveCamera) return;
    const { target } = this.controls;
    const away = this.camera.position.distanceTo(target);
    const rise = this.floor === null ? -1 : (this.floor - target.dot(this.up)) / away + 0.01;
    this.controls.maxPolarAngle = Math.acos(THREE.MathUtils.clamp(rise, -1, 1));
    if (rise > -1 && this.camera.position.dot(this.up) < target.dot(this.up) + (rise - 1e-3) * away) this.controls.update();
  }

  get #size() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    return { width, height };
  }

  // To the size of the canvas.
  fit() {
    if (!this.camera) return;
    const { width, height } = this.#size;
    if (this.camera.isPerspectiveCamera) {
      this.camera.aspect = width / height;
    } else {
      this.camera.left = (-this.half * width) / height;
      this.camera.right = (this.half * width) / height;
      this.camera.top = this.half;
      this.camera.bottom = -this.half;
    }
    this.camera.updateProjectionMatrix();
  }

  // After it was moved.
  refit() {
    this.fit();
    this.#stayAbove();
    this.controls.update();
    this.changed();
  }

  #region() {
    const { min, max } = this.scene.region;
    const region = new THREE.Box3(new THREE.Vector3(...min), new THREE.Vector3(...max));
    if (this.scene.dimension === 2) region.min.z = region.max.z = 0;
    return region;
  }

  #matter(frame) {
    return frame.rows ? boundsOf(frame) : this.#region(); // none is there yet
  }

  // Whether all matter is in the picture.
  sees(frame) {
    const box = this.#matter(frame);
    this.camera.updateMatrixWorld();
    return cornersOf(box).every((corner) => {
      const at = corner.project(this.camera);
      return Math.abs(at.x) <= 1 && Math.abs(at.y) <= 1 && at.z <= 1;
    });
  }

  // All that is there in the picture. The first time, all that will be: the scene's region and where the matter gets (`extent`) too,
  // seen by its own camera.
  frameAll(frames, first, extent) {
    this.framed = true;
    const box = frames.reduce((all, frame) => all.union(this.#matter(frame)), new THREE.Box3());
    if (first) {
      const region = this.#region();
      if (extent) region.union(new THREE.Box3(new THREE.Vector3(...extent.min), new THREE.Vector3(...extent.max)));
      // A domain much larger than its matter would leave a speck in the middle.
      if (region.getSize(new THREE.Vector3()).length() < 6 * box.getSize(new THREE.Vector3()).length()) box.union(region);
    }
    if (this.scene.dimension === 2) this.#lookStraight(box);
    else this.#lookAt(box, first);
    this.refit();
  }

  #lookStraight(box) {
    const center = box.getCenter(new THREE.Vector3());
    const size = box.getSize(new THREE.Vector3());
    const { width, height } = this.#size;
    this.half = 0.56 * Math.max(size.y, (size.x * height) / width, 1e-9);
    this.camera.zoom = 1;
    this.controls.target.copy(center);
    this.camera.position.set(center.x, center.y, 10);
  }

  #lookAt(box, first) {
    const center = box.getCenter(new THREE.Vector3());
    const { position, target } = this.scene.camera;
    const radius = Math.max(0.5 * box.getSize(new THREE.Vector3()).length(), 1e-9);
    const own = first && position;
    this.controls.target.copy(own && target ? new THREE.Vector3(...target) : center);
    const from = new THREE.Vector3(0.45, 0.28, 1).applyQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), this.up));
    const away = own ? new THREE.Vector3(...own).sub(this.controls.target) : first ? from : this.camera.position.clone().sub(this.controls.target);
    const far = own ? away.length() : 0; // its own camera may be moved back, but not nearer
    const distance = Math.max(far, this.#farEnough(box, away.normalize()));
    this.camera.position.copy(this.controls.target).addScaledVector(away, distance);
    this.camera.near = radius * 1e-3;
    this.camera.far = radius * 200 + distance;
  }

  // How far from the target the eye has to be, in this direction, to have all corners of a box in the picture.
  #farEnough(box, away) {
    const { target } = this.controls;
    const { width, height } = this.#size;
    const high = margin * Math.tan(0.5 * this.scene.camera.fov);
    const wide = (high * width) / height;
    const [right, up] = [new THREE.Vector3(), new THREE.Vector3()];
    new THREE.Matrix4().lookAt(away, new THREE.Vector3(), this.camera.up).extractBasis(right, up, new THREE.Vector3());
    const needed = cornersOf(box).map((corner) => {
      const at = corner.sub(target);
      return at.dot(away) + Math.max(Math.abs(at.dot(right)) / wide, Math.abs(at.dot(up)) / high);
    });
    return Math.max(...needed, 1e-9);
  }

  // How much there is in the picture: metres from its middle to its edge, or the distance of the eye.
  get reach() {
    return this.scene.dimension === 2 ? this.half : this.camera.position.distanceTo(this.controls.target);
  }
  set reach(reach) {
    if (this.scene.dimension === 2) this.half = reach;
    else this.camera.position.sub(this.controls.target).setLength(reach).add(this.controls.target);
    this.camera.far = Math.max(this.camera.far, 2 * reach);
    this.refit();
  }

  // Diameter in pixels of a ball of radius 1 on a canvas of so many, times its distance in 3D.
  pixelsPerUnit(height) {
    if (this.camera.isPerspectiveCamera) return height / Math.tan(THREE.MathUtils.degToRad(this.camera.fov) / 2);
    return (height / this.half) * this.camera.zoom;
  }
}
