"use strict";
// One drawing that Python made, played: nothing is laid out here, only classes, numbers and scales are set.
//
// A drawing is read once into lists, and a frame goes through these lists and nothing else, so that a moment
// costs as much as there is to be seen of it.

const UNKNOWN = "…"; // a number that is not there yet
const LEAST_BAR = 0.01; // of a full bar: what is not zero shows

class Picture {
  /**
   * @param {string} markup
   * @param {Words} words
   * @param {StepSentences} sentences
   */
  constructor(markup, words, sentences) {
    this.svg = svgFrom(markup);
    this.words = words;
    this.sentences = sentences;
    this.story = sentences.story;
    words.retell(this.svg);
    this.nodes = [...this.svg.querySelectorAll("[data-node]")].map((element) => this.readNode(element));
    this.edges = [...this.svg.querySelectorAll("[data-edge]")].map((element) => this.readEdge(element));
    this.groups = [...this.svg.querySelectorAll("[data-members]")].map((element) => ({
      element,
      id: element.getAttribute("data-group") ?? "",
      ranges: rangesOf(element.getAttribute("data-members") ?? ""),
    }));
    this.stepped = [...this.svg.querySelectorAll("[data-step]")].map((element) => ({
      element,
      time: Number(element.getAttribute("data-step")),
    }));
    this.bars = [...this.svg.querySelectorAll("[data-bar]")].map((element) => ({
      element,
      node: Number(element.getAttribute("data-bar")),
      top: Number(element.getAttribute("data-top")),
    }));
    this.badges = this.nodes.flatMap(({ element, node }) => {
      const box = element.querySelector(":scope > rect.box");
      return box && this.story.arrivals[node].length > 1 ? [{ node, badge: new Badge(element, box) }] : [];
    });
    this.sums = [...this.svg.querySelectorAll("[data-sum]")].map((element) => ({
      element,
      last: this.story.arrivals[Number(element.getAttribute("data-sum"))].at(-1) ?? 0,
    }));
  }

  /** The same drawing with the numbers of another pass. @param {StepSentences} sentences */
  renumber(sentences) {
    this.sentences = sentences;
    this.story = sentences.story;
    const top = Math.max(0, ...this.bars.map(({ node }) => Math.abs(this.story.nodes[node].grad)).filter(Number.isFinite));
    for (const bar of this.bars) bar.top = top || 1;
  }

  /** @param {Element} element */
  readNode(element) {
    return {
      element,
      node: Number(element.getAttribute("data-node")),
      data: numbersOf(element, "data"),
      grad: numbersOf(element, "grad"),
    };
  }

  /** @param {Element} element */
  readEdge(element) {
    const key = element.getAttribute("data-edge") ?? "";
    return {
      element,
      key,
      source: Number(key.split(".")[0]),
      target: Number(element.getAttribute("data-target")),
      local: numbersOf(element, "local"),
      upstream: numbersOf(element, "upstream"),
      amount: numbersOf(element, "amount"),
      labels: element.hasAttribute("data-step") ? [] : [...element.querySelectorAll(".pill, text")],
      data: [...element.querySelectorAll(".ribbon.data")],
      grad: [...element.querySelectorAll(".ribbon.grad, .hatch")],
    };
  }

  /**
   * Show one moment.
   * @param {Frame} frame
   * @param {Marks} marks
   */
  show(frame, marks) {
    for (const row of this.nodes) this.showNode(row, frame, marks);
    for (const row of this.edges) this.showEdge(row, frame, marks);
    for (const row of this.groups) this.showGroup(row, frame, marks);
    for (const { element, time } of this.stepped) {
      mark(element, "later", frame.time < time);
      mark(element, "now", frame.time === time);
    }
    for (const { element, node, top } of this.bars) {
      element.setAttribute("transform", `scale(${barScale(frame.grad[node], top)} 1)`);
    }
    for (const { node, badge } of this.badges) badge.show(badgeOf(this.story, frame, node));
    for (const { element, last } of this.sums) mark(element, "unsent", frame.time <= last);
  }

  /**
   * @param {ReturnType<Picture["readNode"]>} row
   * @param {Frame} frame
   * @param {Marks} marks
   */
  showNode({ element, node, data, grad }, frame, marks) {
    mark(element, "later", frame.data[node] === null);
    mark(element, "now", this.isNow(frame, node));
    mark(element, "dim", marks.path !== null && !marks.path.has(node));
    mark(element, "chosen", marks.chosen === node);
    writeNumber(data, frame.data[node], marks.wrong("data", node, frame));
    writeNumber(grad, frame.grad[node], marks.wrong("grad", node, frame));
    const untouched = frame.time < (this.story.arrivals[node][0] ?? this.story.backward);
    for (const number of grad) mark(number.closest("text") ?? number, "later", untouched);
  }

  /**
   * @param {Frame} frame
   * @param {number} node
   */
  isNow(frame, node) {
    return frame.step.kind === "inputs" ? this.story.nodes[node].op === "input" : frame.step.node === node;
  }

