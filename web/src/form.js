// A form of the side panel: it sends what is filled in, tells what is wrong with that, and keeps it when its fields are made anew.
import { make } from "./dom.js";

export class Form {
  constructor(submit) {
    this.box = make("form", { className: "form" });
    this.box.addEventListener("submit", (event) => {
      event.preventDefault();
      submit();
    });
    for (const kind of ["input", "change"]) this.box.addEventListener(kind, ({ target }) => (target.given = true));
  }

  // With these fields; what the user has given stays where the same can still be given.
  fill(...content) {
    const fields = () => [...this.box.querySelectorAll("input:not([type=file]):not([type=checkbox]), select:not([multiple])")];
    const before = new Map(fields().filter((f) => f.given).map((f) => [f.getAttribute("aria-label"), f.value]));
    const why = this.box.querySelector(".why");
    this.box.replaceChildren(...content, ...(why ? [why] : []));
    // In order, since what can be given in one may depend on the one before.
    for (const [label, value] of before) {
      const again = fields().find((f) => f.getAttribute("aria-label") === label);
      if (!again || (again.options && ![...again.options].some((o) => o.value === value))) continue;
      again.value = value;
      again.given = true;
      again.dispatchEvent(new Event("change"));
    }
  }

  tell(wrong) {
    this.box.querySelector(".why")?.remove();
    if (wrong) this.box.append(make("p", { className: "why", role: "alert", textContent: wrong }));
  }
}

export const rowOf = (...items) => make("div", { className: "row" }, ...items);
