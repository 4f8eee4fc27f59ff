"use strict";
// The player: plays the drawings of one trace, or of two side by side, along one timeline.
//
//     const player = new Player(host, document, {});
//     player.time = 3; player.view = "river"; player.language = "es"; player.chosen = 0;
//
// What is to be seen is a function of the document and of a few words of state (`now`); `show` shows it.

class Player {
  /**
   * @param {HTMLElement} host
   * @param {PlayerDocument} doc
   * @param {PlayerWishes} [wishes]
   */
  constructor(host, doc, wishes = {}) {
    this.host = host;
    this.wishes = wishes;
    this.embedded = Boolean(wishes.embedded);
    const words = (this.words = new Words(doc.words, doc.language));
    /** @type {PlayerState} */
    this.now = {
      t: 0,
      view: VIEWS[0],
      lang: words.language,
      node: null,
      dim: false,
      predict: false,
      speed: "normal",
      group: "",
    };
    this.doc = doc;
    /** @type {Pane[]} */
    this.panes = [];
    /** @type {Marks["wrong"][]} */
    this.wrong = [];
    this.clock = clockOf([]);
    this.waiting = false; // to go on playing once a question is answered
    this.pageFrame = new PageFrame(words, this.embedded, {
      view: (view) => (this.view = view),
      dim: () => this.set({ dim: !this.now.dim }),
      predict: () => this.set({ predict: !this.now.predict }),
      language: (language) => (this.language = language),
    });
    this.controls = new Controls(words, {
      to: (time) => this.go(time),
      by: (steps) => this.step(steps),
      turn: () => this.go(this.clock.backward),
      toggle: () => this.toggle(),
      speed: (speed) => this.set({ speed }),
    });
    this.timer = new PlayTimer(
      (steps) => this.advance(steps),
      (running) => this.controls.showPlaying(running),
    );
    this.prediction = new Prediction(words, { reveal: () => this.reveal(), resume: () => this.resume() });
    const choose = (/** @type {number} */ node) => this.choose(this.panes[0], node);
    this.source = new Source(words, choose);
    this.gradients = new Gradients(words, choose, () => this.show());
    this.nodePanel = new NodePanel(words, () => (this.chosen = null));
    this.inputs = new InputPanel(words, {
      renumber: (inputs) => this.renumber(inputs),
      back: () => this.load(this.loaded, { keepTime: true }),
    });
    this.loaded = doc; // with the numbers that it came with
    this.pageFrame.theatre.append(this.pageFrame.stage, this.prediction.element, this.controls.element);
    this.pageFrame.side.append(
      ...(this.embedded ? [] : [this.source.element]),
      ...(wishes.inputs ?? !this.embedded ? [this.inputs.element] : []),
      this.nodePanel.element,
      this.gradients.element,
    );
    host.replaceChildren(this.pageFrame.root);
    this.load(doc, { keepTime: false });
    new ResizeObserver(() => this.arrange()).observe(this.pageFrame.root);
    const everywhere = !this.embedded && wishes.keys !== "host";
    (everywhere ? document : host).addEventListener("keydown", (event) => {
      if (event instanceof KeyboardEvent) keyOf(this, event);
    });
  }

  // ---- what can be asked and set ------------------------------------------------------

  get time() {
    return this.now.t;
  }

  set time(time) {
    const t = Math.max(0, Math.min(this.last, Math.floor(time)));
    const moved = t !== this.now.t;
    this.now.t = t;
    this.show();
    if (moved) this.tell("time", this.moment());
  }

  get language() {
    return this.words.language;
  }

  set language(language) {
    if (!LANGUAGES.includes(language)) return;
    const changed = language !== this.words.language;
    this.words.language = this.now.lang = language;
    if (!this.embedded) document.documentElement.lang = language;
    this.words.retell(this.pageFrame.root);
    for (const pane of this.panes) pane.retell();
    this.gradients.showHead();
    this.nodePanel.load(this.panes, this.now.node);
    this.prediction.retell();
    this.show();
    if (changed) this.tell("language", { language });
  }

  get view() {
    return this.now.view;
  }

  set view(view) {
    if (!VIEWS.includes(view)) return;
    const changed = view !== this.now.view;
    this.now.view = view;
    this.show();
    if (changed) this.tell("view", { view });
  }

  get chosen() {
    return this.now.node;
  }

  set chosen(node) {
    const { nodes } = this.panes[0].story;
    this.now.node = node !== null && node in nodes ? node : null;
    this.nodePanel.load(this.panes, this.now.node);
    this.show();
    this.tell("choose", {
      node: this.now.node,
      name: this.now.node === null ? null : nodes[this.now.node].name,
    });
  }

