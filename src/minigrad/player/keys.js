"use strict";
// The keys, and the help that lists them.

/** @type {[string, string][]} */
const KEYS = [
  ["Space", "player.help.play"],
  ["← →", "player.help.step"],
  ["Home End", "player.help.ends"],
  ["1 – 5", "player.help.views"],
  ["Tab", "player.help.tab"],
  ["Enter", "player.help.enter"],
  ["← ↑ → ↓", "player.help.walk"],
  ["D", "player.help.dim"],
  ["P", "player.help.predict"],
  ["+ − 0", "player.help.zoom"],
  ["?", "player.help.help"],
  ["Esc", "player.help.escape"],
];

/**
 * Is the focus on something that has its own use for a key?
 * @param {EventTarget | null} target
 * @param {string} key
 */
function keeps(target, key) {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches("textarea, select, input:not([type=range]), [contenteditable]")) return true;
  if (target.matches("input[type=range]")) return key !== " " && /^(Arrow|Home|End|Page)/.test(key);
  if (target.matches("[role=tab]")) return /^(Arrow|Home|End)/.test(key) || key === " " || key === "Enter";
  if (target.matches("button, summary, a")) return key === " " || key === "Enter";
  return target.classList.contains("movable") && key.startsWith("Arrow");
}

/**
 * @param {Words} words
 * @returns {HTMLDialogElement}
 */
function helpDialog(words) {
  const rows = KEYS.map(([keys, key]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, make("kbd", { class: "counter" }, keys)),
      words.put(make("td"), key),
    ),
  );
  const close = iconButton(words, "player.help.close", "close", () => dialog.close());
  const title = make("div", { class: "panel-head" }, words.put(make("h2"), "player.help"), close);
  const grammar = make(
    "p",
    { class: "grammar" },
    words.put(make("span", { class: "data" }), "player.help.data"),
    words.put(make("span", { class: "grad" }), "player.help.grad"),
    words.put(make("span", { class: "local" }), "player.help.local"),
    words.put(make("span", { class: "active" }), "player.help.active"),
  );
  const dialog = /** @type {HTMLDialogElement} */ (
    make("dialog", { class: "help" }, title, grammar, make("table", {}, make("tbody", {}, ...rows)))
  );
  words.label(dialog, "player.help");
  dialog.removeAttribute("title");
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}

/**
 * What a key does.
 * @param {Player} player
 * @param {KeyboardEvent} event
 */
function keyOf(player, event) {
  const { key, target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || player.pageFrame.help.open)
    return;
  if (key === "Escape") player.escape();
  if (keeps(target, key)) return;
  const windows = player.panes.map((pane) => pane.viewport);
  /** @type {Record<string, () => void>} */
  const acts = {
    " ": () => player.toggle(),
    ArrowRight: () => player.step(1),
    ArrowLeft: () => player.step(-1),
    Home: () => player.go(0),
    End: () => player.go(Infinity),
    "?": () => player.pageFrame.help.showModal(),
    d: () => player.set({ dim: !player.now.dim }),
    p: () => player.set({ predict: !player.now.predict }),
    "+": () => windows.forEach((each) => each.by(1.25)),
    "-": () => windows.forEach((each) => each.by(0.8)),
    0: () => windows.forEach((each) => each.set("fit")),
    ...Object.fromEntries(VIEWS.map((view, at) => [at + 1, () => (player.view = view)])),
  };
  const wanted = key.length === 1 ? key.toLowerCase() : key;
  if (!Object.hasOwn(acts, wanted)) return;
  event.preventDefault();
  acts[wanted]();
}
