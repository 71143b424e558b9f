// Colliders, grips and the domain.
import * as THREE from "three";

function geometryOf(solid) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(solid.points), 3));
  geometry.setIndex(solid.triangles.flat());
  if (solid.shape === "box") {
    const flat = geometry.toNonIndexed();
    flat.computeVertexNormals();
    return flat;
  }
  geometry.computeVertexNormals();
  return geometry;
}

// A plane goes on without end: a wide disc that fades away, round the square that stands for it.
function discOf(solid) {
  const [a, b, c] = [0, 1, 2].map((i) => new THREE.Vector3(...solid.points.slice(3 * i, 3 * i + 3)));
  const [along, across] = [b.clone().sub(a), c.clone().sub(b)];
  const middle = a.clone().add(c).multiplyScalar(0.5);
  const points = [middle];
  const rounds = [0.5, 1, 2];
  const alphas = [0.75];
  const steps = 48;
  rounds.forEach((far, round) => {
    for (let i = 0; i < steps; ++i) {
      const angle = (2 * Math.PI * i) / steps;
      points.push(middle.clone().addScaledVector(along, far * Math.cos(angle)).addScaledVector(across, far * Math.sin(angle)));
      alphas.push([0.7, 0.4, 0][round]);
    }
  });
  const index = [];
  for (let i = 0; i < steps; ++i) {
    const next = (i + 1) % steps;
    index.push(0, 1 + i, 1 + next);
    for (let round = 0; round + 1 < rounds.length; ++round) {
      const [inner, outer] = [1 + round * steps, 1 + (round + 1) * steps];
      index.push(inner + i, outer + i, outer + next, inner + i, outer + next, inner + next);
    }
  }
  const geometry = new THREE.BufferGeometry().setFromPoints(points).setIndex(index);
  geometry.setAttribute("color", new THREE.BufferAttribute(Float32Array.from(alphas.flatMap((alpha) => [1, 1, 1, alpha])), 4));
  geometry.computeVertexNormals();
  return geometry;
}

// A point of a plane and the side that matter is on.
function sideOf({ points }) {
  const [a, b, c] = [0, 1, 2].map((i) => new THREE.Vector3(...points.slice(3 * i, 3 * i + 3)));
  return { point: a.clone().add(c).multiplyScalar(0.5), normal: b.sub(a).cross(c.sub(a)).normalize() };
}

function edgesOf(solid) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(solid.points), 3));
  geometry.setIndex(solid.edges.flat());
  return geometry;
}

export class Solids {
  constructor(solids, scene) {
    this.object = new THREE.Group();
    this.items = solids.map((solid) => this.#make(solid, scene.dimension));
    this.items.forEach((item) => this.object.add(item.object));
    this.ground = scene.domain && new THREE.Vector3(...scene.domain.min);
    this.domain = scene.domain ? this.#box(scene) : new THREE.Group();
    this.object.add(this.domain);
  }

  #make(solid, dimension) {
    const object = new THREE.Group();
    object.matrixAutoUpdate = false;
    const grip = solid.kind === "grip";
    const color = solid.color ?? (grip ? "#c8963c" : "#7c8694");
    const opacity = solid.opacity ?? 1;
    const plane = solid.shape === "plane" && dimension === 3;
    const glass = grip || plane || opacity < 1;
    const Material = dimension === 2 || plane ? THREE.MeshBasicMaterial : THREE.MeshLambertMaterial; // a plane is lit alike everywhere
    const material = new Material({
      color,
      side: plane ? THREE.FrontSide : THREE.DoubleSide, // from behind, a floor or a wall is not in the way
      transparent: glass || dimension === 2,
      opacity: opacity * (grip ? 0.16 : dimension === 2 ? 0.55 : 1),
      depthWrite: !glass && dimension === 3,
    });
    if (solid.triangles.length) {
      const mesh = new THREE.Mesh(plane ? discOf(solid) : geometryOf(solid), material);
      material.vertexColors = plane;
      if (dimension === 2) mesh.position.z = grip ? -2e-3 : -1e-3;
      mesh.renderOrder = plane ? 1 : glass ? 2 : -1;
      object.add(mesh);
    }
    if (solid.edges.length) object.add(new THREE.LineSegments(edgesOf(solid), new THREE.LineBasicMaterial({ color })));
    object.userData = { name: solid.name };
    return { object, grip, endless: solid.shape === "plane", plane: plane && sideOf(solid), visible: (solid.visible ?? true) && opacity > 0, material };
  }

  #box({ domain, dimension }) {
    const [a, b] = [domain.min, domain.max].map((p) => new THREE.Vector3(...p));
    if (dimension === 2) a.z = b.z = 0;
    const box = new THREE.Box3Helper(new THREE.Box3(a, b), "#8090a4");
    box.material.transparent = true;
    box.material.opacity = 0.5;
    return box;
  }

  // Each pose: whether it is there, and the three rows that take a drawn point to where it is.
  place(poses, show) {
    this.items.forEach((item, i) => {
      const pose = poses[i];
      item.object.visible = Boolean(pose?.[0]) && item.visible && (item.grip ? show.grips : show.solids);
      if (pose) item.object.matrix.set(...pose.slice(1), 0, 0, 0, 1);
      item.object.matrixWorldNeedsUpdate = true;
    });
    this.domain.visible = show.domain;
  }

  // How high the ground is that is shown: planes that face up, or the foot of the domain. Nothing where there is none.
  floor(up) {
    const heights = this.ground && this.domain.visible ? [this.ground.dot(up)] : [];
    for (const { object, plane } of this.items) {
      if (!plane || !object.visible || plane.normal.clone().transformDirection(object.matrix).dot(up) < 0.99) continue;
      heights.push(plane.point.clone().applyMatrix4(object.matrix).dot(up));
    }
    return heights.length ? Math.max(...heights) : null;
  }

  // Of the colliders that are there and have an end.
  bounds() {
    const box = new THREE.Box3();
    for (const { object, grip, endless } of this.items) if (object.visible && !grip && !endless) box.expandByObject(object);
    return box;
  }

  slice(planes) {
    for (const { material } of this.items) material.clippingPlanes = planes;
  }
}