  get playing() {
    return this.timer.running;
  }

  set playing(playing) {
    if (playing !== this.playing) this.toggle();
  }

  /** The last moment of the timeline. */
  get last() {
    return this.clock.length - 1;
  }

  /** @returns {PlayerState} */
  state() {
    return { ...this.now };
  }

  /** @param {Partial<PlayerState>} state */
  restore(state) {
    const { lang, view, node, t, ...rest } = state;
    this.set(rest);
    if (lang !== undefined) this.language = lang;
    if (view !== undefined) this.view = view;
    if (node !== undefined) this.chosen = node;
    if (t !== undefined) this.time = t;
  }

  /**
   * Another document; what was chosen stays chosen as far as it is there.
   * @param {PlayerDocument} doc
   * @param {{keepTime: boolean}} wish
   */
  load(doc, { keepTime }) {
    const [before] = this.panes;
    const atEnd = before !== undefined && this.now.t === this.last;
    const name = before && this.now.node !== null ? before.story.nodes[this.now.node].name : null;
    const focused = before ? before.focusedName() : null;
    const zooms = this.panes.map((pane) => pane.viewport.zoom);
    if (!keepTime) this.timer.stop();
    this.doc = this.loaded = doc;
    this.words.add(doc.words);
    const opens = (/** @type {GroupRow} */ row) => Boolean(row.svg || this.wishes.drawGroup);
    const notices = { choose: this.choose.bind(this), open: this.open.bind(this), opens };
    this.panes = doc.traces.map((told) => new Pane(told, this.words, notices));
    this.panes.forEach((pane, at) => pane.viewport.set(zooms[at] ?? "auto"));
    const [first] = this.panes;
    this.wrong = this.panes.map((pane) => (pane === first ? () => false : differences(pane, first)));
    this.clock = clockOf(this.panes.map((pane) => pane.story));
    this.now.t = !keepTime ? 0 : atEnd ? this.last : Math.min(this.now.t, this.last);
    this.now.node = before ? (first.places.get(name ?? "") ?? null) : doc.node;
    if (!before && VIEWS.includes(doc.view)) this.now.view = doc.view;
    if (!Object.hasOwn(first.told.groups, this.now.group)) this.now.group = "";
    this.pageFrame.name(doc.title, first.told.names[first.story.output]);
    this.pageFrame.stage.replaceChildren(...this.panes.map((pane) => pane.element));
    mark(this.pageFrame.root, "comparing", this.panes.length > 1);
    this.source.load(doc.source);
    this.gradients.load(this.panes);
    this.inputs.load(this.panes);
    this.nodePanel.load(this.panes, this.now.node);
    this.prediction.reset();
    this.controls.load(this.clock.length, this.clock.backward);
    this.show();
    if (focused !== null) first.focus(focused);
    this.tell("time", this.moment());
  }

  /**
   * The same passes with other numbers in their inputs, at once and without Python.
   * @param {ReadonlyMap<string, number>} inputs
   * @returns {boolean} false where that cannot be done here: in a broken pass, or with a node made by hand
   */
  renumber(inputs) {
    if (this.panes.length !== 1) return false;
    const [pane] = this.panes;
    const told = pane.told.key === "right" ? toldWith(pane.told, inputs) : null;
    if (!told) return false;
    const atEnd = this.now.t === this.last;
    pane.renumber(told);
    this.doc = { ...this.doc, traces: [told] };
    this.clock = clockOf([pane.story]);
    this.now.t = atEnd ? this.last : Math.min(this.now.t, this.last);
    this.nodePanel.load(this.panes, this.now.node);
    this.controls.load(this.clock.length, this.clock.backward);
    this.show();
    return true;
  }

  // ---- showing ------------------------------------------------------------------------

  /** Everything as it is now. */
  show() {
    const { now, panes } = this;
    const frames = panes.map((pane, at) => frameOf(pane.story, this.clock.at(at, now.t)));
    const marks = panes.map((pane, at) => this.marksOf(pane, frames[at], this.wrong[at]));
    panes.forEach((pane, at) => {
      pane.turn(now.view, marks[at].chosen, now.group);
      pane.show(frames[at], marks[at], panes.length > 1);
    });
    this.pageFrame.show(now);
    this.arrange();
    this.controls.show(now, panes, frames);
    this.source.show(this.moment().node);
    this.gradients.show(frames, now.node, this.wrong);
    this.nodePanel.show(panes, frames, marks);
  }

