"use strict";
/*
 * The lab of a unit: the change is shown, the learner predicts what comes of it, and then the broken pass is
 * run beside the right one, in every valid order.  The numbers come from the server once they are wished for.
 */

/** @typedef {{typed: Record<string, string>, ran: boolean, order: number}} LessonLabMemory */

/** @returns {LessonLabMemory} */
function freshLabMemory() {
  return { typed: Object.create(null), ran: false, order: 0 };
}

class LessonLab {
  /**
   * @param {LessonBlock} block
   * @param {ServerConnection} server
   * @param {string} purpose
   * @param {LessonLabMemory} memory what was typed and seen of it
   */
  constructor(block, server, purpose, memory) {
    this.block = block;
    this.server = server;
    this.purpose = purpose;
    this.memory = memory;
    const name = purpose.replaceAll(" ", "-");
    this.fields = new Map(
      /** @type {string[]} */ (block.inputs).map((input, at) => [input, textField({ id: `${name}-${at}`, inputmode: "decimal" })]),
    );
    const pairs = [...this.fields].map(([input, field]) => {
      field.value = memory.typed[input] ?? "";
      field.addEventListener("input", () => (memory.typed[input] = field.value));
      return build("p", { class: "pair" }, build("label", { for: field.id, class: "grad" }, `${input}.grad`), field);
    });
    this.said = build("div", { class: "said", role: "status" });
    this.button = build("button", { type: "submit", class: "main", id: `${name}-run` }, say("study.lab.run"));
    this.form = build("form", {}, build("p", { class: "note" }, say("study.lab.predict")), build("div", { class: "observed" }, ...pairs), build("p", { class: "line" }, this.button));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.memory.ran = true;
      this.run(true);
    });
    this.lab = new BreakLab({
      wish: ({ order }) => {
        this.memory.order = order ?? 0;
        this.run(false);
      },
      mend: () => {},
      alone: () => {},
      diagnose: () => {},
    });
    this.host = build("div", { class: "host" });
    /** @type {Player | null} */
    this.player = null;
    const open = benchLink({ text: block.text, fault: block.fault, variant: block.variant });
    this.result = build("div", { class: "result", hidden: true, tabindex: "-1", "aria-label": say("study.lab.result"), role: "group" }, this.said, this.lab.element, this.host, build("p", { class: "line" }, open));
    this.element = build(
      "section",
      { class: "trial card", "aria-label": say("study.lab") },
      build("h4", {}, block.name),
      build("pre", { class: "diff", tabindex: "0", "aria-label": say("study.lab.change") }, ...diffLines(block.diff)),
      block.lead.length ? paragraph(block.lead) : null,
      this.form,
      this.result,
    );
    if (memory.ran) this.run(false);
  }

  /** The broken pass in the order that is looked at. @param {boolean} first whether it was asked for just now */
  run(first) {
    const { text, fault, variant } = this.block;
    const { order } = this.memory;
    this.button.disabled = true;
    playing(this.server, this.purpose, { text, fault, variant, order }, this.host, this.player, (answer, player) => {
      this.button.disabled = false;
      this.result.hidden = false;
      this.element.classList.add("ran");
      if (!player) return;
      if (!this.player) player.time = Infinity;
      this.player = player;
      const told = /** @type {LabAnswer} */ (/** @type {unknown} */ (answer));
      this.lab.show(told, this.memory.order);
      this.said.replaceChildren(...this.#compared(told));
      if (first) this.result.focus({ preventScroll: true });
    });
  }

  /** The prediction beside what came. @param {LabAnswer} answer */
  #compared(answer) {
    const typed = [...this.fields].filter(([, field]) => field.value.trim());
    if (!typed.length || !answer.orders.length) return [];
    /** @param {Record<string, JsonNumber>} gradients */
    const fits = (gradients) => typed.every(([input, field]) => agrees(field.value, fromJsonNumber(gradients[input])));
    const hit = answer.orders.findIndex(({ gradients }) => fits(gradients));
    if (hit === 0) return [build("p", { class: "right" }, say("study.lab.hit"))];
    if (hit > 0) {
      const order = answer.orders[hit].order.join(", ");
      return [build("p", { class: "right" }, say("study.lab.elsewhere", { order }))];
    }
    if (fits(answer.expected)) return [build("p", { class: "wrong" }, say("study.lab.unbroken"))];
    const off = typed.filter(([input, field]) => !agrees(field.value, fromJsonNumber(answer.orders[0].gradients[input])));
    const names = off.map(([input]) => `${input}.grad`).join(", ");
    return [build("p", { class: "wrong" }, say("study.lab.missed", { names }))];
  }
}

/** Whether a text is this number, as far as one can be typed. @param {string} text @param {number} value */
function agrees(text, value) {
  const number = typed(text);
  if (number === null) return false;
  return same(number, value) || within(number, value, 1e-6 * Math.max(1, Math.abs(value)));
}
