"use strict";
// One trace in one view: its drawing in a window, the groups that are open, and what differs from another trace.

const LIVE_VIEWS = ["graph", "thermometer"]; // in which everything that depends on a number follows it
const CHOOSABLE = ".node[data-node], .node[data-group]";

class Pane {
  /**
   * @param {ToldTrace} told
   * @param {Words} words
   * @param {PaneNotices} notices
   */
  constructor(told, words, notices) {
    this.told = told;
    this.words = words;
    this.notices = notices;
    this.story = storyOf(told.trace);
    this.sentences = new StepSentences(words, told, this.story);
    this.places = new Map(this.story.nodes.map((node, i) => [node.name, i]));
    this.view = "";
    this.group = "";
    this.trail = ""; // what the crumbs show
    this.moved = false; // whether its numbers are others than those that it was drawn with
    /** @type {Map<string, Picture>} */
    this.pictures = new Map();
    /** @type {Picture | null} */
    this.picture = null;
    this.viewport = new Viewport(words);
    this.caption = make("figcaption", { class: "pane-title" });
    this.crumbs = make("nav", { class: "crumbs" });
    words.label(this.crumbs, "player.crumbs");
    this.note = make("p", { class: "pane-note" });
    this.sentence = make("p", { class: "pane-sentence" });
    this.element = make(
      "figure",
      { class: "pane" },
      this.caption,
      this.crumbs,
      this.viewport.element,
      this.note,
      this.sentence,
    );
    this.element.addEventListener("click", (event) => this.click(event));
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("focusin", (event) => this.focused(event));
  }

  /**
   * The same trace with other numbers; drawings that show more than numbers keep the old ones, and say so.
   * @param {ToldTrace} told
   */
  renumber(told) {
    const { story } = this;
    this.told = told;
    this.story = storyOf(told.trace);
    this.sentences = new StepSentences(this.words, told, this.story);
    this.moved = true;
    const alike = String(story.arrivals) === String(this.story.arrivals);
    if (!alike) this.pictures.clear(); // another branch was taken: messages go other ways
    if (!alike) this.picture = null;
    for (const picture of this.pictures.values()) picture.renumber(this.sentences);
  }

  /**
   * Which drawing is up.
   * @param {string} view
   * @param {number | null} chosen whose ledger
   * @param {string} group the group that is open
   */
  turn(view, chosen, group) {
    this.view = view;
    this.group =
      (view === "graph" || view === "river") && Object.hasOwn(this.told.groups, group) ? group : "";
    const [key, markup] = this.markup(view, chosen);
    this.caption.textContent = this.words.pick(this.told.title);
    this.showCrumbs();
    const stale = this.moved && !LIVE_VIEWS.includes(view);
    this.note.hidden = Boolean(markup) && !stale;
    if (stale) this.words.put(this.note, "player.stale");
    this.viewport.element.hidden = !markup;
    if (!markup) {
      this.picture = null;
      this.words.put(this.note, "player.undrawn");
      return;
    }
    let picture = this.pictures.get(key);
    if (!picture) {
      picture = new Picture(markup, this.words, this.sentences);
      if (this.moved) picture.renumber(this.sentences);
      this.equip(picture);
      this.pictures.set(key, picture);
    }
    if (this.picture !== picture) {
      this.picture = picture;
      this.viewport.hold(picture.svg);
    }
  }

  /**
   * @param {string} view
   * @param {number | null} chosen
   * @returns {[string, string | undefined]}
   */
  markup(view, chosen) {
    if (view === "ledger") {
      const node = String(chosen ?? Object.keys(this.told.ledgers)[0]);
      return [`ledger ${node}`, this.told.ledgers[node]];
    }
    const group = this.told.groups[this.group];
    if (group) return [`group ${this.group} ${view}`, (view === "river" && group.river) || group.svg];
    return [view, this.told.drawings[view]];
  }

