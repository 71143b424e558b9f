// The overlay that explains the page.
const keys = [
  ["space", "play or pause; while a simulation is followed: pause or resume it, also right after R"],
  ["← →", "one frame back or forward; with shift ten"],
  ["Home End", "first frame; last frame, or follow the simulation"],
  ["L E", "repeat; play every frame instead of skipping some where drawing is slow"],
  ["S N R", "simulation: one step, on to the next frame, restart and repeat what was done by hand; shift R: without that"],
  ["F", "fit everything into the picture (also a double click)"],
  ["C", "next colour; choose its range in the legend under the picture"],
  ["V G", "velocities as lines: of particles (magenta), of grid nodes (cyan)"],
  ["X", "matter as particles, as surfaces with their cracks, as both"],
  ["P M", "save a picture; film every frame, or the simulation that is followed, without its pauses, until it ends or you press M again"],
  ["B", "show or hide the side panels"],
  ["T", "dark or light"],
  ["H ?", "this help"],
];
const mouse = [
  ["drag", "turn the scene; below a floor only if colliders are hidden (View); in 2D move it"],
  ["right drag", "move it"],
  ["wheel", "zoom"],
  ["click", "list all columns of a particle, also in the picture beside; on a plot: go to that time"],
  ["shift and drag", "on the matter of a simulation: pull it"],
];
const panels = [
  ["View", "colours, what is drawn, slices, velocities, a second view beside, saving the scene, frame, picture and film"],
  ["Plots", "energies, motion, matter, time steps and what the scene's probes measure, with the values at the mark; dashed: the run beside"],
  ["Particle", "all columns of the particle that was clicked"],
  ["Steer", "of a simulation: events, adding bodies and other parts, every value of the scene, where the time goes"],
  ["Log", "messages of the run"],
];

const lines = (list, mark) => list.map(([what, text]) => `<tr><td>${mark(what)}</td><td>${text}</td></tr>`).join("");

export function fillHelp(dialog) {
  const keyed = (key) => `<kbd>${key.split(" ").join("</kbd> <kbd>")}</kbd>`;
  dialog.innerHTML = `
    <h2 tabindex="-1" autofocus>Watching a run</h2>
    <p>Use the slider below to move through the frames. While a scene is being simulated, <b>live</b> follows the latest state; separate
    buttons pause, step, advance one frame or restart. Every change is recorded, so rerunning the scene in the run folder repeats it.</p>
    <div class="columns">
      <table>${lines(mouse, (m) => `<b>${m}</b>`)}${lines(panels, (p) => `<b>${p}</b>`)}</table>
      <table>${lines(keys, keyed)}</table>
    </div>
    <form method="dialog"><button>Close</button></form>`;
}
