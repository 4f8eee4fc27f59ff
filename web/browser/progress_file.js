"use strict";
/*
 * What a learner has done: the text of the file that the command keeps, in this browser.  It can be saved as
 * that file, and read from one.
 */

const PROGRESS_KEPT = "minigrad.progress";
const PROGRESS_BEFORE = "minigrad.progress.before"; // what another file took the place of
const LONGEST_PROGRESS = 4e6; // characters

/** The learner's file; "" where nothing was learned yet. */
function keptProgress() {
  return kept(PROGRESS_KEPT) ?? "";
}

/** @param {string} text */
function keepProgress(text) {
  if (text !== keptProgress()) keep(PROGRESS_KEPT, text);
}

/** Two buttons below the contents of the course. */
function progressButtons() {
  const chooser = build("input", { type: "file", accept: ".json,application/json", hidden: true });
  const said = build("p", { class: "note", role: "status" });
  chooser.addEventListener("change", async () => {
    const file = chooser.files?.[0];
    if (!file) return;
    const text = file.size <= LONGEST_PROGRESS ? await file.text() : "";
    chooser.value = "";
    if (!isProgress(text)) {
      said.textContent = say("web.progress.odd", { name: file.name });
      return;
    }
    keep(PROGRESS_BEFORE, keptProgress());
    keep(PROGRESS_KEPT, text);
    location.reload();
  });
  const save = pressable("web.progress.save", { class: "quiet" }, () => {
    const address = URL.createObjectURL(new Blob([keptProgress()], { type: "application/json" }));
    build("a", { href: address, download: "minigrad-progress.json" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  });
  const open = pressable("web.progress.open", { class: "quiet" }, () => chooser.click());
  return build("div", { class: "progress" }, save, open, chooser, said);
}

/** Whether a text can be a learner's file; Python looks at it more closely. @param {string} text */
function isProgress(text) {
  try {
    const found = JSON.parse(text);
    return typeof found?.schema === "string" && found.schema.startsWith("minigrad.progress/");
  } catch {
    return false;
  }
}

/** On the page of the course, once there are words. */
function offerProgress() {
  const contents = document.querySelector(".course nav");
  if (contents && !contents.querySelector(".progress")) contents.append(progressButtons());
}
