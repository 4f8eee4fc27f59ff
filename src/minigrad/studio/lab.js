"use strict";
/*
 * The break lab: one fault at work.  What it is, in which variant; a slider over the valid orders, each
 * with the gradients that it gives beside the right ones; what became of the contributions; the change in
 * the code; the lesson.
 */

/**
 * @typedef {object} LabAnswer
 * @property {{slug: string, family: string, name: string, story: string, lesson: string, seen: string}} fault
 * @property {string} variant
 * @property {string[]} variants
 * @property {{order: string[], gradients: Record<string, JsonNumber>, count: number}[]} orders
 * @property {number} order
 * @property {number | null} total
 * @property {boolean} complete
 * @property {Record<string, JsonNumber>} expected
 * @property {{name: string, words: string, right: boolean}[]} accounts
 * @property {string} headline
 * @property {string} diff
 * @property {boolean} shows
 * @property {boolean} endless
 */
/** @typedef {{variant?: string | null, order?: number}} LabWish */

const MOST_SHOWN = 60; // inputs in the table
const LONGEST_ORDER = 40; // nodes of an order that are written out

class BreakLab {
  /**
   * @param {{wish: (wish: LabWish) => void, mend: () => void, alone: () => void, diagnose: () => void}} actions
   */
  constructor(actions) {
    this.actions = actions;
    /** @type {LabAnswer | null} */
    this.answer = null;
    this.title = build("h3", { class: "called", tabindex: "-1" });
    this.story = build("p", { class: "story" });
    this.seen = build("p", { class: "note" });
    this.variants = build("select", { id: "variant" });
    this.variantLine = build("p", { class: "line" }, labelOf(this.variants, "studio.lab.variant"), this.variants);
    this.scrubber = build("input", { type: "range", min: 0, step: 1, id: "order", "aria-describedby": "order-told" });
    this.headline = build("p", { class: "headline", id: "order-told", role: "status" });
    this.route = build("p", { class: "route" });
    this.back = pressable("", { class: "step", "data-say-label": "studio.lab.back" }, () => this.#go(-1));
    this.forth = pressable("", { class: "step", "data-say-label": "studio.lab.forth" }, () => this.#go(1));
    [this.back.textContent, this.forth.textContent] = ["\u2039", "\u203a"];
    this.scrubbing = build(
      "div",
      { class: "scrubbing" },
      labelOf(this.scrubber, "studio.lab.order"),
      build("div", { class: "line" }, this.back, this.scrubber, this.forth),
    );
    this.table = build("div", { class: "scrolled" });
    this.accounts = build("ul", { class: "accounts" });
    this.change = build("pre", { class: "diff", tabindex: "0" });
    const mend = pressable("studio.lab.mend", { class: "quiet" }, () => actions.mend());
    const diagnose = pressable("studio.lab.diagnose", { class: "quiet" }, () => actions.diagnose());
    this.alone = pressable("studio.lab.alone", { class: "main", hidden: true }, () => actions.alone());
    this.lesson = build("p", { class: "lesson" });
    this.element = build(
      "div",
      { class: "lab" },
      build("div", { class: "titles" }, this.title, mend),
      this.story,
      this.alone,
      this.variantLine,
      this.scrubbing,
      this.headline,
      this.route,
      this.table,
      this.accounts,
      this.seen,
      build("p", { class: "line further" }, diagnose),
      build("details", {}, sentence("summary", "studio.lab.change"), this.change),
      build("details", { open: true }, sentence("summary", "studio.lab.lesson"), this.lesson),
    );
    this.variants.addEventListener("change", () => actions.wish({ variant: this.variants.value, order: 0 }));
    this.scrubber.addEventListener("input", () => {
      this.#orders(Number(this.scrubber.value));
      actions.wish({ order: Number(this.scrubber.value) });
    });
  }

  /** @param {number} by */
  #go(by) {
    const next = Number(this.scrubber.value) + by;
    if (next < 0 || next > Number(this.scrubber.max)) return;
    this.scrubber.value = String(next);
    this.scrubber.dispatchEvent(new Event("input"));
  }

  /** The gradients that the broken pass gives in the order that is shown. */
  gradients() {
    return this.answer?.orders[Number(this.scrubber.value)]?.gradients ?? null;
  }

  /** @param {LabAnswer} answer @param {number} order that is wished for; the answer may be about an earlier one */
  show(answer, order) {
    this.answer = answer;
    this.element.classList.remove("idle");
    this.alone.hidden = true;
    this.title.textContent = answer.fault.name;
    this.story.textContent = answer.fault.story;
    this.seen.textContent = answer.fault.seen;
    this.seen.hidden = !answer.fault.seen;
    this.lesson.textContent = answer.fault.lesson;
    this.variantLine.hidden = answer.variants.length < 2;
    this.variants.replaceChildren(...answer.variants.map((variant) => build("option", { value: variant }, variant)));
    this.variants.value = answer.variant;
    this.scrubber.max = String(Math.max(0, answer.orders.length - 1));
    this.scrubber.value = String(order);
    this.scrubbing.hidden = answer.orders.length < 2;
    this.change.replaceChildren(...diffLines(answer.diff));
    this.#orders(order);
    if (answer.order !== order) return; // the words about this one are on their way
    this.headline.textContent = answer.endless ? say("studio.lab.endless") : answer.headline;
    const words = answer.accounts.map(({ right, words }) => build("li", { class: right ? "right" : "wrong" }, words));
    this.accounts.replaceChildren(...words);
  }

  /** The fault has nothing to do on this graph. @param {string} slug @param {string} message */
  refuse(slug, message) {
    if (this.answer?.fault.slug !== slug) this.title.textContent = slug;
    this.answer = null;
    this.story.textContent = message;
    for (const element of [this.seen, this.variantLine, this.scrubbing]) element.hidden = true;
    for (const element of [this.headline, this.route, this.table, this.accounts]) element.replaceChildren();
    this.element.classList.add("idle");
    this.alone.hidden = false;
  }

  /** One order of those that are known already: shown at once, before the server has drawn it. @param {number} index */
  #orders(index) {
    const run = this.answer?.orders[index];
    if (!this.answer || !run) {
      this.route.replaceChildren();
      this.table.replaceChildren();
      return;
    }
    const names = run.order.slice(0, LONGEST_ORDER);
    if (run.order.length > names.length) names.push("…");
    this.route.replaceChildren(
      build("span", { class: "unseen" }, say("studio.lab.walked"), " "),
      ...names.flatMap((name, at) => [at ? build("span", { class: "faint" }, " → ") : "", build("code", {}, name)]),
    );
    this.scrubber.setAttribute("aria-valuetext", `${index + 1} / ${this.answer.orders.length}: ${names.join(", ")}`);
    this.back.disabled = index === 0;
    this.forth.disabled = index === this.answer.orders.length - 1;
    const expected = this.answer.expected;
    const rows = Object.keys(expected).slice(0, MOST_SHOWN).map((name) => {
      const [right, got, wrong] = apart(fromJsonNumber(expected[name]), fromJsonNumber(run.gradients[name]));
      const sign = build("span", { "aria-hidden": "true" }, wrong ? "≠" : "=");
      const words = build("span", { class: "unseen" }, say(wrong ? "studio.lab.wrong" : "studio.lab.right"));
      return build(
        "tr",
        { class: wrong ? "wrong" : "right" },
        build("th", { scope: "row" }, name),
        build("td", {}, right),
        build("td", { class: "got", "data-got": name }, got),
        build("td", { class: "mark" }, sign, words),
      );
    });
    const heads = ["input", "due", "got"].map((key) => build("th", { scope: "col" }, say(`studio.lab.${key}`)));
    const head = build("thead", {}, build("tr", {}, ...heads, build("td", {})));
    this.table.replaceChildren(build("table", { class: "numbers" }, head, build("tbody", {}, ...rows)));
  }
}

/** A diff, its lines marked as removed and added. @param {string} diff */
function diffLines(diff) {
  return diff.trimEnd().split("\n").map((line) => {
    const kind = { "-": "removed", "+": "added", "@": "faint" }[line[0]] ?? "";
    return build("span", { class: kind }, line + "\n");
  });
}

/**
 * Two numbers with as many digits as tell them apart, and whether they differ by more than rounding.
 * @param {number} right
 * @param {number} got
 * @returns {[string, string, boolean]}
 */
function apart(right, got) {
  const close = same(right, got) || within(right, got, 1e-9 * Math.max(Math.abs(right), Math.abs(got)));
  if (close) return [show(right), show(got), false];
  const digits = [6, 9, 12, 17].find((n) => show(right, n) !== show(got, n)) ?? 17;
  return [show(right, digits), show(got, digits), true];
}
