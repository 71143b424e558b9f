// Frames as the program sends them (src/view/packed.h), with what else is drawn of their moment: fetched, decoded, and kept while there is room.
import { getBytes } from "./server.js";

const mostBytes = 384 << 20;
const magic = "KNEADFR1";
const types = { f32: Float32Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array, i8: Int8Array };

// Of frames with more particles a coarse part is fetched first.
export const coarseAbove = 150_000;
export const coarseStride = 16;

// Numbers that are counted in steps from a lowest one on.
function unpacked(array, components, low, step) {
  const numbers = new Float32Array(array.length);
  for (let c = 0; c < components; ++c) {
    const [from, by] = [low[c], step[c]];
    for (let i = c; i < array.length; i += components) numbers[i] = from + by * array[i];
  }
  return numbers;
}

export function decode(buffer) {
  const text = new TextDecoder();
  if (text.decode(new Uint8Array(buffer, 0, 8)) !== magic) throw new Error("not a frame");
  const length = new DataView(buffer).getUint32(8, true);
  const frame = JSON.parse(text.decode(new Uint8Array(buffer, 12, length)));
  let at = 12 + length;
  frame.data = {};
  frame.bytes = buffer.byteLength;
  for (const { name, components, type, rows, low, step } of frame.arrays) {
    const array = new types[type](buffer, at, rows * components);
    frame.data[name] = step ? unpacked(array, components, low, step) : array;
    if (step) frame.bytes += frame.data[name].byteLength;
    at += Math.ceil(array.byteLength / 4) * 4;
  }
  return frame;
}

// The row in the file of the i-th particle of a frame.
export function rowOf(frame, i) {
  if (!frame.skip) return i * frame.stride;
  const others = frame.skip - 1;
  return Math.floor(i / others) * frame.skip + 1 + (i % others);
}

export class Frames {
  #kept = new Map(); // by key, the last used last
  #coming = new Map();
  #bytes = 0;
  #abort = new AbortController();
  #line = Promise.resolve(); // of questions that take the program long, asked one by one

  // `run`: "", or "beside/" for the other one.
  constructor(run = "") {
    this.run = run;
  }

  // What a look is made of. look: { color, velocity, place, surface: false, true or "rest", grid }; part: "all", or "coarse"
  #paths(number, look, part) {
    const color = encodeURIComponent(look.color);
    const place = look.place ? `&place=${encodeURIComponent(look.place)}` : "";
    const stride = part === "coarse" ? coarseStride : 1;
    const flags = `&stride=${stride}&velocity=${look.velocity ? 1 : 0}&compact=1`;
    const paths = { frame: `${this.run}frame?number=${number}&color=${color}${flags}${place}` };
    if (part === "coarse") return paths;
    if (look.surface) paths.surface = `${this.run}surface?number=${number}&color=${color}&rest=${look.surface === "rest" ? 1 : 0}`;
    if (look.grid) paths.grid = `${this.run}grid?number=${number}`;
    return paths;
  }

  // What is at hand, at once; or nothing.
  kept(number, look, part = "all") {
    const paths = Object.entries(this.#paths(number, look, part));
    if (!paths.every(([, path]) => this.#kept.has(path))) return undefined;
    return this.#joined(paths.map(([name, path]) => [name, this.#touch(path)]));
  }

  async fetch(number, look, part = "all") {
    return this.#together(this.#paths(number, look, part), (path, slow) => this.#load(path, slow));
  }

  // The state of a simulation that goes on is another one each time; null while it starts.
  async now(look) {
    return this.#together(this.#paths("now", look, "all"), (path, slow) => this.#ask(path, slow));
  }

  get busy() {
    return this.#coming.size;
  }

  // What is still coming is not waited for either.
  clear() {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#kept.clear();
    this.#coming.clear();
    this.#bytes = 0;
  }

  // A frame without its surface or grid is still one: what is wrong with these is told beside.
  async #together(paths, load) {
    const parts = await Promise.all(
      Object.entries(paths).map(async ([name, path]) => {
        if (name === "frame") return [name, await load(path, false)];
        try {
          return [name, await load(path, true)];
        } catch (error) {
          if (!error.status) throw error;
          return [name, { error: error.message }];
        }
      }),
    );
    return this.#joined(parts);
  }
  #joined(parts) {
    const { frame, ...others } = Object.fromEntries(parts);
    return frame && { ...frame, ...others };
  }

  #touch(path) {
    const found = this.#kept.get(path);
    if (!found) return undefined;
    this.#kept.delete(path);
    this.#kept.set(path, found);
    return found;
  }

  #load(path, slow) {
    const kept = this.#touch(path);
    if (kept) return kept;
    if (this.#coming.has(path)) return this.#coming.get(path);
    const wanted = () => this.#coming.get(path) === coming;
    const coming = this.#ask(path, slow)
      .then((found) => {
        if (wanted()) this.#keep(path, found);
        return found;
      })
      .finally(() => wanted() && this.#coming.delete(path));
    this.#coming.set(path, coming);
    return coming;
  }

  #ask(path, slow) {
    const { signal } = this.#abort;
    const ask = async () => {
      const buffer = await getBytes(path, signal);
      return buffer.byteLength ? decode(buffer) : null; // not there yet
    };
    if (!slow) return ask();
    const answer = this.#line.then(ask);
    this.#line = answer.catch(() => {});
    return answer;
  }

  #keep(path, found) {
    this.#kept.set(path, found);
    this.#bytes += found.bytes;
    for (const [old, { bytes }] of this.#kept) {
      if (this.#bytes <= mostBytes || old === path) break;
      this.#kept.delete(old);
      this.#bytes -= bytes;
    }
  }
}
