// Curves of the run's statistics over time; dashed ones are those of the run beside it.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { choicesOf } from "./curves.js";
import { field, make } from "./dom.js";
import { scaled, short } from "./numbers.js";
import { remember, settings } from "./settings.js";
import { columnOf, curvesOf, grown, indexAt, nothing } from "./table.js";

const colors = ["#e8563e", "#1b9ea3", "#d99a1c", "#3e78d6", "#68b24c", "#925ccc"];
const font = "11px system-ui";

const alone = (values) => values.reduce((count, v) => count + (typeof v === "number"), 0) === 1; // a curve of one point has no line

const often = 1000; // ms between drawings of curves that grow

// uPlot draws on a canvas of its own making. Where there is no GPU that must not be one for a GPU: a software GL takes seconds for curves
// on a machine that has other things to do.
export function plainly(make) {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    return getContext.call(this, kind, { ...options, willReadFrequently: true });
  };
  try {
    return make();
  } finally {
    HTMLCanvasElement.prototype.getContext = getContext;
  }
}

export class Plots {
  table = nothing;
  beside = null; // the other run's
  time = 0;
  software = false; // there is no GPU
  #plots = []; // { plot, host, names }

  // seek(time): the user wants to see that moment.
  constructor(box, seek) {
    this.box = box;
    this.seek = seek;
    new ResizeObserver(() => this.appear()).observe(box);
  }

  get rows() {
    return this.table.rows;
  }

