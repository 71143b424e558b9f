// Small pictures for buttons, so that no font has to have them.
const paths = {
  play: "M7 4l13 8-13 8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  first: "M5 4h3v16H5zM20 4v16L9 12z",
  last: "M16 4h3v16h-3zM4 4l11 8-11 8z",
  back: "M17 4v16L6 12z",
  forward: "M7 4l11 8-11 8z",
  loop: "M12 5V1L7 6l5 5V7a5 5 0 11-5 5H5a7 7 0 107-7z",
  step: "M5 4l9 8-9 8zM16 4h3v16h-3z",
  restart: "M12 5a7 7 0 11-6.6 4.7l1.9.7A5 5 0 1012 7v4L6 6l6-5z",
  frame: "M3 3h6v2H5v4H3zM15 3h6v6h-2V5h-4zM3 15h2v4h4v2H3zM19 15h2v6h-6v-2h4z",
  camera: "M9 5l-1.5 2H4v12h16V7h-3.5L15 5zM12 9a4 4 0 110 8 4 4 0 010-8z",
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

export function button(name, title, onclick) {
  const element = document.createElement("button");
  element.type = "button";
  element.title = title;
  element.setAttribute("aria-label", title);
  element.append(icon(name));
  element.addEventListener("click", () => {
    onclick();
    element.blur(); // so that keys go to the page again
  });
  element.icon = (other) => element.replaceChildren(icon(other));
  return element;
}
