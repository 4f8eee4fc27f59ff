"use strict";
/*
 * Where statements are written: a plain textarea over a coloured copy of its text.  It marks the place of
 * an error and the statement that is being played, and never changes what was typed.
 */

const COLOURED = 20000; // characters; a longer text is shown in one colour, so that typing stays quick
const KINDS = {
  comment: /#[^\r\n]*/,
  number: /(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/,
  call: /[A-Za-z_]\w*(?=[ \t]*\()/,
  target: /[A-Za-z_]\w*(?=[ \t]*=(?![=<>]))/,
  word: /[A-Za-z_]\w*/,
  operator: /\*\*|<=|>=|[-+*/<>=(),;\u00b7\u22c5\u00d7]/,
};
const LETTERS = new RegExp(Object.entries(KINDS).map(([kind, { source }]) => `(?<${kind}>${source})`).join("|"), "g");

/** @typedef {{start: number, end: number, kind: string}} Stretch */

/**
 * The words of a text and what they are, without the spaces between them.
 * @param {string} text
 * @returns {Stretch[]}
 */
function lettersOf(text) {
  if (text.length > COLOURED) return [];
  return Array.from(text.matchAll(LETTERS), (match) => {
    const kind = Object.entries(match.groups ?? {}).find(([, letters]) => letters !== undefined)?.[0] ?? "";
    return { start: match.index, end: match.index + match[0].length, kind };
  });
}

/**
 * A text cut at the ends of all stretches; each piece has the kinds of those that cover it.
 * @param {string} text
 * @param {Stretch[]} words in order, apart from one another
 * @param {Stretch[]} marks few, anywhere
 * @returns {{text: string, kinds: string}[]}
 */
function piecesOf(text, words, marks) {
  const ends = new Set([0, text.length]);
  for (const { start, end } of [...words, ...marks]) ends.add(start).add(end);
  const cuts = [...ends].sort((a, b) => a - b);
  const pieces = [];
  let at = 0;
  for (let i = 0; i + 1 < cuts.length; i++) {
    const [start, end] = [cuts[i], cuts[i + 1]];
    while (at < words.length && words[at].end <= start) at++;
    const kinds = marks.filter((mark) => mark.start <= start && end <= mark.end).map((mark) => mark.kind);
    if (at < words.length && words[at].start <= start) kinds.push(words[at].kind);
    pieces.push({ text: text.slice(start, end), kinds: kinds.join(" ") });
  }
  return pieces;
}

/**
 * A place that Python counts in code points, in the units of a JavaScript string.
 * @param {string} text
 * @param {readonly [number, number]} place
 * @returns {[number, number]}
 */
function placeIn(text, place) {
  if (/^[\u0000-\ud7ff\ue000-\uffff]*$/.test(text)) return [place[0], place[1]];
  const points = Array.from(text);
  const start = points.slice(0, place[0]).join("").length;
  return [start, start + points.slice(place[0], place[1]).join("").length];
}

class StatementEditor {
  /**
   * @param {HTMLElement} host with a pre and a textarea in it
   * @param {HTMLElement} remark where complaints are told
   * @param {(text: string) => void} typed
   */
  constructor(host, remark, typed) {
    this.remark = remark;
    this.area = /** @type {HTMLTextAreaElement} */ (host.querySelector("textarea"));
    this.backdrop = /** @type {HTMLElement} */ (host.querySelector("pre"));
    /** @type {[number, number] | null} */
    this.error = null;
    /** @type {[number, number] | null} */
    this.place = null;
    this.area.addEventListener("input", () => {
      this.error = this.place = null; // both speak of the text as it was
      this.#paint();
      typed(this.area.value);
    });
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    if (text === this.area.value) return;
    this.area.value = text;
    this.error = this.place = null;
    this.#paint();
  }

  /**
   * Say what is wrong with the text, and underline where; null if nothing is.
   * @param {StudioError | null} error
   */
  complain(error) {
    this.error = error?.where ? placeIn(this.text, error.where) : null;
    if (this.error && this.error[0] === this.error[1]) this.error[1]++; // the end of the text shows a mark too
    this.#paint();
    this.area.removeAttribute("aria-invalid");
    if (error?.code === "language") this.area.setAttribute("aria-invalid", "true");
    this.remark.replaceChildren();
    if (error) this.remark.append(build("p", { class: "problem" }, error.message));
    if (error?.hint) this.remark.append(build("p", { class: "note" }, error.hint));
  }

  /**
   * Highlight the statement that is being played.
   * @param {readonly [number, number] | null} place
   */
  highlight(place) {
    const next = place && placeIn(this.text, place);
    if (String(next) === String(this.place)) return;
    this.place = next;
    this.#paint();
  }

  #paint() {
    const text = this.text + "\u200b"; // so that a last empty line has its height
    const marks = [];
    if (this.place) marks.push({ start: this.place[0], end: this.place[1], kind: "playing" });
    if (this.error) marks.push({ start: this.error[0], end: this.error[1], kind: "mistake" });
    const pieces = piecesOf(text, lettersOf(this.text), marks);
    this.backdrop.replaceChildren(
      ...pieces.map((piece) => (piece.kinds ? build("span", { class: piece.kinds }, piece.text) : piece.text)),
    );
  }
}
