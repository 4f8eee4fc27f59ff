"use strict";
// The source, with the statement that the present step comes from highlighted along.
//
// Of a long text only the surroundings of that statement are on the page: a browser takes long over the rest.

const AROUND = 100; // pieces of the text on either side

class Source {
  /**
   * @param {Words} words
   * @param {(node: number) => void} choose
   */
  constructor(words, choose) {
    this.code = make("code");
    this.window = make("pre", { class: "source", "data-source": true }, this.code);
    this.element = make("section", { class: "panel" }, words.put(make("h3"), "player.source"), this.window);
    this.choose = choose;
    /** @type {(Span | null)[]} */
    this.places = [];
    /** @type {{element: HTMLElement, span: Span}[]} */
    this.segments = [];
    /** @type {HTMLElement[]} */
    this.lit = [];
    /** @type {Span | null} */
    this.shown = null; // the segments that are on the page
    this.code.addEventListener("click", (event) => this.click(event));
  }

  /** @param {PlayerDocument["source"]} source */
  load(source) {
    const letters = Array.from(source.text); // places count code points
    this.places = source.places;
    const cuts = new Set([0, letters.length]);
    source.places.forEach((place) => place?.forEach((cut) => cuts.add(cut)));
    const sorted = [...cuts].sort((a, b) => a - b);
    this.segments = sorted.slice(0, -1).map((start, at) => ({
      element: make("span", {}, letters.slice(start, sorted[at + 1]).join("")),
      span: [start, sorted[at + 1]],
    }));
    this.lit = [];
    this.shown = null;
    this.bring(0, 0);
    this.element.hidden = !source.text;
  }

  /**
   * Put the surroundings of some segments on the page, unless they are there.
   * @param {number} from
   * @param {number} to
   */
  bring(from, to) {
    if (this.shown && from >= this.shown[0] && to <= this.shown[1]) return;
    const [low, high] = (this.shown = [
      Math.max(0, from - AROUND),
      Math.min(this.segments.length, to + AROUND),
    ]);
    this.code.replaceChildren(...this.segments.slice(low, high).map(({ element }) => element));
    if (low > 0) this.code.prepend("…\n");
    if (high < this.segments.length) this.code.append("…");
  }

  /**
   * Highlight the statement of a node; null for none.
   * @param {number | null} node
   */
  show(node) {
    const place = node === null ? null : this.places[node];
    for (const element of this.lit) element.classList.remove("now");
    const [from, to] = place ? [this.segmentAt(place[0]), this.segmentAt(place[1])] : [0, 0];
    this.lit = this.segments.slice(from, to).map(({ element }) => element);
    for (const element of this.lit) element.classList.add("now");
    if (!this.lit.length) return;
    this.bring(from, to);
    this.scroll(this.lit[0]);
  }

  /**
   * The number of the segment that starts at a place: places are cuts.
   * @param {number} spot
   */
  segmentAt(spot) {
    let [low, high] = [0, this.segments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.segments[middle].span[0] < spot) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** @param {HTMLElement} element */
  scroll(element) {
    const { clientHeight, scrollTop } = this.window; // which the places of its segments count from
    const { offsetTop, offsetHeight } = element;
    if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) {
      this.window.scrollTop = offsetTop - Math.max(0, clientHeight - offsetHeight) / 2;
    }
    if (this.window.scrollHeight > clientHeight + 1) this.window.setAttribute("tabindex", "0");
  }

  /** @param {Event} event */
  click(event) {
    const segment = this.segments.find(({ element }) => element === event.target);
    if (!segment || window.getSelection()?.toString()) return;
    const [start] = segment.span;
    const nodes = this.places.flatMap((place, i) =>
      place && place[0] <= start && start < place[1] ? [i] : [],
    );
    if (nodes.length) this.choose(nodes[nodes.length - 1]);
  }
}
