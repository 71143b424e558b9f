// Curves of the run's statistics over time; dashed ones are those of the run beside it.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { choicesOf } from "./curves.js";
import { field, make } from "./dom.js";
import { short } from "./numbers.js";
import { getJson } from "./server.js";
import { remember, settings } from "./settings.js";

const colors = ["#e8563e", "#1b9ea3", "#d99a1c", "#3e78d6", "#68b24c", "#925ccc"];
const nothing = { names: [], columns: [], rows: 0 };
const font = "11px system-ui";

// The last index whose time has come.
function indexAt(times, time) {
  let index = 0;
  while (index + 1 < times.length && times[index + 1] <= time + 1e-9) ++index;
  return index;
}

export class Plots {
  table = nothing;
  beside = null; // the other run's
  time = 0;
  #plots = []; // { choice, plot, host, select }

  // seek(time): the user wants to see that moment.
  constructor(box, seek) {
    this.box = box;
    this.seek = seek;
    new ResizeObserver(() => box.clientWidth && this.#plots.forEach(({ plot, host }) => plot.setSize(this.#size(host)))).observe(box);
  }

  get rows() {
    return this.table.rows;
  }

  async update(withBeside, { dimension, duration }) {
    const [answer, other] = await Promise.all([getJson("stats"), withBeside ? getJson("beside/stats") : null]);
    this.beside = other?.names.length ? other : null;
    this.scene = { dimension, duration };
    if (!answer.names.length) return;
    this.table = answer;
    this.#refresh();
  }

  // Of a run that starts again: empty, with the same curves to come.
  clear() {
    if (!this.rows) return;
    this.table = { names: this.table.names, columns: this.table.names.map(() => []), rows: 0 };
    this.time = 0;
    this.#refresh();
  }

  column(name) {
    return this.table.columns[this.table.names.indexOf(name)] ?? [];
  }

  // Of the row at or before a time.
  valueAt(name, time) {
    return this.column(name)[indexAt(this.column("time"), time)];
  }

  // Where the matter has been: its lowest and highest coordinates.
  extent() {
    const ends = (name, best) => ["x", "y", "z"].map((c) => best(...this.column(`${name}_${c}`).filter(Number.isFinite)));
    return this.rows ? { min: ends("min", Math.min), max: ends("max", Math.max) } : null;
  }

  first() {
    return this.#plots[0]?.plot;
  }

  // A mark at the time that is shown, and the values there.
  setTime(time) {
    this.time = time;
    this.#plots.forEach(({ plot }) => {
      plot.redraw(false, false);
      this.#tellMark(plot);
    });
  }

  // Unless the pointer is at another time.
  #tellMark(plot) {
    if (!(plot.cursor.left >= 0)) plot.setLegend({ idx: plot.data[0].length ? indexAt(plot.data[0], this.time) : null }, false);
  }

  // New rows; where there is more or less to plot than before, or another run's curves, also new plots.
  #refresh() {
    this.choices = choicesOf(this.table, this.scene.dimension);
    const shape = JSON.stringify([this.choices, this.beside?.names]);
    if (shape !== this.shape) this.#build();
    else this.#plots.forEach(({ plot, names }) => plot.setData(this.#data(names)));
    this.shape = shape;
    this.setTime(this.time);
  }

  #curves(table, names) {
    const column = (n) => (table.columns[table.names.indexOf(n)] ?? []).map((v) => (typeof v === "number" ? v : null));
    return [column("time"), ...names.map(column)];
  }

  // Both runs' over the times of both.
  #data(names) {
    const own = this.#curves(this.table, names);
    return this.beside ? uPlot.join([own, this.#curves(this.beside, this.#shared(names))]) : own;
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
    const plot = new uPlot(
      {
        ...this.#size(host),
        cursor: { drag: { x: false, y: false } },
        scales: { x: { time: false, range: (u) => this.#times(u.data[0]) }, y: { range: (_, low, high) => this.#heights(low, high) } },
        axes: [
          { ...axis, label: "time (s)", size: 32 },
          { ...axis, label: choice === "volume" && this.scene.dimension === 2 ? `${unit}, 1 m thick` : unit, size: 58, values: (_, ticks) => ticks.map((v) => short(v)) },
        ],
        series: [
          { label: "t", value: (_, v) => (v === null ? "" : `${short(v)} s`) },
          ...names.map((name, i) => this.#series(name, i)),
          ...(this.beside ? this.#shared(names).map((name) => this.#series(`${name} beside`, names.indexOf(name), [5, 4])) : []),
        ],
        hooks: { draw: [(u) => this.#drawMark(u)], setCursor: [(u) => this.#tellMark(u)] },
      },
      this.#data(names),
      host,
    );
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

  #drawMark(u) {
    // A simulation may be past its last row by less than a frame.
    const at = Math.min(u.valToPos(this.time, "x", true), u.bbox.left + u.bbox.width);
    if (at < u.bbox.left) return;
    u.ctx.save();
    u.ctx.setLineDash([]);
    u.ctx.strokeStyle = "#ff9d2e";
    u.ctx.lineWidth = devicePixelRatio;
    u.ctx.beginPath();
    u.ctx.moveTo(at, u.bbox.top);
    u.ctx.lineTo(at, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  #series(label, i, dash) {
    return { label, stroke: colors[i % colors.length], width: 1.5, dash, spanGaps: true, points: { show: false }, value: (_, v) => short(v) };
  }

  // Colours of axes follow the theme.
  restyle() {
    if (!this.table.names.length) return;
    this.#build();
    this.setTime(this.time);
  }
}
