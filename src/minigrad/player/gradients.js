"use strict";
// The gradients as a table: name, data, grad, and what that means in words.  A screen reader reads this.

const MOST_ROWS = 200;
const WIDE_NAME = 10; // letters, from which on a name may not fit

class Gradients {
  /**
   * @param {Words} words
   * @param {(node: number) => void} choose
   * @param {() => void} changed
   */
  constructor(words, choose, changed) {
    this.words = words;
    this.choose = choose;
    this.changed = changed;
    this.all = false;
    this.meaningful = true;
    /** @type {Pane[]} */
    this.panes = [];
    this.head = make("tr");
    this.body = make("tbody");
    const caption = words.put(make("caption"), "player.table.caption");
    this.table = make("table", { class: "gradients" }, caption, make("thead", {}, this.head), this.body);
    this.window = make("div", { class: "table-window" }, this.table);
    this.more = words.put(make("p", { class: "remark" }), "player.table.more");
    this.toggle = words.put(
      make("button", { type: "button", class: "toggle", "aria-pressed": "false" }),
      "player.table.all",
    );
    this.toggle.addEventListener("click", () => this.flip());
    const title = make("div", { class: "panel-head" }, words.put(make("h3"), "player.table"), this.toggle);
    this.element = make("section", { class: "panel" }, title, this.window, this.more);
    /** @type {GradientRow[]} */
    this.rows = [];
  }

  /** @param {Pane[]} panes */
  load(panes) {
    this.panes = panes;
    const { story } = panes[0];
    const wanted = story.nodes.flatMap((node, i) =>
      node.op === "input" || (this.all && node.args.length) ? [i] : [],
    );
    this.meaningful = panes[0].told.key === "right" || panes[0].told.key.startsWith("order-");
    this.showHead();
    this.rows = wanted.slice(0, MOST_ROWS).map((node) => this.row(node));
    this.body.replaceChildren(...this.rows.map(({ element }) => element));
    this.more.hidden = wanted.length <= MOST_ROWS;
    this.toggle.hidden = !story.nodes.some((node) => node.args.length);
  }

  flip() {
    this.all = !this.all;
    this.toggle.setAttribute("aria-pressed", String(this.all));
    this.load(this.panes);
    this.changed();
  }

  showHead() {
    const { words, panes } = this;
    /**
     * @param {string} key
     * @param {string} kind
     */
    const cell = (key, kind = "") => words.put(make("th", { scope: "col", class: kind }), key);
    const grads =
      panes.length === 1
        ? [cell("player.table.grad", "right-hand")]
        : panes.map(({ told }) =>
            make(
              "th",
              { scope: "col", class: "right-hand" },
              words.say("player.table.grad.of", { title: words.pick(told.title) }),
            ),
          );
    const meaning = this.meaningful ? [cell("player.table.meaning", "meanings")] : [];
    this.head.replaceChildren(
      cell("player.table.name"),
      cell("player.table.data", "right-hand"),
      ...grads,
      ...meaning,
    );
  }

  /**
   * @param {number} node
   * @returns {GradientRow}
   */
  row(node) {
    const pane = this.panes[0];
    const button = make("button", { type: "button", class: "name" }, pane.told.names[node]);
    if (pane.told.names[node].length > WIDE_NAME) button.title = pane.told.names[node];
    button.addEventListener("click", () => this.choose(node));
    const data = make("td", { class: "number data" });
    const grads = this.panes.map(() => make("td", { class: "number grad" }));
    const meaning = this.meaningful ? make("td", { class: "meaning" }) : null;
    const element = make(
      "tr",
      {},
      make("th", { scope: "row" }, button),
      data,
      ...grads,
      ...(meaning ? [meaning] : []),
    );
    return { node, element, data, grads, meaning };
  }

  /**
   * @param {Frame[]} frames one per pane
   * @param {number | null} chosen
   * @param {Marks["wrong"][]} wrong
   */
  show(frames, chosen, wrong) {
    const pane = this.panes[0];
    for (const { node, element, data, grads, meaning } of this.rows) {
      mark(element, "chosen", chosen === node);
      mark(element, "now", frames[0].step.node === node);
      writeNumber([data], frames[0].data[node], false);
      grads.forEach((cell, at) => {
        const twin = at ? this.panes[at].places.get(pane.story.nodes[node].name) : node;
        if (twin === undefined) return;
        writeNumber([cell], frames[at].grad[twin], wrong[at]("grad", twin, frames[at]));
        mark(cell, "later", frames[at].time < (this.panes[at].story.arrivals[twin][0] ?? 0));
      });
      const complete = frames[0].time >= (pane.story.arrivals[node].at(-1) ?? pane.story.backward);
      if (meaning)
        write(meaning, complete && frames[0].grad[node] !== null ? pane.sentences.meaning(node) : "");
    }
  }
}
