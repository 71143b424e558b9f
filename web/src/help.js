// The overlay that explains the page.
const keys = [
  ["space", "play or pause; of a simulation that is followed: pause or go on"],
  ["← →", "one frame back, on; with shift ten"],
  ["Home End", "first frame; last frame, or the simulation as it goes"],
  ["L", "play again and again"],
  ["shift", "with a drag at the matter of a simulation: pull on it"],
  ["F", "all in the picture"],
  ["C", "next colour"],
  ["V", "velocities as lines"],
  ["S N R", "simulation: one step, on to the next frame, start again"],
  ["P M", "save a picture; start or end the recording of a film"],
  ["B", "plots, particle, steering and log at the side"],
  ["T", "dark or light"],
  ["H ?", "this help"],
];

export function fillHelp(dialog) {
  const rows = keys.map(([key, what]) => `<tr><td><kbd>${key.split(" ").join("</kbd> <kbd>")}</kbd></td><td>${what}</td></tr>`);
  dialog.innerHTML = `
    <h2>Watching a run</h2>
    <p>Drag to turn the scene, with the right button to move it, and scroll to come nearer; in 2D drag to move. Click on a particle to read all
    that it carries. The slider at the foot goes through the frames; a click on a plot goes to that time.</p>
    <p>Of a scene that is simulated here, <b>live</b> follows it as it goes, and its own buttons pause it, go on by a step or a frame, and start it
    again. The tab <b>Steer</b> changes it; every change is written down, so that the scene in the run folder does it again.</p>
    <table>${rows.join("")}</table>
    <form method="dialog"><button>Close</button></form>`;
}
