"use strict";
// The frame around the drawings: title, tabs, toggles, language switch and help; and the division of the page.

const VIEWS = ["graph", "river", "waterfall", "thermometer", "ledger"];
const TONGUES = /** @type {Record<string, string>} */ ({ en: "English", es: "Español" });

const NARROW = 736; // pixels, under which two drawings never stand side by side
const COLUMN_GAP = 16;
const [TALL, LOW] = [0.42, 0.28]; // of the window's height: a drawing beside another, and one above another (see style.css)
const SMALL = 0.6; // the scale from which on there is no need to look for a better one

class PageFrame {
  /**
   * @param {Words} words
   * @param {boolean} embedded
   * @param {PageFrameActs} act
   */
  constructor(words, embedded, act) {
    this.words = words;
    this.act = act;
    this.title = make("h1", { class: "title" });
    this.tabs = VIEWS.map((view) => this.tab(view));
    this.dimmer = this.toggle("player.dim", act.dim);
    this.predictor = this.toggle("player.predict", act.predict);
    this.help = helpDialog(words);
    this.languages = LANGUAGES.map((language) => this.languageButton(language));
    this.stage = make("div", { class: "stage", id: "player-stage", role: "tabpanel" });
    this.theatre = make("div", { class: "theatre" });
    this.side = make("div", { class: "side" });
    const asks = make("button", { type: "button", class: "toggle", "aria-haspopup": "dialog" }, "?");
    words.label(asks, "player.help").addEventListener("click", () => this.help.showModal());
    const switcher = make("div", { class: "languages", role: "group" }, ...this.languages);
    words.label(switcher, "player.language").removeAttribute("title");
    const tablist = make("div", { class: "tabs", role: "tablist" }, ...this.tabs);
    words.label(tablist, "player.views").removeAttribute("title");
    tablist.addEventListener("keydown", (event) => this.walk(event));
    const options = make(
      "div",
      { class: "options" },
      this.dimmer,
      this.predictor,
      ...(embedded ? [] : [switcher]),
      asks,
    );
    const head = make(
      "header",
      { class: "head" },
      ...(embedded ? [] : [this.title]),
      make("div", { class: "choices" }, tablist, options),
    );
    const body = make("div", { class: "body" }, this.theatre, this.side);
    this.root = make("div", { class: embedded ? "player embedded" : "player" }, head, body, this.help);
  }

  /** @param {string} view */
  tab(view) {
    const tab = make("button", {
      type: "button",
      role: "tab",
      id: `tab-${view}`,
      "aria-controls": "player-stage",
    });
    tab.addEventListener("click", () => this.act.view(view));
    return this.words.put(tab, `player.view.${view}`);
  }

  /**
   * @param {string} key
   * @param {() => void} act
   */
  toggle(key, act) {
    const button = this.words.put(
      make("button", { type: "button", class: "toggle", "aria-pressed": "false" }),
      key,
    );
    button.addEventListener("click", act);
    return button;
  }

  /** @param {string} language */
  languageButton(language) {
    const button = make("button", { type: "button", class: "toggle", lang: language }, TONGUES[language]);
    button.addEventListener("click", () => this.act.language(language));
    return button;
  }

  /**
   * The title of the page: its own, or whose gradients these are.
   * @param {string} title
   * @param {string} output
   */
  name(title, output) {
    this.title.removeAttribute("data-say");
    if (title) this.title.textContent = title;
    else this.words.put(this.title, "player.title", { output });
  }

  /**
   * Two drawings: side by side, or one below the other if they would be small and are larger that way.
   * @param {{width: number, height: number}[]} sizes
   */
  arrange(sizes) {
    const room = this.root.clientWidth;
    if (!room) return;
    const width = Math.max(...sizes.map((size) => size.width));
    const height = Math.max(...sizes.map((size) => size.height));
    const beside = Math.min((room - COLUMN_GAP) / 2 / width, (TALL * window.innerHeight) / height);
    const below = Math.min(room / width, (LOW * window.innerHeight) / height);
    mark(this.root, "stacked", room < NARROW || (beside < SMALL && below > 1.1 * beside));
  }

  /** @param {PlayerState} now */
  show(now) {
    this.tabs.forEach((tab, at) => {
      tab.setAttribute("aria-selected", String(VIEWS[at] === now.view));
      tab.setAttribute("tabindex", VIEWS[at] === now.view ? "0" : "-1");
    });
    this.stage.setAttribute("aria-labelledby", `tab-${now.view}`);
    this.dimmer.setAttribute("aria-pressed", String(now.dim));
    this.predictor.setAttribute("aria-pressed", String(now.predict));
    this.languages.forEach((button, at) =>
      button.setAttribute("aria-pressed", String(LANGUAGES[at] === now.lang)),
    );
    mark(this.root, "predicting", now.predict);
    this.root.lang = now.lang;
  }

  /** @param {KeyboardEvent} event */
  walk(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const at = this.tabs.findIndex((tab) => tab === event.target);
    const next = (at + by + VIEWS.length) % VIEWS.length;
    this.act.view(VIEWS[next]);
    this.tabs[next].focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