  /**
   * Nodes are buttons: one of them can be reached with Tab, the others from it with the arrows.
   * @param {Picture} picture
   */
  equip(picture) {
    const { svg } = picture;
    svg.querySelectorAll(":scope > title, :scope > desc").forEach((element) => element.remove());
    svg.setAttribute("role", "group");
    this.words.label(svg, `player.view.${this.view}`);
    this.buttons(picture).forEach((element, at) => {
      element.setAttribute("role", "button");
      element.setAttribute("tabindex", at ? "-1" : "0");
    });
  }

  /**
   * The nodes and groups that can be chosen; a button has no button inside.
   * @param {Picture} picture
   */
  buttons(picture) {
    const found = [...picture.svg.querySelectorAll(CHOOSABLE)];
    return found.filter((element) => {
      const group = this.told.groups[element.getAttribute("data-group") ?? ""];
      if (!element.hasAttribute("data-node") && !(group && this.notices.opens(group))) return false;
      return !element.parentElement?.closest(CHOOSABLE);
    });
  }

  /**
   * Show one moment of this trace.
   * @param {Frame} frame
   * @param {Marks} marks
   * @param {boolean} told with its own sentence below
   */
  show(frame, marks, told) {
    this.sentence.replaceChildren();
    if (told) this.sentences.step(this.sentence, frame);
    if (!this.picture) return;
    this.picture.show(frame, marks);
    for (const { element, node } of this.picture.nodes) {
      if (element.getAttribute("role") !== "button") continue;
      describe(element, this.sentences.node(node, frame));
      element.setAttribute("aria-pressed", String(marks.chosen === node));
    }
    for (const { element } of this.picture.groups) {
      if (element.getAttribute("role") === "button") describe(element, this.words.say("player.group"));
    }
    this.viewport.follow(this.picture.active());
  }

  /** Everything that has been drawn, in the language in use. */
  retell() {
    for (const picture of this.pictures.values()) this.words.retell(picture.svg);
  }

  // ---- groups -------------------------------------------------------------------------

  showCrumbs() {
    /** @type {string[]} */
    const trail = [];
    for (let id = this.group; id; id = this.told.groups[id]?.parent ?? "") trail.unshift(id);
    const now = [this.words.language, ...trail].join(" ");
    if (now === this.trail) return; // buttons that stay keep the focus
    this.trail = now;
    this.crumbs.hidden = !trail.length;
    this.crumbs.replaceChildren(
      ...["", ...trail].flatMap((id, at) => {
        const label = id
          ? this.words.pick(this.told.groups[id].title).split("|")[0]
          : this.words.say("player.crumbs.whole");
        const button = make(
          "button",
          { type: "button", class: "crumb", "aria-current": id === this.group ? "true" : null },
          label,
        );
        button.addEventListener("click", () => this.notices.open(id));
        return at ? [make("span", { "aria-hidden": "true" }, "›"), button] : [button];
      }),
    );
  }

  // ---- choosing and walking -----------------------------------------------------------

  /** The name of the node that has the focus. */
  focusedName() {
    const focused = document.activeElement?.closest("[data-node]");
    if (!focused || !this.element.contains(focused)) return null;
    return this.story.nodes[Number(focused.getAttribute("data-node"))]?.name ?? null;
  }

  /** @param {string | null} name of a node; null for the first thing there is */
  focus(name) {
    if (!this.picture) return;
    const element =
      name === null ? this.buttons(this.picture)[0] : this.picture.elementOf(this.places.get(name) ?? -1);
    focusElement(element ?? null);
  }

  /**
   * The focus goes to the group that one comes from, if it is there, else to the first thing.
   * @param {string} left the group that was open
   */
  enter(left) {
    const buttons = this.picture ? this.buttons(this.picture) : [];
    for (let id = left; id; id = this.told.groups[id]?.parent ?? "") {
      const found = buttons.find((element) => element.getAttribute("data-group") === id);
      if (found) return focusElement(found);
    }
    this.focus(null);
  }

  /** @param {Event} event */
  click(event) {
    const element = event.target instanceof Element ? event.target.closest("[role=button]") : null;
    if (element) this.activate(element);
  }

