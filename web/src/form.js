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
    // What was wrong was so of another choice.
    this.box.addEventListener("change", ({ target }) => target.matches("select") && this.tell(""));
  }

  // With these fields; what the user has given stays where the same can still be given.
  fill(...content) {
    const labelOf = (f) => f.getAttribute("aria-label");
    const fields = () => [...this.box.querySelectorAll("input:not([type=file]):not([type=checkbox]), select:not([multiple])")];
    const before = fields().filter((f) => f.given);
    const why = this.box.querySelector(".why");
    this.box.replaceChildren(...content, ...(why ? [why] : []));
    // In order, since what can be given in one may depend on the one before.
    for (const old of before) {
      const again = fields().find((f) => labelOf(f) === labelOf(old));
      if (!again || again === old || (again.options && ![...again.options].some((o) => o.value === old.value))) continue;
      again.value = old.value;
      again.given = true;
      again.dispatchEvent(new Event("change"));
    }
  }

  empty() {
    this.box.replaceChildren();
  }

  tell(wrong) {
    this.box.querySelector(".why")?.remove();
    if (wrong) this.box.append(make("p", { className: "why", role: "alert", textContent: wrong }));
  }
}

export const rowOf = (...items) => make("div", { className: "row" }, ...items);
