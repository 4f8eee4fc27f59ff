"use strict";
/*
 * The tools as tabs: one panel is seen, the arrow keys walk along the tabs.
 */

class ToolTabs {
  /** @param {HTMLElement} list @param {(tool: string) => void} opened */
  constructor(list, opened) {
    this.opened = opened;
    this.tool = TOOLS[0];
    this.tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=tab]")]);
    for (const tab of this.tabs) tab.addEventListener("click", () => this.open(tab.dataset.tool ?? ""));
    list.addEventListener("keydown", (event) => this.#keys(event));
  }

  /** @param {string} tool */
  open(tool) {
    this.tool = tool;
    for (const tab of this.tabs) {
      const chosen = tab.dataset.tool === tool;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      part(`panel-${tab.dataset.tool}`).hidden = !chosen;
    }
    this.opened(tool);
  }

  /** @param {KeyboardEvent} event */
  #keys(event) {
    const at = TOOLS.indexOf(this.tool);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TOOLS.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.open(TOOLS[(next + TOOLS.length) % TOOLS.length]);
    this.tabs.find((tab) => tab.dataset.tool === this.tool)?.focus();
  }
}
