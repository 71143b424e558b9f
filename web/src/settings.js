// What the page remembers from one visit to the next.

const key = "knead-view";
const defaults = {
  theme: matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark",
  side: true,
  tab: "plots",
  plots: ["energies", "time step"],
  history: "speed", // of the particle that was picked
  loop: true,
  speed: 1,
  everyFrame: false, // is played, however long that takes
  color: {}, // by scene
  colormap: {},
  fixed: {}, // by scene: the colour and its range, where that is fixed
  slice: {}, // by scene
  range: "seen", // of the colours, or "frame"
  size: 1,
  draw: "particles", // or "surface", or "both"
  velocity: false,
  grid: false, // velocities of its nodes
  velocityScale: 1,
  solids: true,
  grips: true,
  domain: true,
  blocks: false,
};

function read() {
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem(key) ?? "{}") };
  } catch {
    return { ...defaults };
  }
}

export const settings = read();

export function remember() {
  try {
    localStorage.setItem(key, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still shows everything.
  }
}