  /** Two drawings stand side by side, or one below the other where that shows more of them. */
  arrange() {
    if (this.panes.length > 1) this.pageFrame.arrange(this.panes.map((pane) => pane.viewport.size()));
  }

  /**
   * @param {Pane} pane
   * @param {Frame} frame
   * @param {Marks["wrong"]} wrong
   * @returns {Marks}
   */
  marksOf(pane, frame, wrong) {
    const { node, dim } = this.now;
    const chosen = node === null ? null : (pane.places.get(this.panes[0].story.nodes[node].name) ?? null);
    const path = dim ? pathOf(pane.story, frame, chosen) : null;
    return { chosen, path: path && path.nodes, edges: path && path.edges, wrong };
  }

  /** The present step, for the source and for a page around the player: whose statement is at work. */
  moment() {
    const { story } = this.panes[0];
    const time = this.clock.at(0, this.now.t);
    const step = story.steps[time];
    const node = flowAt(story, time)?.source ?? step.node;
    return { time: this.now.t, last: this.last, step, node, place: this.doc.source.places[node] ?? null };
  }

  /**
   * @param {string} what
   * @param {object} detail
   */
  tell(what, detail) {
    this.host.dispatchEvent(new CustomEvent(`player:${what}`, { detail, bubbles: true }));
  }

  // ---- acting -------------------------------------------------------------------------

  /**
   * A node was clicked; a second time, it is let go.
   * @param {Pane} pane
   * @param {number} node
   */
  choose(pane, node) {
    const own = this.panes[0].places.get(pane.story.nodes[node].name) ?? null;
    this.chosen = own === this.now.node ? null : own;
  }

  /**
   * Open a group, or the whole; one that has not been drawn yet is asked for first.
   * @param {string} group
   */
  async open(group) {
    const { doc, wishes } = this;
    for (const { key, groups } of doc.traces) {
      const row = groups[group];
      if (row && !row.svg && wishes.drawGroup) row.svg = await wishes.drawGroup(key, group);
    }
    if (this.doc !== doc) return; // another document has come meanwhile
    const left = this.now.group;
    this.now.group = group;
    this.show();
    this.panes[0].enter(left);
  }

  /**
   * @param {Partial<PlayerState>} wish
   */
  set({ dim, predict, speed, group }) {
    if (typeof dim === "boolean") this.now.dim = dim;
    if (typeof group === "string") this.now.group = group;
    if (typeof speed === "string" && SPEEDS.includes(speed)) this.now.speed = speed;
    if (typeof predict === "boolean" && predict !== this.now.predict) {
      this.now.predict = this.prediction.on = predict;
      this.prediction.reset();
    }
    if (speed && this.playing) this.timer.start(this.now.speed, this.clock.length);
    this.show();
  }

  /** @param {number} time */
  go(time) {
    this.timer.stop();
    this.prediction.close(false);
    this.time = time;
  }

  /** @param {number} steps */
  step(steps) {
    if (steps < 0 || this.prediction.pending) this.go(this.now.t + steps);
    else {
      this.timer.stop();
      this.advance(steps);
    }
  }

  /**
   * On by so many steps, or to a question before that; false if there is nothing to go on to.
   * @param {number} steps
   */
  advance(steps) {
    const { sentences, story } = this.panes[0];
    const goal = Math.min(this.now.t + steps, this.last);
    for (let time = this.now.t + 1; time <= goal; time += 1) {
      if (!this.prediction.stops(story, this.clock.at(0, time))) continue;
      this.time = time - 1;
      this.waiting = this.playing;
      this.prediction.ask(sentences, this.clock.at(0, time));
      return false;
    }
    this.time = goal;
    return goal < this.last;
  }

  /** The answer has been told, so its step may be seen. */
  reveal() {
    this.time = this.now.t + 1;
  }

  resume() {
    if (this.waiting) this.toggle();
    else this.controls.play.focus({ preventScroll: true });
  }

  toggle() {
    if (this.playing) {
      this.timer.stop();
      return;
    }
    this.prediction.close(false);
    if (this.now.t === this.last) this.time = 0;
    this.timer.start(this.now.speed, this.clock.length);
  }

  /** Close what is open: a question, a group, the node that is looked at. */
  escape() {
    if (this.prediction.pending) this.prediction.close(false);
    else if (this.now.group) this.open(this.panes[0].told.groups[this.now.group].parent);
    else if (this.now.node !== null) this.chosen = null;
  }
}
