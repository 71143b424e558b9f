// What the mouse does on the picture, and the keys anywhere.
import { settings } from "./settings.js";

// A click in the picture beside reads a particle there.
function listenBeside(app, canvas) {
  let down = null;
  canvas.addEventListener("pointerdown", (event) => (down = [event.offsetX, event.offsetY, event.button]));
  canvas.addEventListener("pointerup", (event) => {
    if (down && down[2] === 0 && Math.hypot(event.offsetX - down[0], event.offsetY - down[1]) < 4) app.side.pickAt(event.offsetX, event.offsetY, app.beside.stage);
    down = null;
  });
  canvas.addEventListener("dblclick", () => app.frameAll());
}

function listenToMouse(app) {
  const { canvas } = app.stage;
  let down = null;
  // Before the camera's own, which shift would have move the scene.
  canvas.addEventListener(
    "pointerdown",
    (event) => {
      down = [event.offsetX, event.offsetY, event.button];
      if (event.shiftKey && event.button === 0 && app.pull.begin(event.offsetX, event.offsetY)) canvas.setPointerCapture(event.pointerId);
    },
    { capture: true },
  );
  canvas.addEventListener("pointermove", (event) => app.pull.move(event.offsetX, event.offsetY));
  canvas.addEventListener("pointerup", (event) => {
    if (app.pull.active) {
      app.pull.end();
      down = null;
      return;
    }
    const still = down && down[2] === 0 && Math.hypot(event.offsetX - down[0], event.offsetY - down[1]) < 4;
    if (still && !app.steer.body.click(event.offsetX, event.offsetY)) app.side.pickAt(event.offsetX, event.offsetY);
    down = null;
  });
  canvas.addEventListener("dblclick", () => app.frameAll());
}

const keys = {
  " ": (app) => (app.simulation.open && app.player.follow ? app.simulation.toggle() : app.togglePlay()),
  ArrowLeft: (app, far) => app.move(-far),
  ArrowRight: (app, far) => app.move(far),
  Home: (app) => app.seek(0),
  End: (app) => app.seek(Infinity),
  l: (app) => app.toggleLoop(),
  e: (app) => app.toggleEveryFrame(),
  f: (app) => app.frameAll(),
  c: (app) => app.paint.next(),
  v: (app) => app.setLook("velocity", !settings.velocity),
  g: (app) => app.setLook("grid", !settings.grid),
  x: (app) => app.setLook("draw", { particles: "surface", surface: "both", both: "particles" }[settings.draw]),
  s: (app) => app.order("step"),
  n: (app) => app.order("frame"),
  r: (app, far) => app.order(far > 1 ? "afresh" : "restart"),
  p: (app) => app.saving.picture(),
  m: (app) => app.saving.film(),
  b: (app) => app.side.toggle(),
  t: (app) => app.setTheme(settings.theme === "dark" ? "light" : "dark"),
  h: (app) => app.help(),
  "?": (app) => app.help(),
};

const ofLists = CSS.supports("selector(select:open)") ? "select:open, select[multiple]" : "select";
const written = `input:not([type=range]):not([type=checkbox]), ${ofLists}, textarea, dialog`; // takes its keys itself
const pressed = "button, summary, select, input[type=checkbox]"; // those who have come by Tab press it with space

function listenToKeys(app) {
  const listener = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !app.scene) return;
    if (event.target.closest?.(written) || (event.key === " " && event.target.closest?.(pressed))) return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action(app, event.shiftKey ? 10 : 1);
  };
  addEventListener("keydown", listener, { capture: true }); // the panel View lets none out
  // What was used by the mouse, or chosen from, gives the keys back to the page.
  addEventListener("click", (event) => event.detail && event.target.closest("button, summary")?.blur());
  addEventListener("change", ({ target }) => target.matches("select, input[type=checkbox]") && target.blur());
}

export function listen(app) {
  listenToMouse(app);
  listenBeside(app, document.getElementById("canvas2"));
  listenToKeys(app);
}
