"use strict";
/*
 * The diagnosis box: gradients that somebody has seen, and which mistakes would give them.
 */

/**
 * @typedef {object} Cause
 * @property {string | null} fault null for a pair of them
 * @property {string} variant
 * @property {string} name
 * @property {number | null} order_index which of the orders that the lab shows
 */

const MOST_OBSERVED = 60; // inputs that have a field
const MOST_CAUSES = 12;

class DiagnosisBox {
  /**
   * @param {{ask: (observed: Record<string, string>) => void, cause: (cause: Cause) => void,
   *   broken: () => Record<string, JsonNumber> | null}} actions
   */
  constructor(actions) {
    this.actions = actions;
    /** @type {Map<string, HTMLInputElement>} */
    this.fields = new Map();
    this.inputs = build("div", { class: "observed" });
    this.take = pressable("studio.diagnose.take", { class: "quiet", hidden: true }, () => this.takeBroken());
    this.button = sentence("button", "studio.diagnose.ask", { type: "submit", class: "main" });
    this.said = build("div", { class: "findings", role: "status" });
    const form = build("form", {}, this.inputs, build("p", { class: "line" }, this.button, this.take));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const observed = this.observed();
      if (!Object.keys(observed).length) {
        this.said.replaceChildren(build("p", { class: "problem" }, say("studio.diagnose.empty")));
        return;
      }
      this.button.disabled = true;
      this.said.replaceChildren(build("p", { class: "note" }, say("studio.diagnose.wait")));
      actions.ask(observed);
    });
    const lead = sentence("p", "studio.diagnose.lead", { class: "lead" });
    this.element = build("div", { class: "diagnosis" }, lead, form, this.said);
  }

  /** What was typed, as it was typed. */
  observed() {
    /** @type {Record<string, string>} */
    const observed = Object.create(null);
    for (const [name, field] of this.fields) if (field.value.trim()) observed[name] = field.value.trim();
    return observed;
  }

  /** Fields for these inputs; what was typed stays. @param {readonly string[]} names */
  fit(names) {
    if (names.join("\n") === [...this.fields.keys()].join("\n")) return;
    const typed = this.observed();
    this.fields = new Map(
      names.slice(0, MOST_OBSERVED).map((name) => [name, textField({ inputmode: "decimal", id: `observed-${name}` })]),
    );
    const pairs = [...this.fields].map(([name, field]) => {
      field.value = typed[name] ?? "";
      return build("p", { class: "pair" }, build("label", { for: field.id, class: "grad" }, `${name}.grad`), field);
    });
    this.inputs.replaceChildren(...pairs);
  }

  /** Whether there are numbers of a broken pass to take. @param {boolean} there */
  offer(there) {
    this.take.hidden = !there;
  }

  takeBroken() {
    const numbers = this.actions.broken();
    if (!numbers) return;
    for (const [name, field] of this.fields) {
      field.value = Object.hasOwn(numbers, name) ? show(fromJsonNumber(numbers[name]), 12) : "";
    }
    this.button.focus();
  }

  /** The statements have changed: what was found is about earlier ones. */
  age() {
    this.element.classList.toggle("aged", this.said.childElementCount > 0);
  }

  /** @param {Answer} answer */
  show(answer) {
    this.button.disabled = false;
    this.element.classList.remove("aged");
    if (!answer.ok) {
      this.said.replaceChildren(build("p", { class: "problem" }, answer.error?.message ?? ""));
      return;
    }
    const sections = /** @type {{title: string, lines: string[]}[]} */ (answer.sections);
    const causes = /** @type {Cause[]} */ (answer.diagnoses);
    const [verdict, ...others] = sections.map(({ title, lines }) =>
      build("section", {}, build("h3", {}, title), reportLines(lines)),
    );
    const first = causes[0]?.fault ? this.#offer(causes[0], "studio.diagnose.see") : null;
    const list = causes.slice(0, MOST_CAUSES).map((cause) => build("li", {}, cause.fault ? this.#offer(cause, "") : cause.name));
    const each = build("section", {}, sentence("h3", "studio.diagnose.all"), build("ul", { class: "causes" }, ...list));
    this.said.replaceChildren(build("div", {}, verdict, first, ...others, list.length > 1 && each));
  }

  /** @param {Cause} cause @param {string} key */
  #offer(cause, key) {
    const button = pressable("", { class: key ? "main" : "link" }, () => this.actions.cause(cause));
    button.textContent = key ? say(key, { name: cause.name }) : cause.name;
    return button;
  }
}
