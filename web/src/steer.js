// Changes of a simulation that goes on, and where its time goes.

export class Steer {
  constructor(box, app) {
    this.box = box;
    this.app = app;
  }

  open(scene) {
    this.scene = scene;
    this.box.replaceChildren();
    if (!scene.live) return;
    this.stages = Object.assign(document.createElement("div"), { className: "bars" });
    this.box.append(Object.assign(document.createElement("h2"), { textContent: "Where the time goes" }), this.stages);
  }

  update(state) {
    if (!this.stages || !state.live || this.box.hidden) return;
    const sum = state.live.stages.reduce((all, s) => all + s.seconds, 0) || 1;
    this.stages.replaceChildren(
      ...state.live.stages.map(({ name, seconds }) => {
        const row = document.createElement("div");
        const part = `${((100 * seconds) / sum).toFixed(1)} %`;
        row.style.setProperty("--part", part.replace(" ", ""));
        row.append(...[name, part].map((textContent) => Object.assign(document.createElement("span"), { textContent })));
        return row;
      }),
    );
  }
}
