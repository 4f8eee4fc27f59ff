"use strict";
/*
 * The court: independent witnesses are asked for the same gradients, and the verdict is told in words.
 * It is asked on request; once the statements change, its verdict is marked as one about earlier ones.
 */

/**
 * @typedef {object} CourtAnswer
 * @property {"right" | "wrong" | "undecided"} verdict
 * @property {string} word
 * @property {string} reason
 * @property {string[]} columns
 * @property {{witness: string, status: string, status_words: string, cells: string[], why: string}[]} rows
 * @property {string[]} by_hand
 */

class CourtTable {
  /** @param {(ask: "quick" | "all", broken: boolean) => void} asked */
  constructor(asked) {
    this.all = build("input", { type: "checkbox", id: "court-all" });
    this.broken = build("input", { type: "checkbox", id: "court-broken" });
    this.brokenLine = build("p", { class: "choice", hidden: true }, this.broken, labelOf(this.broken, "studio.court.broken"));
    this.button = pressable("studio.court.ask", { class: "main" }, () => {
      this.button.disabled = true;
      this.said.textContent = say("studio.court.wait");
      asked(this.all.checked ? "all" : "quick", this.broken.checked && !this.brokenLine.hidden);
    });
    this.said = build("div", { class: "verdict", role: "status" });
    this.table = build("div", { class: "scrolled", tabindex: "0", role: "group", "data-say-label": "studio.court.table" });
    this.table.hidden = true;
    this.paper = build("details", { hidden: true });
    const choice = build("span", { class: "choice" }, this.all, labelOf(this.all, "studio.court.all"));
    this.element = build(
      "div",
      { class: "court" },
      sentence("p", "studio.court.lead", { class: "lead" }),
      this.brokenLine,
      build("p", { class: "line" }, this.button, choice),
      this.said,
      this.table,
      this.paper,
    );
  }

  /** Whether there is a broken pass that can be put on trial. @param {boolean} there */
  offer(there) {
    this.brokenLine.hidden = !there;
  }

  /** The statements have changed: what stands here is about earlier ones. */
  age() {
    this.element.classList.toggle("aged", this.table.hidden === false);
  }

  /** @param {Answer} answer */
  show(answer) {
    this.button.disabled = false;
    this.element.classList.remove("aged");
    if (!answer.ok) {
      this.said.replaceChildren(build("p", { class: "problem" }, answer.error?.message ?? ""));
      this.table.hidden = this.paper.hidden = true;
      return;
    }
    const found = /** @type {CourtAnswer} */ (/** @type {unknown} */ (answer));
    const word = build("strong", { class: `word ${found.verdict}` }, found.word.replace(/\.$/, ""));
    this.said.replaceChildren(build("p", {}, word, " ", found.reason));
    const head = [say("studio.court.witness"), ...found.columns];
    this.table.hidden = false;
    this.table.replaceChildren(
      build(
        "table",
        { class: "numbers witnesses" },
        build("thead", {}, build("tr", {}, ...head.map((title) => build("th", { scope: "col" }, title)))),
        build("tbody", {}, ...found.rows.map(witnessRow)),
      ),
    );
    this.paper.hidden = !found.by_hand?.length;
    this.paper.replaceChildren(build("summary", {}, say("studio.court.paper")), reportLines(found.by_hand ?? []));
  }
}

/** @param {CourtAnswer["rows"][number]} row */
function witnessRow(row) {
  const finding = [row.status_words, row.why].filter(Boolean).join(": ");
  return build(
    "tr",
    { class: row.status },
    build("th", { scope: "row" }, row.witness, finding && build("span", { class: "note" }, finding)),
    ...row.cells.map((cell) => build("td", {}, cell)),
  );
}
