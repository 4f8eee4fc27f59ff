"use strict";
// A lesson as a page: starts a player at each graph, and judges answers by what the page was told about them.

/** @typedef {{answer: Record<string, string>, right: boolean, words: string[]}} Foreseen */
/** @typedef {{numeric: boolean, free: boolean, rows: Foreseen[], unknown: string, unread: string, empty: string}} Told */

/**
 * The number that a person typed: 4, -0.5, 1/3, or 0,5 with a comma.
 * @param {string} typed
 */
function numberTyped(typed) {
  const plain = typed
    .trim()
    .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0)) // of East Asian keyboards
    .replace(/[−–]/g, "-")
    .replace(",", ".");
  const parts = plain.split("/");
  if (parts.length > 2 || !parts.every((part) => /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(part))) return NaN;
  return parts.length === 2 ? Number(parts[0]) / Number(parts[1]) : Number(parts[0]);
}

/**
 * Is what was typed this answer?
 * @param {string} typed
 * @param {string} answer
 * @param {boolean} numeric
 */
function sameAnswer(typed, answer, numeric) {
  if (!numeric) return typed.replace(/\s+/g, "") === answer.replace(/\s+/g, "");
  const [given, wanted] = [numberTyped(typed), numberTyped(answer)];
  return Math.abs(given - wanted) <= 1e-6 * Math.max(1, Math.abs(wanted));
}

/**
 * @param {HTMLFormElement} form
 * @param {Told} told
 */
function judge(form, told) {
  const typed = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  const blanks = Object.keys(told.rows[0].answer);
  if (blanks.some((blank) => !(typed[blank] ?? "").trim())) return { right: false, words: [told.empty] };
  if (told.numeric && blanks.some((blank) => Number.isNaN(numberTyped(typed[blank])))) {
    return { right: false, words: [told.unread] };
  }
  const found = told.rows.find((row) =>
    blanks.every((blank) => sameAnswer(typed[blank], row.answer[blank] ?? "", told.numeric)),
  );
  return found ?? { right: false, words: [told.unknown] };
}

for (const host of document.querySelectorAll(".player-host")) {
  if (!(host instanceof HTMLElement)) continue;
  const data = document.getElementById(host.dataset.document ?? "");
  const doc = JSON.parse(data?.textContent ?? "");
  const start = () => {
    if (host.dataset.ready) return;
    const player = new Player(host, doc, { embedded: true });
    player.language = doc.language;
    host.dataset.ready = "true";
  };
  const details = host.closest("details");
  if (details && !details.open) details.addEventListener("toggle", start, { once: true });
  else start();
}

for (const form of document.querySelectorAll("form.question")) {
  if (!(form instanceof HTMLFormElement)) continue;
  const told = JSON.parse(form.querySelector(".foreseen")?.textContent ?? "");
  const button = /** @type {HTMLElement} */ (form.querySelector(".check"));
  const said = /** @type {HTMLElement} */ (form.querySelector(".judgement"));
  button.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const found = judge(form, told);
    said.classList.toggle("right", found.right);
    said.classList.toggle("wrong", !found.right && !(told.free && found.words[0] === told.unknown));
    said.replaceChildren(
      ...found.words.map((words) => {
        const line = document.createElement("p");
        line.append(...pieces(words));
        return line;
      }),
    );
  });
}

/**
 * Words with code in backquotes; nothing else in them is markup.
 * @param {string} words
 */
function pieces(words) {
  return words.split("`").map((part, i) => {
    if (i % 2 === 0) return document.createTextNode(part);
    const code = document.createElement("code");
    code.textContent = part;
    return code;
  });
}
