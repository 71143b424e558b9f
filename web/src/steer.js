// Changes of a simulation that goes on: what happens in it, what is added, every value of its scene; and where its time goes.
import { AddBody } from "./add.js";
import { make } from "./dom.js";
import { Events } from "./events.js";
import { AddPart } from "./part.js";
import { getJson, getText } from "./server.js";
import { changes } from "./simulation.js";
import { Values } from "./values.js";
import { happened, inWords } from "./waiting.js";

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
    const button = (textContent, click, title = "") => {
      const element = make("button", { type: "button", textContent, title });
      element.addEventListener("click", click);
      return element;
    };
    const waiting = (...buttons) => {
      const [text, list] = [make("span"), make("ul")];
      return Object.assign(make("div", { className: "pending", hidden: true }, text, " ", ...buttons, list), { text, list });
    };
    this.soon = waiting(button("forget those", () => send({ do: "forget", what: "next frame" })));
    this.later = waiting(button("restart now", () => app.order("restart")), " ", button("forget them", () => send({ do: "forget" })));
    this.hand = waiting(button("restart without", () => app.order("afresh"), "Drops them; what was set or added for a restart stays (shift R)"));
    this.unlike = waiting(button("back to the scene file", () => app.order("original"), "Drops everything changed, added and done since"));
    const folded = (title, open, ...content) => make("details", { open, className: "fold" }, make("summary", { textContent: title }), ...content);
    this.bodyFold = folded("Add a body", false, this.body.form.box);
    this.bodyFold.addEventListener("toggle", () => this.body.propose());
    box.append(
      this.soon,
      this.later,
      this.hand,
      this.unlike,
      folded("Trigger an event", true, this.events.form.box, make("p", { textContent: "Or hold shift and drag on the matter itself." })),
      this.bodyFold,
      folded("Add another part", false, this.part.form.box),
      make("h2", { textContent: "Values of the scene" }),
      make("p", { className: "signs", innerHTML: '<i class="now">●</i> takes effect at once  <i class="soon">▸</i> from the next frame on  <i class="later">↻</i> after a restart' }),
      this.values.box,
      make("h2", { textContent: "Where the time goes" }),
      this.stages,
    );
  }

  async open(scene) {
    if (!scene.live) return;
    this.scene = scene;
    const [panel, forms, toml] = await Promise.all([getJson("panel"), getJson("forms"), getText("toml?of=run")]);
    this.forms = forms;
    this.toml = toml;
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

  // What was wrong was so of the run before; what could not happen any more can now.
  startAgain() {
    for (const { form } of [this.events, this.body, this.part]) form.tell("");
    this.body.settle();
    this.values.forgetWrong();
  }

  update(state) {
    if (!this.scene || !state.live || this.box.hidden) return;
    const { waiting, for_restart: later, by_hand: done, unlike_file: unlike, pending } = state.live;
    const tell = (box, count, text, list = [], words = inWords) => {
      box.hidden = !count;
      box.text.textContent = text;
      const told = JSON.stringify([list, this.toml]);
      if (told !== box.told) box.list.replaceChildren(...words(list, this.toml).map((line, i) => make("li", { textContent: line, title: list[i] })));
      box.told = told;
    };
    tell(this.soon, waiting, `${waiting} at the ${this.app.simulation.nextMoment}:`, pending.next_frame);
    tell(this.later, later, `${later} after a restart (R):`, pending.after_restart);
    tell(this.hand, done.length, `${changes(done.length)} made by hand, which a restart repeats:`, done, happened);
    tell(this.unlike, unlike, `${changes(unlike)} since the scene file.`);
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
