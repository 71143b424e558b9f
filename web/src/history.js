// How a quantity of the particle that was picked went, over the frames that there are.
import uPlot from "uplot";
import { choiceOf, make } from "./dom.js";
import { scaled, short, unitText } from "./numbers.js";
import { quantitiesOf } from "./paint.js";
import { plainly } from "./plots.js";
import { getJson } from "./server.js";
import { remember, settings } from "./settings.js";

const font = "11px system-ui";

export class History {
  #asked = ""; // what is shown, or was asked for
  #scene = null;

  // seek(time): the user wants to see that moment.
  constructor(app) {
    this.app = app;
    this.select = choiceOf("Quantity over time", []);
    this.select.addEventListener("change", () => {
      settings.history = this.select.value;
      remember();
      this.again();
    });
    this.host = make("div");
    this.box = make("div", { className: "plot", hidden: true }, this.select, this.host);
  }

  // `of` the particle of a row of a frame: { beside, number, row, id }; nothing: none is picked.
  show(of) {
    this.of = of;
    this.box.hidden = !of;
    if (!of) return this.#forget();
    if (this.#scene !== this.app.scene) {
      this.#scene = this.app.scene;
      const names = quantitiesOf(this.app.scene);
      this.select.replaceChildren(...names.map((name) => new Option(name)));
      this.select.value = [settings.history, "speed"].find((name) => names.includes(name)) ?? names[0];
      this.#asked = "";
    }
    this.again();
  }

  // Anew where there are more frames, or another particle or quantity is wanted.
  async again() {
    const { beside, number, row, id } = this.of;
    const quantity = this.select.value;
    const asked = JSON.stringify([beside, id, quantity, this.app.player.numbers.length]);
    if (asked === this.#asked || this.busy) return this.#mark();
    this.#asked = asked;
    this.busy = true;
    try {
      const history = await getJson(`${beside ? "beside/" : ""}history?number=${number}&row=${row}&of=${encodeURIComponent(quantity)}`);
      if (this.of) this.#draw(history);
    } catch (error) {
      this.#forget();
      this.host.textContent = error.message;
    } finally {
      this.busy = false;
    }
  }

  #forget() {
    this.plot?.destroy();
    this.plot = null;
    this.#asked = "";
  }

  #draw({ title, unit, times, values }) {
    this.plot?.destroy();
    this.host.replaceChildren();
    const style = getComputedStyle(document.documentElement);
    const [ink, rule] = ["--ink", "--rule"].map((name) => style.getPropertyValue(name).trim());
    const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule }, font, labelSize: 16, labelFont: font };
    const axisOf = (of, label, size) => {
      let now = scaled(of, [0]);
      return { ...axis, size, values: (_, ticks) => ticks.map((v) => short(v / (now = scaled(of, ticks)).by)), label: () => label(now.unit) };
    };
    const options = {
      width: Math.max(200, this.host.clientWidth),
      height: 190,
      cursor: { drag: { x: false, y: false } },
      legend: { show: false },
      scales: { x: { time: false }, y: { range: (_, low, high) => (low < high ? uPlot.rangeNum(low, high, 0.1, true) : [low - 1, low + 1]) } },
      axes: [axisOf("s", (name) => `time (${name})`, 32), axisOf(unitText(unit), (name) => (name ? `${title} (${name})` : title), 58)],
      series: [
        { label: "t" },
        { label: title, stroke: "#e8563e", width: 1.5, spanGaps: true },
      ],
      hooks: { init: [(u) => u.over.append(make("div", { className: "mark" }))], draw: [() => this.#mark()] },
    };
    const build = () => new uPlot(options, [times, values], this.host);
    this.plot = this.app.plots.software ? plainly(build) : build();
    this.plot.over.addEventListener("click", () => this.app.player.seekTime(this.plot.posToVal(this.plot.cursor.left, "x"), this.app.scene));
    this.#mark();
  }

  // The time that is shown.
  #mark() {
    const mark = this.plot?.over.querySelector(".mark");
    if (!mark) return;
    const at = this.plot.valToPos(this.app.stage.moment?.time ?? 0, "x");
    mark.hidden = !(at >= 0 && at <= this.plot.over.clientWidth);
    mark.style.transform = `translateX(${at}px)`;
  }
}
