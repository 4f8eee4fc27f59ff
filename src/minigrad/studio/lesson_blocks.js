"use strict";
/*
 * The blocks of a unit as elements: text with its marks, code and what it prints, pictures, and the graph
 * on stage, which plays.  Whatever stands in a block is text here, never markup.
 */

/** @typedef {{kind: "text" | "code" | "strong" | "emphasis" | "link", text: string, address?: string, inside?: Run[]}} Run */
/** @typedef {{kind: string} & Record<string, any>} LessonBlock */
/**
 * @typedef {object} LessonUnit
 * @property {number} number
 * @property {string} slug
 * @property {string} language
 * @property {Run[]} title
 * @property {Run[]} idea
 * @property {number} minutes
 * @property {LessonBlock[]} blocks
 * @property {number[]} aftermath the blocks that wait until the lab before them has been run
 */

const TAGS = /** @type {const} */ ({ code: "code", strong: "strong", emphasis: "em" });

/** Text with its marks. @param {readonly Run[]} runs @returns {Node[]} */
function spelled(runs) {
  return runs.map((run) => {
    if (run.kind === "text") return document.createTextNode(run.text);
    const inside = run.inside?.length ? spelled(run.inside) : [document.createTextNode(run.text)];
    if (run.kind === "link") return linkTo(run.address ?? "", inside);
    return build(TAGS[run.kind], {}, ...inside);
  });
}

/** A link out of a lesson; one that leads nowhere from here is its words. @param {string} address @param {Node[]} inside */
function linkTo(address, inside) {
  if (!/^https:\/\//.test(address)) return build("span", {}, ...inside);
  return build("a", { href: address, rel: "noopener noreferrer", target: "_blank" }, ...inside);
}

/** A paragraph. @param {readonly Run[]} runs @param {Attributes} [attributes] */
function paragraph(runs, attributes = {}) {
  return build("p", attributes, ...spelled(runs));
}

/** Something that may be wider than the page: it scrolls by itself. @param {string} name @param {...Child} children */
function sideways(name, ...children) {
  return build("div", { class: "scrolled", tabindex: "0", role: "group", "aria-label": name }, ...children);
}

/** A drawing in its own size, or in that of a narrower page. @param {string} markup */
function drawingOf(markup) {
  const svg = svgFrom(markup);
  const { width } = svg.viewBox.baseVal;
  svg.setAttribute("width", String(width));
  svg.style.setProperty("--natural", String(width));
  return svg;
}

/** Statements of our language, as they were written. @param {string} text */
function statements(text) {
  return build("pre", { class: "statements", tabindex: "0", "aria-label": say("study.statements") }, build("code", {}, text));
}

/** Where the studio is, seen from the course: another site calls it otherwise. */
function studioPage() {
  return document.getElementById("bench")?.getAttribute("href") ?? "/";
}

/**
 * The studio with this graph in it.
 * @param {Partial<StudioState> & {text: string}} wish
 */
function benchLink(wish) {
  const state = { ...emptyState(), ...wish, lang: speech.language };
  return build("a", { class: "button", href: `${studioPage()}#${fragmentOf(state)}` }, say("study.open"));
}

/** @type {Record<string, (block: LessonBlock) => HTMLElement>} */
const PLAIN_BLOCKS = {
  paragraph: ({ text }) => paragraph(text),
  heading: ({ text, level }) => build(level > 2 ? "h4" : "h3", {}, ...spelled(text)),
  items: ({ items, numbered }) => {
    const rows = items.map((/** @type {Run[]} */ item) => build("li", {}, ...spelled(item)));
    return build(numbered ? "ol" : "ul", {}, ...rows);
  },
  table: ({ head, rows }) => {
    const heads = head.map((/** @type {Run[]} */ cell) => build("th", { scope: "col" }, ...spelled(cell)));
    const body = rows.map((/** @type {Run[][]} */ row) => build("tr", {}, ...row.map((cell) => build("td", {}, ...spelled(cell)))));
    const table = build("table", {}, build("thead", {}, build("tr", {}, ...heads)), build("tbody", {}, ...body));
    return sideways(say("study.table"), table);
  },
  code: ({ language, text, output }) => {
    const code = build("pre", { class: `code ${language}`, tabindex: "0", "aria-label": say("study.code") }, build("code", {}, text));
    if (!output) return build("div", { class: "listing" }, code);
    const printed = build("pre", { class: "printed", tabindex: "0", "aria-label": say("study.printed") }, build("samp", {}, output));
    return build("div", { class: "listing" }, code, printed);
  },
  picture: ({ view, svg, text, caption }) => {
    const drawn = svg ? drawingOf(svg) : build("pre", {}, text);
    const about = caption.length ? build("figcaption", {}, ...spelled(caption)) : null;
    return build("figure", { class: `picture ${view}` }, sideways(say("study.picture"), drawn), about);
  },
};

/** The graph on stage: its statements, and the player that plays it. */
class StageFigure {
  /**
   * @param {{text: string, sketch: string}} block a sketch stands for a pass that is not played before it is wished
   * @param {ServerConnection} server
   * @param {string} purpose
   * @param {Partial<PlayerState> | null} seen where it was, in another language
   */
  constructor(block, server, purpose, seen) {
    const { text } = block;
    this.text = text;
    this.server = server;
    this.purpose = purpose;
    this.seen = seen;
    /** @type {Player | null} */
    this.player = null;
    const still = block.sketch ? sideways(say("study.sketch"), drawingOf(block.sketch)) : null;
    this.host = build("div", { class: "host" }, still);
    this.play = pressable("study.play", { class: "quiet" }, () => this.begin());
    const line = build("p", { class: "line" }, this.play, benchLink({ text }));
    const name = say("study.stage");
    this.element = build("figure", { class: "staged", role: "group", "aria-label": name }, statements(text), this.host, line);
    if (!block.sketch || seen) this.begin();
  }

  begin() {
    this.play.hidden = true;
    playing(this.server, this.purpose, { text: this.text }, this.host, null, (answer, player) => {
      if (!player) this.play.hidden = false;
      this.player = player;
      if (player && this.seen) player.restore({ ...this.seen, lang: speech.language });
    });
  }
}

/**
 * Ask for a pass and play it: the right one, or, with a fault, both.
 * @param {ServerConnection} server
 * @param {string} purpose
 * @param {{text: string} & Record<string, unknown>} wish
 * @param {HTMLElement} host
 * @param {Player | null} before who plays there already
 * @param {(answer: Answer, player: Player | null) => void} then
 */
function playing(server, purpose, wish, host, before, then) {
  const body = { ...wish, language: speech.language };
  server.ask(purpose, wish.fault ? "/api/break" : "/api/explain", body, (answer) => {
    if (!answer.ok) {
      host.replaceChildren(build("p", { class: "problem" }, answer.error?.message ?? ""));
      then(answer, null);
      return;
    }
    if (before) {
      before.load(answer.document, { keepTime: true });
      then(answer, before);
      return;
    }
    /** @type {DrawGroup} */
    const drawGroup = (key, group) => {
      return new Promise((drawn) => {
        server.ask(`${purpose} ${key}`, "/api/group", { ...body, key, group }, (found) => drawn(found.ok ? found.svg : ""));
      });
    };
    const player = new Player(host, answer.document, { embedded: true, keys: "host", inputs: true, drawGroup });
    player.language = speech.language;
    then(answer, player);
  });
}
