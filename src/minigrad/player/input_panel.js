"use strict";
// The inputs of a pass as sliders: every number that depends on one follows it, without Python.

const MOST_INPUTS = 12; // that have a slider

class InputPanel {
  /**
   * @param {Words} words
   * @param {{renumber: (inputs: ReadonlyMap<string, number>) => boolean, back: () => void}} act
   */
  constructor(words, act) {
    this.words = words;
    this.act = act;
    this.rows = make("div", { class: "moves" });
    this.reset = make("button", { type: "button", class: "toggle" });
    words.put(this.reset, "player.inputs.back").addEventListener("click", act.back);
    const head = make("div", { class: "panel-head" }, words.put(make("h3"), "player.inputs"), this.reset);
    this.element = make("section", { class: "panel" }, head, this.rows);
  }

  /** The inputs of a document that has just come. @param {Pane[]} panes */
  load(panes) {
    const [{ told, story }] = panes;
    const inputs = [...story.nodes.keys()].filter((i) => story.nodes[i].op === "input");
    const able = panes.length === 1 && told.key === "right" && toldWith(told, new Map()) !== null;
    this.element.hidden = !able || !inputs.length;
    this.reset.hidden = true;
    if (this.element.hidden) return;
    this.rows.replaceChildren(...inputs.slice(0, MOST_INPUTS).map((i) => this.row(story.nodes[i], told.names[i])));
  }

  /**
   * @param {StoryNode} node
   * @param {string} name
   */
  row(node, name) {
    const bound = boundOf(node.data);
    const range = /** @type {HTMLInputElement} */ (make("input", { type: "range", min: -bound, max: bound, step: "any", value: node.data, "aria-label": name }));
    const number = make("output", { class: "data" }, show(node.data));
    range.disabled = !Number.isFinite(node.data);
    range.addEventListener("input", () => {
      const value = tidied(Number(range.value), bound);
      number.textContent = show(value);
      this.reset.hidden = false;
      this.act.renumber(new Map([[node.name, value]]));
    });
    return make("label", { class: "move" }, make("span", { class: "name" }, name), range, number);
  }
}

/** The end of a range around 0 in which a value has room on both sides: 1, 2 or 5, and zeros. @param {number} value */
function boundOf(value) {
  const wished = Number.isFinite(value) && value !== 0 ? 2 * Math.max(1, Math.abs(value)) : 2;
  const tens = 10 ** Math.floor(Math.log10(wished));
  return [1, 2, 5, 10].map((digit) => digit * tens).find((round) => round >= wished) ?? wished;
}

/** A number of a slider without digits that nobody asked for. @param {number} value @param {number} bound */
function tidied(value, bound) {
  return Number(value.toFixed(Math.max(0, Math.min(12, 2 - Math.floor(Math.log10(bound))))));
}
