"use strict";
// Keeps what is typed in the page itself, and saves it as a small file of answers.
(() => {
  /** @param {string} id */
  const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const about = JSON.parse(part("sheet").textContent || "{}");
  /** @type {HTMLInputElement[]} */
  const inputs = [...document.querySelectorAll("input")].filter((input) => input.dataset.blank);
  const said = part("saved");
  let unsaved = false;

  /** @param {HTMLInputElement} input */
  function keep(input) {
    if (input.type === "radio") {
      for (const other of inputs.filter((one) => one.name === input.name && one.type === "radio")) {
        other.toggleAttribute("checked", other.checked);
      }
    } else {
      input.setAttribute("value", input.value);
    }
  }

  function answers() {
    /** @type {Record<string, Record<string, string>>} */
    const found = {};
    for (const input of inputs) {
      const question = /** @type {HTMLElement} */ (input.closest("[data-question]"));
      const number = question.dataset.question || "";
      const value = input.type === "radio" ? (input.checked ? input.value : "") : input.value.trim();
      if (value) {
        (found[number] = found[number] || {})[input.dataset.blank || ""] = value;
      }
    }
    return found;
  }

  function save() {
    const now = new Date();
    const local = new Date(now.getTime() - now.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
    const content = { schema: about.schema, sheet: about.sheet, saved: local, answers: answers() };
    const file = new Blob([JSON.stringify(content, null, 1)], { type: "application/json" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = about.file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    unsaved = false;
    said.textContent = (said.dataset.done || "").replace("FILE", about.file);
  }

  for (const input of inputs) {
    input.addEventListener("input", () => {
      keep(input);
      unsaved = true;
      said.textContent = "";
    });
  }
  part("save").addEventListener("click", save);
  addEventListener("beforeunload", (event) => {
    if (unsaved) {
      event.preventDefault();
    }
  });
})();
