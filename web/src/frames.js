// Frames as the program sends them (src/view/frame_bytes.h): fetched, decoded, and kept while there is room.
import { getBytes } from "./server.js";

const mostBytes = 384 << 20;
const magic = "KNEADFR1";

// Of frames with more particles a coarse part is fetched first.
export const coarseAbove = 150_000;
export const coarseStride = 16;

export function decode(buffer) {
  const text = new TextDecoder();
  if (text.decode(new Uint8Array(buffer, 0, 8)) !== magic) throw new Error("not a frame");
  const length = new DataView(buffer).getUint32(8, true);
  const frame = JSON.parse(text.decode(new Uint8Array(buffer, 12, length)));
  let at = 12 + length;
  frame.data = {};
  for (const { name, components } of frame.arrays) {
    frame.data[name] = new Float32Array(buffer, at, frame.rows * components);
    at += 4 * frame.rows * components;
  }
  frame.bytes = buffer.byteLength;
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

  // `run`: "", or "beside/" for the other one.
  constructor(run = "") {
    this.run = run;
  }

  // look: { color, velocity, place }; part: "all", or "coarse"
  #path(number, look, part) {
    const stride = part === "coarse" ? coarseStride : 1;
    const place = look.place ? `&place=${encodeURIComponent(look.place)}` : "";
    return `${this.run}frame?number=${number}&color=${encodeURIComponent(look.color)}&stride=${stride}&velocity=${look.velocity ? 1 : 0}${place}`;
  }

  // What is at hand, at once; or nothing.
  kept(number, look, part = "all") {
    const path = this.#path(number, look, part);
    const frame = this.#kept.get(path);
    if (!frame) return undefined;
    this.#kept.delete(path);
    this.#kept.set(path, frame);
    return frame;
  }

  fetch(number, look, part = "all") {
    const path = this.#path(number, look, part);
    const kept = this.kept(number, look, part);
    if (kept) return Promise.resolve(kept);
    if (this.#coming.has(path)) return this.#coming.get(path);
    const coming = getBytes(path)
      .then((buffer) => {
        const frame = decode(buffer);
        this.#keep(path, frame);
        return frame;
      })
      .finally(() => this.#coming.delete(path));
    this.#coming.set(path, coming);
    return coming;
  }

  // The state of a simulation that goes on is another one each time; null while it starts.
  async now(look) {
    const buffer = await getBytes(this.#path("now", look, "all"));
    return buffer.byteLength ? decode(buffer) : null;
  }

  get busy() {
    return this.#coming.size;
  }

  clear() {
    this.#kept.clear();
    this.#bytes = 0;
  }

  #keep(path, frame) {
    this.#kept.set(path, frame);
    this.#bytes += frame.bytes;
    for (const [old, { bytes }] of this.#kept) {
      if (this.#bytes <= mostBytes || old === path) break;
      this.#kept.delete(old);
      this.#bytes -= bytes;
    }
  }
}
