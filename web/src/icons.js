// Small pictures for buttons, so that no font has to have them.
const paths = {
  play: "M7 4l13 8-13 8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  first: "M5 4h3v16H5zM20 4v16L9 12z",
  last: "M16 4h3v16h-3zM4 4l11 8-11 8z",
  back: "M17 4v16L6 12z",
  forward: "M7 4l11 8-11 8z",
  loop: "M4 11V8a3 3 0 013-3h9V2l5 4-5 4V7H7a1 1 0 00-1 1v3zM20 13v3a3 3 0 01-3 3H8v3l-5-4 5-4v3h9a1 1 0 001-1v-3z",
  frame: "M3 3h6v2H5v4H3zM15 3h6v6h-2V5h-4zM3 15h2v4h4v2H3zM19 15h2v6h-6v-2h4z",
  camera: "M9 5l-1.5 2H4v12h16V7h-3.5L15 5zM12 9a4 4 0 110 8 4 4 0 010-8z",
  stop: "M6 6h12v12H6z",
  every: "M3 5h3v14H3zM8 5h3v14H8zM13 5h3v14h-3zM18 5h3v14h-3z",
  record: "M12 6a6 6 0 110 12 6 6 0 010-12z",
  side: "M3 4h18v16H3zM5 6v12h6V6z",
  help: "M11 17h2v2h-2zM12 5a4 4 0 014 4c0 2.5-3 3-3 6h-2c0-4 3-4 3-6a2 2 0 10-4 0H8a4 4 0 014-4z",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}

function plain(content, title, onclick) {
  const element = Object.assign(document.createElement("button"), { type: "button", title });
  element.append(content);
  element.addEventListener("click", onclick);
  return element;
}

export const worded = plain;

export function button(name, title, onclick) {
  const element = plain(icon(name), title, onclick);
  element.setAttribute("aria-label", title);
  element.icon = (other) => element.replaceChildren(icon(other));
  return element;
}
