// Curves of the run's statistics over time; dashed ones are those of the run beside it.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { short } from "./numbers.js";
import { getJson } from "./server.js";
import { remember, settings } from "./settings.js";

const groups = {
  energies: ["kinetic", "elastic", "gravitational", "dissipated", "total"],
  momentum: ["momentum_x", "momentum_y", "momentum_z"],
  "angular momentum": ["angular_momentum_x", "angular_momentum_y", "angular_momentum_z"],
  "time step": ["dt_min", "dt_max"],
  volume: ["volume"],
  "centre of mass": ["center_x", "center_y", "center_z"],
};
const units = {
  energies: "J",
  momentum: "kg m/s",
  "angular momentum": "kg m²/s",
  "time step": "s",
  volume: "m³",
  "centre of mass": "m",
};
const colors = ["#e8563e", "#1b9ea3", "#d99a1c", "#3e78d6", "#68b24c", "#925ccc"];
const notCurves = new Set(["frame", "time", "bound"]);

export class Plots {
  table = { names: [], columns: [] };
  beside = null; // the other run's
  rows = 0;
  #plots = [];

  // seek(time): the user wants to see that moment.
  constructor(box, seek) {
    this.box = box;
    this.seek = seek;
    this.time = 0;
    new ResizeObserver(() => box.clientWidth && this.#plots.forEach(({ plot, host }) => plot.setSize(this.#size(host)))).observe(box);
  }

  async update(withBeside = false) {
    const [answer, other] = await Promise.all([getJson("stats"), withBeside ? getJson("beside/stats") : null]);
    this.table = answer;
    this.beside = other?.names.length ? other : null;
    if (!answer.names.length) return;
    const names = JSON.stringify([answer.names, this.beside?.names]);
    this.rows = answer.rows;
    if (names !== this.names) this.#build();
    this.names = names;
    this.#plots.forEach((p) => p.plot.setData(this.#data(p.names)));
  }

  column(name) {
    return this.table.columns[this.table.names.indexOf(name)] ?? [];
  }

  // Of the row at or before a time.
  valueAt(name, time) {
    const times = this.column("time");
    let row = times.findIndex((t) => t > time + 1e-9) - 1;
    if (row < -1) row = times.length - 1;
    return this.column(name)[Math.max(0, row)];
  }

  // Where the matter has been: its lowest and highest coordinates.
  extent() {
    const ends = (name, best) => ["x", "y", "z"].map((c) => best(...this.column(`${name}_${c}`).filter(Number.isFinite)));
    return this.rows ? { min: ends("min", Math.min), max: ends("max", Math.max) } : null;
  }

  first() {
    return this.#plots[0]?.plot;
  }

  // A mark at the time that is shown.
  setTime(time) {
    this.time = time;
    this.#plots.forEach(({ plot }) => plot.redraw(false, false));
  }

  #choices() {
    const known = Object.entries(groups).filter(([, names]) => names.some((n) => this.table.names.includes(n)));
    const grouped = new Set(Object.values(groups).flat());
    const others = this.table.names.filter((n) => !grouped.has(n) && !notCurves.has(n));
    return [...known.map(([name]) => name), ...others];
  }

  #namesOf(choice) {
    return (groups[choice] ?? [choice]).filter((n) => this.table.names.includes(n));
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
    const choices = this.#choices();
    settings.plots = settings.plots.map((c, i) => (choices.includes(c) ? c : choices[Math.min(i, choices.length - 1)]));
    this.box.replaceChildren();
    this.#plots = settings.plots.map((choice, slot) => this.#one(choice, slot, choices));
  }

  #one(choice, slot, choices) {
    const wrap = document.createElement("div");
    wrap.className = "plot";
    const select = document.createElement("select");
    select.setAttribute("aria-label", "What is plotted");
    select.append(...choices.map((name) => new Option(name, name, false, name === choice)));
    select.addEventListener("change", () => {
      settings.plots[slot] = select.value;
      remember();
      this.#build();
    });
    const host = document.createElement("div");
    wrap.append(select, host);
    this.box.append(wrap);
    const names = this.#namesOf(choice);
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--ink").trim();
    const rule = style.getPropertyValue("--rule").trim();
    const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule }, font: "11px system-ui" };
    const plot = new uPlot(
      {
        ...this.#size(host),
        cursor: { drag: { x: false, y: false } },
        scales: { x: { time: false } },
        axes: [
          { ...axis, label: "time (s)", labelSize: 16, labelFont: "11px system-ui", size: 32 },
          { ...axis, label: units[choice] ?? "", labelSize: 16, labelFont: "11px system-ui", size: 58, values: (_, ticks) => ticks.map((v) => short(v)) },
        ],
        series: [
          { label: "t", value: (_, v) => short(v) },
          ...names.map((name, i) => this.#series(name, i)),
          ...(this.beside ? this.#shared(names).map((name) => this.#series(`${name} beside`, names.indexOf(name), [5, 4])) : []),
        ],
        hooks: {
          draw: [
            (u) => {
              const at = u.valToPos(this.time, "x", true);
              if (at < u.bbox.left || at > u.bbox.left + u.bbox.width) return;
              u.ctx.save();
              u.ctx.setLineDash([]);
              u.ctx.strokeStyle = "#ff9d2e";
              u.ctx.lineWidth = devicePixelRatio;
              u.ctx.beginPath();
              u.ctx.moveTo(at, u.bbox.top);
              u.ctx.lineTo(at, u.bbox.top + u.bbox.height);
              u.ctx.stroke();
              u.ctx.restore();
            },
          ],
        },
      },
      this.#data(names),
      host,
    );
    plot.over.addEventListener("click", () => this.seek(plot.posToVal(plot.cursor.left, "x")));
    return { plot, host, names };
  }

  #series(label, i, dash) {
    return { label, stroke: colors[i % colors.length], width: 1.5, dash, spanGaps: true, points: { show: false }, value: (_, v) => short(v) };
  }

  // Colours of axes follow the theme.
  restyle() {
    if (this.table.names.length) this.#build();
  }
}