  /** @param {Element} element */
  activate(element) {
    const [group, node] = [element.getAttribute("data-group"), element.getAttribute("data-node")];
    if (group && Object.hasOwn(this.told.groups, group)) this.notices.open(group);
    else if (node !== null) this.notices.choose(this, Number(node));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const element = event.target instanceof Element ? event.target.closest("[role=button]") : null;
    if (!element || !this.picture || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") this.activate(element);
    else if (event.key.startsWith("Arrow")) focusElement(this.neighbour(element, event.key));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {Event} event */
  focused(event) {
    const element = event.target instanceof Element ? event.target.closest("[role=button]") : null;
    if (!element || !this.picture) return;
    for (const other of this.buttons(this.picture))
      other.setAttribute("tabindex", other === element ? "0" : "-1");
    this.viewport.follow(element);
  }

  /**
   * The next node in a direction: along an edge if one leads there, else whatever stands there.
   * @param {Element} from
   * @param {string} key
   * @returns {Element | null}
   */
  neighbour(from, key) {
    const picture = /** @type {Picture} */ (this.picture);
    const node = Number(from.getAttribute("data-node") ?? NaN);
    const others = this.buttons(picture).filter((element) => element !== from);
    const linked = others.filter((element) => {
      const other = Number(element.getAttribute("data-node") ?? NaN);
      return this.story.nodes[node]?.args.includes(other) || this.story.nodes[other]?.args.includes(node);
    });
    return nearest(from, linked, key) ?? nearest(from, others, key);
  }
}

/**
 * Say in words what a button of a drawing shows; its name is what is written on it.
 * @param {Element} element
 * @param {string} words
 */
function describe(element, words) {
  if (element.getAttribute("aria-description") !== words) element.setAttribute("aria-description", words);
}

/** @param {Element | null} element */
function focusElement(element) {
  if (element instanceof SVGElement || element instanceof HTMLElement) element.focus({ preventScroll: true });
}

/**
 * The nearest element in the direction of an arrow key; what lies aside counts double.
 * @param {Element} from
 * @param {Element[]} others
 * @param {string} key
 */
function nearest(from, others, key) {
  const start = from.getBoundingClientRect();
  const sideways = key === "ArrowLeft" || key === "ArrowRight";
  const way = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  let [best, least] = [/** @type {Element | null} */ (null), Infinity];
  for (const element of others) {
    const box = element.getBoundingClientRect();
    const dx = box.left + box.right - start.left - start.right;
    const dy = box.top + box.bottom - start.top - start.bottom;
    const [along, aside] = sideways ? [dx * way, Math.abs(dy)] : [dy * way, Math.abs(dx)];
    if (along > 1 && along + 2 * aside < least) [best, least] = [element, along + 2 * aside];
  }
  return best;
}

/**
 * How the numbers of one trace differ from those of another, by the names of the nodes.
 * A gradient is only called wrong when it is complete: on the way, another order has other totals.
 * @param {Pane} pane
 * @param {Pane} right
 * @returns {Marks["wrong"]}
 */
function differences(pane, right) {
  const { story } = pane;
  const last = story.steps.length - 1;
  const twins = story.nodes.map((node) => right.places.get(node.name));
  const sent = frameOf(right.story, right.story.steps.length).sent;
  return (kind, of, frame) => {
    if (kind === "data" || kind === "grad") {
      const twin = twins[Number(of)];
      if (twin === undefined) return false;
      const [mine, other] = [story.nodes[Number(of)], right.story.nodes[twin]];
      if (kind === "data") return show(mine.data) !== show(other.data);
      return (
        frame.time >= (story.arrivals[Number(of)].at(-1) ?? last) && show(mine.grad) !== show(other.grad)
      );
    }
    const [source, slot] = String(of).split(".");
    const [flow, other] = [frame.sent(String(of)), sent(`${twins[Number(source)]}.${slot}`)];
    if (!flow || !other) return false;
    return kind === "local"
      ? show(flow.local) !== show(other.local)
      : show(flow.amount) !== show(other.amount);
  };
}
