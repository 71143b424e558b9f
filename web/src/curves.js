// What of a run's statistics can be plotted, in groups; what the run has not is left out.

// By group and name: the columns, and their unit. What the program may add some day stands among the probes.
const known = {
  energy: {
    energies: [["kinetic", "elastic", "gravitational", "dissipated", "total"], "J"],
    "work done": [["contact_work", "body_work"], "J"],
    heat: [["heat", "heat_in"], "J"],
  },
  motion: {
    momentum: [["momentum_x", "momentum_y", "momentum_z"], "kg m/s"],
    "angular momentum": [["angular_momentum_x", "angular_momentum_y", "angular_momentum_z"], "kg m²/s"],
    "centre of mass": [["center_x", "center_y", "center_z"], "m"],
    "bounding box": [["min_x", "max_x", "min_y", "max_y", "min_z", "max_z"], "m"],
    "largest speed": [["max_speed"], "m/s"],
  },
  matter: {
    particles: [["particles"], ""],
    mass: [["mass", "mass_in", "mass_out", "mass_kept_out"], "kg"],
    volume: [["volume", "liquid_volume"], "m³"],
    stretch: [["least_stretch", "most_stretch"], ""],
    "collapsed particles": [["collapsed"], ""],
  },
  "time steps": {
    "time step": [["dt_min", "dt_max"], "s"],
    "steps per frame": [["steps", "retries"], ""],
    "steps in total": [["step"], ""],
    "iterations per frame": [["newton", "cg", "pressure_iterations", "density_iterations"], ""],
  },
  method: {
    "deformation skipped": [["turned", "turned_shed", "turned_few", "turned_flat", "turned_inverted"], ""],
    "clamped volumes": [["volume_clamped"], ""],
    "embeddings computed": [["embeddings"], ""],
    "residual of the rest space": [["embedding_residual"], ""],
    "over-density": [["over_density", "over_density_rms"], ""],
    "lowest pressure": [["least_pressure"], "Pa"],
    "residual of the solves": [["lcp_residual"], ""],
    "unfinished solves": [["lcp_unsolved", "contact_unsolved"], ""],
  },
};
const noCurves = ["frame", "time", "bound"];
const ofSpace = /^(momentum|center|min|max)_z$|^angular_momentum_[xy]$/; // of the table of every run, but not of a flat one

// By group: by name { names, unit }. Columns that are 0 throughout are no choice, but for a run that has hardly begun.
export function choicesOf({ names, moving, rows }, dimension) {
  const there = (name) => names.includes(name) && !(dimension === 2 && ofSpace.test(name));
  const moves = (name) => moving.has(name);
  const groups = {};
  const add = (group, choice, all, unit) => {
    const own = all.filter(there);
    const begun = rows > 1 || group === "method";
    if (own.length && (!begun || own.some(moves))) (groups[group] ??= {})[choice] = { names: own.filter((n) => n === own[0] || !begun || moves(n) || group === "energy"), unit };
  };
  for (const [group, choices] of Object.entries(known)) for (const [choice, [all, unit]] of Object.entries(choices)) add(group, choice, all, unit);
  const listed = new Set(Object.values(known).flatMap((choices) => Object.values(choices).flatMap(([all]) => all)));
  for (const name of names) if (!listed.has(name) && !noCurves.includes(name)) add("probes", name, [name], "");
  return groups;
}
