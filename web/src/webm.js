// Pictures of an encoder as a WebM file, with its length (the container: RFC 9559, its bytes: RFC 8794).

const bytes = (...numbers) => new Uint8Array(numbers);
const text = (string) => new TextEncoder().encode(string);

function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

// The fewest bytes of a whole number, the highest first.
function whole(number) {
  const out = [];
  for (let left = number; left > 0 || !out.length; left = Math.floor(left / 256)) out.unshift(left % 256);
  return bytes(...out);
}

function real(number) {
  const out = new DataView(new ArrayBuffer(8));
  out.setFloat64(0, number);
  return new Uint8Array(out.buffer);
}

// An element: its name, its size in eight bytes, and what is in it.
function element(id, ...content) {
  const size = content.reduce((sum, part) => sum + part.length, 0);
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, (1n << 56n) | BigInt(size));
  return joined([whole(id), length, ...content]);
}

// A picture; its time counts from the cluster's.
function block({ data, key }, after) {
  return element(0xa3, bytes(0x81, after >> 8, after & 255, key ? 0x80 : 0), data);
}

// Clusters begin with pictures that need no other, at most 30 s long, since times in them have 16 bits.
function clustersOf(pictures) {
  const clusters = [];
  for (const picture of pictures) {
    const last = clusters.at(-1);
    if (!last || (picture.key && picture.time > last.time) || picture.time - last.time > 30_000) clusters.push({ time: picture.time, blocks: [] });
    const { time, blocks } = clusters.at(-1);
    blocks.push(block(picture, picture.time - time));
  }
  return clusters.map(({ time, blocks }) => element(0x1f43b675, element(0xe7, whole(time)), ...blocks));
}

// pictures: [{ data, time (ms, whole), key }] in order; codec: "V_VP8"; length in ms
export function webmOf(pictures, { codec, width, height, length }) {
  const head = element(
    0x1a45dfa3,
    ...[[0x4286, whole(1)], [0x42f7, whole(1)], [0x42f2, whole(4)], [0x42f3, whole(8)], [0x4282, text("webm")], [0x4287, whole(4)], [0x4285, whole(2)]].map(([id, value]) => element(id, value)),
  );
  const about = element(0x1549a966, element(0x2ad7b1, whole(1_000_000)), element(0x4489, real(length)), element(0x4d80, text("Knead")), element(0x5741, text("Knead")));
  const video = element(0xe0, element(0xb0, whole(width)), element(0xba, whole(height)));
  const track = element(0xae, element(0xd7, whole(1)), element(0x73c5, whole(1)), element(0x9c, whole(0)), element(0x83, whole(1)), element(0x86, text(codec)), video);
  const segment = element(0x18538067, about, element(0x1654ae6b, track), ...clustersOf(pictures));
  return new Blob([head, segment], { type: "video/webm" });
}
