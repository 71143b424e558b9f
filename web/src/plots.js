// Curves of the run's statistics over time.
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
  rows = 0;
  #plots = [];

  // seek(time): the user wants to see that moment.
  constructor(box, seek) {
    this.box = box;
    this.seek = seek;
    this.time = 0;
    new ResizeObserver(() => this.#plots.forEach(({ plot, host }) => plot.setSize(this.#size(host)))).observe(box);
  }

  async update() {
    const answer = await getJson("stats");
    this.table = answer;
    if (!answer.names.length) return;
    if (answer.names.join() !== this.names) this.#build();
    this.names = answer.names.join();
    this.rows = answer.rows;
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

  #data(names) {
    return [this.column("time"), ...names.map((n) => this.column(n).map((v) => (typeof v === "number" ? v : null)))];
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
          ...names.map((label, i) => ({ label, stroke: colors[i % colors.length], width: 1.5, points: { show: false }, value: (_, v) => short(v) })),
        ],
        hooks: {
          draw: [
            (u) => {
              const at = u.valToPos(this.time, "x", true);
              if (at < u.bbox.left || at > u.bbox.left + u.bbox.width) return;
              u.ctx.save();
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

  // Colours of axes follow the theme.
  restyle() {
    if (this.table.names.length) this.#build();
  }
}
