// The overlay that explains the page.
const keys = [
  ["space", "play or pause; of a simulation that is followed: pause or go on, also right after R"],
  ["← →", "one frame back, on; with shift ten"],
  ["Home End", "first frame; last frame, or the simulation as it goes"],
  ["L E", "play again and again; play every frame, instead of leaving some out where drawing is slow"],
  ["S N R", "simulation: one step, on to the next frame, start again, which repeats what was done by hand; shift R: without that"],
  ["F", "all in the picture (also a double click)"],
  ["C", "next colour; what its range is of is chosen in the legend under the picture"],
  ["V G", "velocities of particles, of grid nodes, as lines, magenta and cyan"],
  ["X", "matter as particles, as surfaces with their cracks, as both"],
  ["P M", "save a picture; make a film of every frame, or of a simulation that is followed, without its pauses, until it ends or M is pressed again"],
  ["B", "show or hide the panels at the side"],
  ["T", "dark or light"],
  ["H ?", "this help"],
];
const mouse = [
  ["drag", "turn the scene; below a floor only where colliders are not shown (View); in 2D move it"],
  ["right drag", "move it"],
  ["wheel", "come nearer, go away"],
  ["click", "read all that a particle carries, also in the picture beside; on a plot: go to that time"],
  ["shift and drag", "at the matter of a simulation: pull on it"],
];
const panels = [
  ["View", "colours, what is drawn, slices, velocities, a second view beside, saving of scene, frame, picture and film"],
  ["Plots", "energies, motion, matter, time steps and what the scene's probes measure, with the values at the mark; dashed: the run beside"],
  ["Particle", "all columns of the particle that was clicked"],
  ["Steer", "of a simulation: events, bodies and other parts to add, every value of the scene, where the time goes"],
  ["Log", "what the run says"],
];

const lines = (list, mark) => list.map(([what, text]) => `<tr><td>${mark(what)}</td><td>${text}</td></tr>`).join("");

export function fillHelp(dialog) {
  const keyed = (key) => `<kbd>${key.split(" ").join("</kbd> <kbd>")}</kbd>`;
  dialog.innerHTML = `
    <h2 tabindex="-1" autofocus>Watching a run</h2>
    <p>The slider at the foot goes through the frames. Of a scene that is simulated here, <b>live</b> follows it as it goes, and its own buttons
    pause it, go on by a step or a frame, and start it again. Every change is written down: the scene in the run folder does it again.</p>
    <div class="columns">
      <table>${lines(mouse, (m) => `<b>${m}</b>`)}${lines(panels, (p) => `<b>${p}</b>`)}</table>
      <table>${lines(keys, keyed)}</table>
    </div>
    <form method="dialog"><button>Close</button></form>`;
}