  /**
   * @param {ReturnType<Picture["readEdge"]>} row
   * @param {Frame} frame
   * @param {Marks} marks
   */
  showEdge({ element, key, source, local, upstream, amount, labels, data, grad }, frame, marks) {
    const { step, flow } = frame;
    const sent = frame.sent(key);
    mark(element, "later", frame.data[source] === null);
    mark(
      element,
      "now",
      flow ? key === `${flow.source}.${flow.slot}` : step.kind === "forward" && step.node === source,
    );
    mark(element, "dim", marks.edges !== null && !marks.edges.has(key));
    for (const part of labels) mark(part, "unsent", !sent);
    for (const ribbon of data) mark(ribbon, "later", frame.data[source] === null);
    for (const ribbon of grad) mark(ribbon, "later", !sent);
    writeNumber(local, sent ? sent.local : null, marks.wrong("local", key, frame));
    writeNumber(upstream, sent ? sent.upstream : null, false, factor);
    writeNumber(amount, sent ? sent.amount : null, marks.wrong("amount", key, frame));
  }

  /**
   * A group is later until something in it has happened, and active while something in it happens.
   * @param {{element: Element, ranges: Span[]}} row
   * @param {Frame} frame
   * @param {Marks} marks
   */
  showGroup({ element, ranges }, frame, marks) {
    const { path, chosen } = marks;
    mark(element, "later", !someOf(ranges, (i) => frame.data[i] !== null));
    mark(
      element,
      "now",
      someOf(ranges, (i) => i === frame.step.node),
    );
    mark(element, "dim", path !== null && !someOf(ranges, (i) => path.has(i)));
    mark(element, "chosen", chosen !== null && someOf(ranges, (i) => i === chosen));
  }

  /**
   * What the eyes should be on: the active node, or the group that holds it.
   * @returns {Element | null}
   */
  active() {
    return this.svg.querySelector(".node.now") ?? this.svg.querySelector(".now");
  }

  /** @param {number} node */
  elementOf(node) {
    return this.nodes.find((row) => row.node === node)?.element ?? null;
  }
}

/** The running total on the corner of a node in which several contributions meet. */
class Badge {
  /**
   * @param {Element} node
   * @param {Element} box
   */
  constructor(node, box) {
    const [x, y, width] = ["x", "y", "width"].map((name) => Number(box.getAttribute(name)));
    this.right = x + width + 8;
    this.pill = makeIn(SVG, "rect", { class: "badge-pill", y: y - 17, height: 21, rx: 10.5 });
    this.text = makeIn(SVG, "text", { class: "badge-text", y: y - 2, "text-anchor": "middle" });
    this.element = makeIn(SVG, "g", { class: "badge" }, this.pill, this.text);
    node.append(this.element);
  }

  /** @param {string} total */
  show(total) {
    mark(this.element, "unsent", !total);
    if (this.text.textContent === total) return;
    const width = total.length * 8.4 + 16;
    this.text.textContent = total;
    this.text.setAttribute("x", String(this.right - width / 2));
    this.pill.setAttribute("x", String(this.right - width));
    this.pill.setAttribute("width", String(width));
  }
}

/**
 * The numbers of one kind that are an element's own, not those of something inside it.
 * @param {Element} element
 * @param {string} kind
 * @returns {Element[]}
 */
function numbersOf(element, kind) {
  const found = [...element.querySelectorAll(`[data-number="${kind}"]`)];
  return found.filter((number) => number.closest("[data-node], [data-edge]") === element);
}

/**
 * Write a number, or that it is not there yet; one that is wrong has a sign as well as a colour.
 * @param {Element[]} elements
 * @param {number | null | undefined} x
 * @param {boolean} wrong
 * @param {(x: number) => string} [spell]
 */
function writeNumber(elements, x, wrong, spell = show) {
  for (const element of elements) {
    const later = x === null || x === undefined;
    const sign = !wrong ? "" : element instanceof SVGElement ? "≠" : "≠ "; // in a drawing there is little room
    write(element, later ? UNKNOWN : sign + spell(x));
    mark(element, "wrong", wrong && !later);
    const line = element.closest("text");
    if (line) mark(line, "later", later);
  }
}

/**
 * @param {string} text "1-4,7"
 * @returns {Span[]}
 */
function rangesOf(text) {
  return text
    .split(",")
    .filter(Boolean)
    .map((run) => {
      const [first, last] = run.split("-").map(Number);
      return [first, last ?? first];
    });
}

/**
 * @param {Span[]} ranges
 * @param {(i: number) => boolean} test
 */
function someOf(ranges, test) {
  for (const [first, last] of ranges) {
    for (let i = first; i <= last; i += 1) if (test(i)) return true;
  }
  return false;
}

/**
 * @param {number | null} grad
 * @param {number} top
 */
function barScale(grad, top) {
  if (grad === null || Number.isNaN(grad) || grad === 0) return "0";
  const ratio = Math.min(Math.abs(grad) / top, 1);
  return String(Math.sign(grad) * Math.max(ratio, LEAST_BAR));
}
