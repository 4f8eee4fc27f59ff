"use strict";
/*
 * The guide: how the language is written, every function with its rule, and the keys.
 */

/** @typedef {{name: string, written: string, rule: [string, string]}} FunctionRow */

/**
 * The local rule of a function, about arguments that are called a, b, c.
 * @param {FunctionRow} row
 */
function ruleOf(row) {
  const rule = speech.pick(row.rule) || say(`studio.guide.rule.${row.name}`);
  return rule.replace(/\{([abc])\}/g, "$1").replaceAll(" | ", "; ");
}

/** A list of sentences. @param {string[]} keys */
function points(keys) {
  return build("ul", { class: "points" }, ...keys.map((key) => build("li", {}, say(`studio.guide.${key}`))));
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {readonly FunctionRow[]} functions
 */
function openGuide(dialog, functions) {
  const wish = say("studio.guide.search");
  const search = textField({ class: "field wide", placeholder: wish, "aria-label": wish });
  const body = build("tbody", {});
  const fill = () => {
    const wanted = plain(search.value);
    const found = functions.filter((row) => plain(`${row.name} ${row.written} ${ruleOf(row)}`).includes(wanted));
    const rows = found.map((row) => {
      const name = build("th", { scope: "row" }, build("code", {}, row.written));
      return build("tr", {}, name, build("td", {}, ruleOf(row)));
    });
    body.replaceChildren(...rows);
  };
  search.addEventListener("input", fill);
  fill();
  const head = ["studio.guide.written", "studio.guide.rule"].map((key) => build("th", { scope: "col" }, say(key)));
  const close = pressable("studio.guide.close", { class: "quiet" }, () => dialog.close());
  dialog.replaceChildren(
    build("div", { class: "titles" }, build("h2", { id: "guide-title" }, say("studio.guide.title")), close),
    build("div", { class: "reading", tabindex: "0", role: "group", "aria-labelledby": "guide-title" },
      points(["statements", "inputs", "operators", "numbers", "comments"]),
      build("h3", {}, say("studio.guide.keys")),
      points(["keys.play", "keys.fault", "keys.leave"]),
      build("h3", {}, say("studio.guide.functions")),
      search,
      build("table", { class: "functions" }, build("thead", {}, build("tr", {}, ...head)), body),
    ),
  );
  dialog.showModal();
}
