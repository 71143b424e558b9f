// Elements with their properties and what is in them.
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// An input or a select, called so by those who cannot see it.
export function field(label, element) {
  element.setAttribute("aria-label", label);
  return element;
}

export const choiceOf = (label, options) => field(label, make("select", {}, ...options.map((o) => (o instanceof Element ? o : new Option(o)))));
