// The statistics of a run as a table that grows: only new rows are fetched, and however many there are, a picture of them has few points.
import { getJson } from "./server.js";

export const nothing = { names: [], columns: [], rows: 0, moving: new Set() };
const mostPoints = 800; // of a curve

const moves = (values) => values.some((value) => typeof value === "number" && value !== 0);

// The names of the columns that are not 0 throughout.
function noteMoving(table, answer) {
  answer.names.forEach((name, c) => !table.moving.has(name) && moves(answer.columns[c]) && table.moving.add(name));
}

// The table with the rows that came since. The last row there was is asked for again: where it is another one, so is the run.
export async function grown(path, table) {
  const first = Math.max(0, table.rows - 1);
  const answer = await getJson(`${path}?first=${first}`);
  const known = table.rows > 0;
  const same = !known || (answer.rows >= table.rows && answer.names.join() === table.names.join() && table.columns.every((column, c) => column[first] === answer.columns[c][0]));
  if (!same) return grown(path, nothing);
  const next = known ? table : { names: answer.names, columns: answer.names.map(() => []), moving: new Set() };
  next.columns.forEach((column, c) => {
    for (let i = known ? 1 : 0; i < answer.columns[c].length; ++i) column.push(answer.columns[c][i]);
  });
  next.rows = answer.rows;
  noteMoving(next, answer);
  return next;
}

export const columnOf = (table, name) => table.columns[table.names.indexOf(name)] ?? [];

// The last index whose time has come.
export function indexAt(times, time) {
  let [low, high] = [0, times.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time + 1e-9) low = middle;
    else high = middle;
  }
  return low;
}

// Before the first step there is no time step; a 0 would be a false start of its curve.
const plotted = (name, value) => typeof value === "number" && !(value === 0 && /^dt_/.test(name));

// Of many rows the lowest and the highest of each stretch, so that no peak is lost.
function endsOf(name, column, from, to) {
  let [low, high] = [null, null];
  for (let i = from; i < to; ++i) {
    const value = column[i];
    if (!plotted(name, value)) continue;
    if (low === null || value < low) low = value;
    if (high === null || value > high) high = value;
  }
  return column[from] === high ? [high, low] : [low, high];
}

// Times, and a curve of each name.
export function curvesOf(table, names) {
  const times = columnOf(table, "time");
  const stretch = Math.ceil((2 * times.length) / mostPoints);
  if (stretch <= 2) return [times, ...names.map((name) => columnOf(table, name).map((v) => (plotted(name, v) ? v : null)))];
  const starts = [];
  for (let i = 0; i < times.length; i += stretch) starts.push(i);
  const end = (i) => Math.min(times.length, i + stretch);
  // The end of the last stretch is the end of the run.
  const moments = starts.flatMap((i) => (end(i) === times.length ? [times[i], times[times.length - 1]] : [times[i], times[i + (stretch >> 1)]]));
  if (moments.at(-1) === moments.at(-2)) moments.pop(); // a stretch of one row
  const curve = (name) => starts.flatMap((i) => endsOf(name, columnOf(table, name), i, end(i))).slice(0, moments.length);
  return [moments, ...names.map(curve)];
}
