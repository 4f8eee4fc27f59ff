"use strict";
// The panel of the selected node: what it is, its explicit sum, and its ledger as a drawing.

class NodePanel {
  /**
   * @param {Words} words
   * @param {() => void} close
   */
  constructor(words, close) {
    this.words = words;
    this.title = make("h3");
    this.hint = words.put(make("p", { class: "remark" }), "player.choose");
    this.body = make("div", { class: "sums" });
    this.closer = iconButton(words, "player.choose.close", "close", close);
    this.element = make(
      "section",
      { class: "panel chosen-panel" },
      make("div", { class: "panel-head" }, this.title, this.closer),
      this.hint,
      this.body,
    );
    /** @type {{pane: Pane, node: number, place: HTMLElement, picture: Picture | null}[]} */
    this.parts = [];
  }

  /**
   * @param {Pane[]} panes
   * @param {number | null} chosen
   */
  load(panes, chosen) {
    const pane = panes[0];
    this.hint.hidden = chosen !== null;
    this.closer.hidden = chosen === null;
    this.body.hidden = chosen === null;
    if (chosen === null) {
      this.words.put(this.title, "player.sum");
      this.parts = [];
      this.body.replaceChildren();
      return;
    }
    this.title.removeAttribute("data-say");
    const recipe = pane.told.recipes[chosen];
    this.title.replaceChildren(
      make("code", {}, recipe ? `${pane.told.names[chosen]} = ${recipe}` : pane.told.names[chosen]),
    );
    this.parts = panes.flatMap((each, at) => {
      const node = at ? each.places.get(pane.story.nodes[chosen].name) : chosen;
      return node === undefined ? [] : [this.part(each, node)];
    });
    this.body.replaceChildren(...this.parts.map((part) => this.partElement(part, panes.length > 1)));
  }

  /**
   * @param {Pane} pane
   * @param {number} node
   */
  part(pane, node) {
    const markup = pane.told.ledgers[node];
    const picture = markup ? new Picture(markup, this.words, pane.sentences) : null;
    if (picture) {
      picture.svg.setAttribute("aria-hidden", "true"); // the sum above says it in full
      const { width } = picture.svg.viewBox.baseVal;
      picture.svg.setAttribute("width", String(width * 0.8));
    }
    return { pane, node, place: make("div", { class: "formula" }), picture };
  }

  /**
   * @param {NodePanel["parts"][number]} part
   * @param {boolean} titled
   */
  partElement({ pane, place, picture }, titled) {
    const title = titled ? [make("h4", {}, this.words.pick(pane.told.title))] : [];
    const ledger = picture ? [make("div", { class: "small-ledger" }, picture.svg)] : [];
    return make("div", { class: "sum" }, ...title, place, ...ledger);
  }

  /**
   * @param {Pane[]} panes
   * @param {Frame[]} frames one per pane
   * @param {Marks[]} marks
   */
  show(panes, frames, marks) {
    for (const { pane, node, place, picture } of this.parts) {
      const at = panes.indexOf(pane);
      const frame = frames[at];
      const sum = sumOf(pane.told, pane.story, frame, node);
      place.removeAttribute("data-say");
      if (sum) place.replaceChildren(sum);
      else this.words.put(place, "player.sum.none");
      if (place.scrollWidth > place.clientWidth + 1) place.setAttribute("tabindex", "0");
      else place.removeAttribute("tabindex");
      picture?.show(frame, { ...marks[at], path: null, edges: null, chosen: null });
    }
  }
}
