// Changes of a simulation that goes on: what happens in it, what is added, every value of its scene; and where its time goes.
import { AddBody, AddPart } from "./add.js";
import { make } from "./dom.js";
import { Events } from "./events.js";
import { getJson } from "./server.js";
import { Values } from "./values.js";

export class Steer {
  constructor(box, app) {
    this.box = box;
    this.app = app;
    const send = (order, settled) => this.#send(order, settled);
    this.events = new Events(send);
    this.body = new AddBody(app, send);
    this.values = new Values(send, { waiting: () => app.state?.live?.waiting > 0, ended: () => app.simulation.ended });
    this.part = new AddPart(send, (path) => this.values.reveal(path));
    this.stages = make("div", { className: "bars" });
    this.pending = make("p", { className: "pending", hidden: true });
    this.waiting = make("span");
    const restart = make("button", { type: "button", textContent: "restart now" });
    restart.addEventListener("click", () => app.order("restart"));
    const forget = make("button", { type: "button", textContent: "forget them" });
    forget.addEventListener("click", () => send({ do: "forget" }));
    this.later = make("span", {}, restart, " ", forget);
    this.pending.append(this.waiting, this.later);
    const folded = (title, open, ...content) => make("details", { open, className: "fold" }, make("summary", { textContent: title }), ...content);
    box.append(
      this.pending,
      folded("Let something happen", true, this.events.form.box, make("p", { textContent: "Or hold shift and drag at the matter itself." })),
      folded("Add a body", true, this.body.form.box),
      folded("Add another part", false, this.part.form.box),
      make("h2", { textContent: "Values of the scene" }),
      make("p", { className: "signs", innerHTML: '<i class="now">●</i> acts at once  <i class="soon">▸</i> from the next frame on  <i class="later">↻</i> after a restart' }),
      this.values.box,
      make("h2", { textContent: "Where the time goes" }),
      this.stages,
    );
  }

  async open(scene) {
    if (!scene.live) return;
    this.scene = scene;
    this.forms ??= await getJson("forms");
    const panel = await getJson("panel");
    this.values.domain = `{ min = ${JSON.stringify(scene.region.min.slice(0, scene.dimension))}, max = ${JSON.stringify(scene.region.max.slice(0, scene.dimension))} }`;
    this.events.show(scene, panel, this.forms);
    this.body.show(scene, panel, this.forms);
    this.part.show(scene, panel, this.forms);
    this.values.show(panel, this.forms);
  }

  // Gives what is wrong with it, or nothing, to settled() first. What waits for a restart is in the panel at once.
  async #send(order, settled) {
    const wrong = await this.app.simulation.try(order);
    settled?.(wrong);
    if (!wrong && order.do !== "event") await this.open(this.scene);
    return wrong;
  }

  // What could not happen any more can now.
  startAgain() {
    this.events.form.tell("");
  }

  update(state) {
    if (!this.scene || !state.live || this.box.hidden) return;
    const { waiting, for_restart: later } = state.live;
    const parts = [];
    if (waiting) parts.push(`${waiting} at the next frame`);
    if (later) parts.push(`${later} after a restart (R)`);
    this.pending.hidden = !parts.length;
    this.later.hidden = !later;
    this.waiting.textContent = `Changes that wait: ${parts.join(", ")}. `;
    const sum = state.live.stages.reduce((all, s) => all + s.seconds, 0) || 1;
    this.stages.replaceChildren(
      ...state.live.stages.map(({ name, seconds }) => {
        const part = `${((100 * seconds) / sum).toFixed(1)} %`;
        const row = make("div", {}, make("span", { textContent: name }), make("span", { textContent: part }));
        row.style.setProperty("--part", part.replace(" ", ""));
        return row;
      }),
    );
  }
}