  // Whether anybody sees them: otherwise nothing is drawn.
  get #shown() {
    return this.box.clientWidth > 0;
  }

  // One after the other, since each makes the tables longer.
  update(withBeside, scene) {
    return (this.#line = this.#line.catch(() => {}).then(() => this.#update(withBeside, scene)));
  }
  #line = Promise.resolve();

  async #update(withBeside, { dimension, duration }) {
    const before = this.table;
    const [table, other] = await Promise.all([grown("stats", this.table), withBeside ? grown("beside/stats", this.beside ?? nothing) : null]);
    if (this.table !== before) return; // cleared meanwhile
    const alone = !this.beside;
    this.beside = other?.names.length ? other : null;
    this.scene = { dimension, duration };
    if (!table.names.length) return;
    this.table = table;
    if (alone !== !this.beside) this.#refresh();
    else this.#soon();
  }

  // Of a run that starts again: empty, with the same curves to come.
  clear() {
    if (!this.rows) return;
    this.table = { names: this.table.names, columns: this.table.names.map(() => []), rows: 0, moving: new Set() };
    this.time = 0;
    this.#refresh();
  }

  column(name) {
    return columnOf(this.table, name);
  }

  // Of the row at or before a time.
  valueAt(name, time, table = this.table) {
    return columnOf(table, name)[indexAt(columnOf(table, "time"), time)];
  }

  // Where the matter has been: its lowest and highest coordinates.
  extent() {
    const ends = (name, best) => ["x", "y", "z"].map((c) => this.column(`${name}_${c}`).filter(Number.isFinite).reduce((a, b) => best(a, b), best === Math.min ? Infinity : -Infinity));
    return this.rows ? { min: ends("min", Math.min), max: ends("max", Math.max) } : null;
  }

  first() {
    return this.#plots[0]?.plot;
  }

  // A mark at the time that is shown, and the values there.
  setTime(time) {
    this.time = time;
    if (!this.#shown) return;
    this.#plots.forEach(({ plot }) => {
      this.#placeMark(plot);
      this.#tellMark(plot);
    });
  }

  // Unless the pointer is at another time.
  #tellMark(plot) {
    if (!(plot.cursor.left >= 0)) plot.setLegend({ idx: plot.data[0].length ? indexAt(plot.data[0], this.time) : null }, false);
  }

  // Curves that grow are drawn now and then.
  #soon() {
    if (this.#later) return;
    this.#later = setTimeout(() => this.#refresh(), Math.max(0, this.#drawn + often - performance.now()));
  }
  #later = 0;
  #drawn = -often;

  // They may just have come into sight.
  appear() {
    if (!this.#shown) return;
    this.#plots.forEach(({ plot, host }) => plot.setSize(this.#size(host)));
    if (this.#waiting) this.#refresh();
  }
  #waiting = false; // until they are seen

  // New rows; where there is more or less to plot than before, or another run's curves, also new plots.
  #refresh() {
    clearTimeout(this.#later);
    this.#later = 0;
    this.#waiting = !this.#shown;
    if (this.#waiting) return;
    this.choices = choicesOf(this.table, this.scene.dimension);
    const shape = JSON.stringify([this.choices, this.beside?.names]);
    if (shape !== this.shape) this.#build();
    else this.#plots.forEach(({ plot, names }) => plot.setData(this.#data(names)));
    this.shape = shape;
    this.#drawn = performance.now();
    this.setTime(this.time);
  }

  // Both runs' over the times of both.
  #data(names) {
    const own = curvesOf(this.table, names);
    return this.beside ? uPlot.join([own, curvesOf(this.beside, this.#shared(names))]) : own;
  }

  #shared(names) {
    return names.filter((n) => this.beside.names.includes(n));
  }

  #size(host) {
    return { width: Math.max(200, host.clientWidth), height: 190 };
  }

  #build() {
    this.#plots.forEach(({ plot }) => plot.destroy());
    this.box.replaceChildren();
    const all = Object.assign({}, ...Object.values(this.choices));
    const names = Object.keys(all);
    // What this run has not is still what the user wants of the next one.
    this.#plots = settings.plots.map((wanted, slot) => {
      const choice = all[wanted] ? wanted : names[Math.min(slot, names.length - 1)];
      return this.#one(choice, all[choice], slot);
    });
  }

  #menu(choice, slot) {
    const groups = Object.entries(this.choices).map(([label, choices]) => make("optgroup", { label }, ...Object.keys(choices).map((name) => new Option(name, name, false, name === choice))));
    const select = field("What is plotted", make("select", {}, ...groups));
    select.addEventListener("change", () => {
      settings.plots[slot] = select.value;
      remember();
      this.#build();
      this.setTime(this.time);
    });
    return select;
  }

  #one(choice, { names, unit }, slot) {
    const host = make("div");
    this.box.append(make("div", { className: "plot" }, this.#menu(choice, slot), host));
    const style = getComputedStyle(document.documentElement);
    const [ink, rule] = ["--ink", "--rule"].map((name) => style.getPropertyValue(name).trim());
    const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule }, font, labelSize: 16, labelFont: font };
    const thick = choice === "volume" && this.scene.dimension === 2 ? ", 1 m thick" : "";
    const axisOf = (of, label, size) => {
      let now = scaled(of, [0]);
      const values = (_, ticks) => ticks.map((v) => short(v / (now = scaled(of, ticks)).by));
      return { ...axis, size, values, label: () => label(now.unit) };
    };
    const options = {
      ...this.#size(host),
      cursor: { drag: { x: false, y: false } },
      scales: { x: { time: false, range: (u) => this.#times(u.data[0]) }, y: { range: (_, low, high) => this.#heights(low, high) } },
      axes: [
        axisOf("s", (name) => `time (${name})`, 32),
        axisOf(unit, (name) => name + thick, 58),
      ],
      series: [
        { label: "t", value: (_, v) => (v === null ? "" : `${short(v)} s`) },
        ...names.map((name, i) => this.#series(name, i, this.table)),
        ...(this.beside ? this.#shared(names).map((name) => this.#series(name, names.indexOf(name), this.beside)) : []),
      ],
      hooks: { init: [(u) => u.over.append(make("div", { className: "mark" }))], draw: [(u) => this.#placeMark(u)], setCursor: [(u) => this.#tellMark(u)] },
    };
    const data = this.#data(names);
    const plot = this.software ? plainly(() => new uPlot(options, data, host)) : new uPlot(options, data, host);
    plot.over.addEventListener("click", () => this.seek(plot.posToVal(plot.cursor.left, "x")));
    return { plot, host, names };
  }

  // A run that has hardly begun has all its time before it.
  #times(times) {
    return times.length > 1 ? [times[0], times.at(-1)] : [0, this.scene.duration];
  }

  #heights(low, high) {
    if (low < high) return uPlot.rangeNum(low, high, 0.1, true);
    const around = Math.abs(low) || 1;
    return Number.isFinite(low) ? [low - 0.5 * around, low + 0.5 * around] : [0, 1];
  }

  // A simulation may be past its last row by less than a frame.
  #placeMark(u) {
    const at = Math.min(u.valToPos(this.time, "x"), u.over.clientWidth);
    const mark = u.over.querySelector(".mark");
    mark.hidden = !(at >= 0);
    mark.style.transform = `translateX(${at}px)`;
  }

  // What is told is of the table, which has more rows than the curve may have points.
  #series(name, i, table) {
    const other = table !== this.table;
    const value = (u, _, __, index) => (index === null ? "–" : short(this.valueAt(name, u.cursor.left >= 0 ? u.data[0][index] : this.time, other ? this.beside : this.table)));
    return { label: other ? `${name} beside` : name, stroke: colors[i % colors.length], width: 1.5, dash: other ? [5, 4] : undefined, spanGaps: true, points: { show: (u, k) => alone(u.data[k]) }, value };
  }

  // Colours of axes follow the theme.
  restyle() {
    if (!this.choices) return;
    this.#build();
    this.setTime(this.time);
  }
}
