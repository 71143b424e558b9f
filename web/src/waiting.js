// Changes that wait, as the program tells them (text_of in src/view/edits.cpp, cut where they are long), in words.
import { short } from "./numbers.js";
import { vectorOf } from "./toml.js";

// Names of the parts in each list of a scene file, in order.
function partsIn(toml) {
  const lists = {};
  for (const block of toml.split(/^(?=\[)/m)) {
    const [, list] = block.match(/^\[\[(\w+)\]\]/) ?? [];
    if (list) (lists[list] ??= []).push(block.match(/^name = "(.*)"$/m)?.[1] ?? "");
  }
  return lists;
}

const textIn = (toml, key) => toml.match(new RegExp(`\\b${key} = "([^"]*)"`))?.[1];
const listIn = (toml, key) => toml.match(new RegExp(`\\b${key} = (\\[[^\\]]*\\])`))?.[1].replaceAll(/,(?=\S)/g, ", ");
const namesIn = (toml, key) => listIn(toml, key)?.replaceAll(/[[\]"]/g, "");

// A pull is a push that falls off with distance; of one that is cut, the last component may be missing.
function pushOf(toml) {
  const what = textIn(toml, "body") || "all matter";
  if (!toml.includes("*exp(")) return `push ${what} by ${listIn(toml, "velocity") ?? "a formula"} m/s`;
  const velocity = [...toml.matchAll(/"([-+.\de]+)\*/g)].map(([, v]) => Number(v));
  const whole = velocity.length === (/\(z[-+]/.test(toml) ? 3 : 2);
  return `push ${what} ${whole ? `by ${short(Math.hypot(...velocity), 2)} m/s, ${vectorOf(velocity.map((v) => Number(v.toPrecision(2))))}, ` : ""}around one place`;
}

const gravityOf = (toml) => listIn(toml, "gravity")?.replaceAll(/\.0+(?=[,\]])/g, "");

function eventOf(toml) {
  const [body, material, values] = [textIn(toml, "body"), textIn(toml, "material"), toml.match(/\bset = \{ (.*?) \}/)?.[1]];
  if (toml.includes("velocity = ")) return pushOf(toml);
  if (toml.includes("gravity = ")) return `gravity becomes ${gravityOf(toml) ?? "another"} m/s²`;
  if (values) return `material ${material}: ${values}`;
  if (body && material) return `body ${body} becomes ${material}`;
  if (toml.includes("release = ")) return `switch off ${namesIn(toml, "release")}`;
  if (toml.includes("enable = ")) return `switch on ${namesIn(toml, "enable")}`;
  return body ? `body ${body} forgets its strain` : toml;
}

function additionOf(list, toml) {
  if (list === "event") return `an event at ${toml.match(/\btime = ([^,}]*)/)?.[1].trim()} s: ${eventOf(toml)}`;
  const [name, material] = [textIn(toml, "name"), textIn(toml, "material")];
  const at = listIn(toml, "center") ?? listIn(toml, "base") ?? listIn(toml, "from") ?? listIn(toml, "at");
  return `a new ${list}${name ? ` '${name}'` : ""}${material ? ` of ${material}` : ""}${at ? ` at ${at}` : ""}`;
}

// What is meant by a path: "body ball", or "body ball: shape center".
function placeOf(path, lists) {
  const [list, which, ...inner] = path.split(".");
  const more = inner.length ? `: ${inner.join(" ")}` : "";
  if (list === "materials") return `material ${which}${more}`;
  return lists[list] && /^\d+$/.test(which) ? `${list} ${lists[list][which] || Number(which) + 1}${more}` : path.replaceAll(".", " ");
}

// lines: what waits, in order, for the scene of `toml`: the number of a part is that after all changes before.
export function inWords(lines, toml) {
  const lists = partsIn(toml);
  return lines.map((line) => {
    const [, added, value] = line.match(/^(\w+) has one more: (.*)$/s) ?? [];
    if (added) {
      (lists[added] ??= []).push(textIn(value, "name") ?? "");
      return additionOf(added, value);
    }
    const [, removed] = line.match(/^(\S+) is taken away$/) ?? [];
    if (removed) {
      const text = `${placeOf(removed, lists)} is removed`;
      const [, list, number] = removed.match(/^(\w+)\.(\d+)$/) ?? [];
      lists[list]?.splice(Number(number), 1);
      return text;
    }
    const [, path, given] = line.match(/^(\S+) = (.*)$/s) ?? [];
    return path ? `${placeOf(path, lists)} = ${given}` : eventOf(line);
  });
}

// A scene is written out with every key; these lines of an event say that nothing happens.
const idle = /^(velocity = \[0\.0(, 0\.0)*\]|\w+ = (""|\[\]|\{\}|false))$/;
const given = (block) => block.split("\n").filter((line) => !idle.test(line)).join("\n");

// numbers: of events in the scene of `toml`, which were done by hand.
export function happened(numbers, toml) {
  const events = toml.split(/^(?=\[)/m).filter((block) => block.startsWith("[[event]]"));
  return numbers.map((n) => `t = ${Number(events[n]?.match(/^time = (.*)$/m)?.[1] ?? 0).toPrecision(3)} s: ${eventOf(given(events[n] ?? ""))}`);
}
