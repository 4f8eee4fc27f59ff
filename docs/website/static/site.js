"use strict";
// What is wider than the page can be scrolled by keyboard, and frames with a player show the colours that the
// reader has chosen for the page around them.

function reachable() {
  for (const box of document.querySelectorAll(".highlight pre, .table-wrapper")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

reachable();
addEventListener("resize", reachable);
document.addEventListener("toggle", reachable, true);

function dress() {
  const theme = document.body.dataset.theme;
  for (const frame of document.querySelectorAll(".player-frame iframe")) {
    try {
      const root = frame.contentDocument?.documentElement;
      if (root && (theme === "light" || theme === "dark")) root.dataset.theme = theme;
      else if (root) delete root.dataset.theme;
    } catch {
      // A page that was opened as a file may not look into its frames; they follow the system then.
    }
  }
}

if (document.querySelector(".player-frame")) {
  new MutationObserver(dress).observe(document.body, { attributeFilter: ["data-theme"] });
  for (const frame of document.querySelectorAll(".player-frame iframe")) frame.addEventListener("load", dress);
}
