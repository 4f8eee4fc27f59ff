"use strict";
/*
 * The studio: one state (the text, the values of the inputs, the fault, the moment), one picture of it, and
 * a link that holds all of it.  Every change ends in `refresh`, and every picture comes from the server.
 */

const TYPING = 120; // milliseconds without a key after which the text is read
const RESTING = 200; // without a move of a slider, after which the picture is drawn anew
const HALFWAY = 300; // more, after which a text that cannot be read counts as one, and not as half a word
const BURST = 3000; // after which typing anew can be gone back from
const SURVEY = 700; // after which the faults are tried on the new graph
const UNREAD = ["language", "limit"]; // what keeps a text from being read, with a fault or without one

/** @typedef {"text" | "input" | "fault" | "order" | "language" | "state"} Cue why the picture changes */
/** @typedef {{text: string} & Record<string, unknown>} Subject what a request is about */

class Studio {
  constructor() {
    this.state = emptyState();
    this.server = openConnection((presence) => this.head.tell(presence));
    /** @type {Player | null} */
    this.player = null;
    /** @type {FunctionRow[]} */
    this.functions = [];
    /** @type {InputRow[]} */
    this.inputs = [];
    /** @type {Subject} */
    this.pictured = { text: "" }; // what the picture is of
    this.surveyed = ""; // the text whose faults are listed
    this.restoring = false; // whether the player has yet to take over the moment and the view of the state
    this.edited = -Infinity; // when the text was last typed at
    this.timers = { typing: 0, survey: 0, remark: 0 };
    this.address = new Address(() => this.#whole());
    this.main = part("player");
    this.head = new StudioMasthead({
      example: (text) => this.write(text),
      copy: () => this.#copy(),
      help: () => openGuide(part("guide", HTMLDialogElement), this.functions),
      speak: (language) => this.speak(language),
      retry: () => this.server.retry(),
    });
    this.tabs = new ToolTabs(part("tools"), (tool) => this.#opened(tool));
    this.editor = new StatementEditor(part("editor"), part("remark"), (text) => this.#typed(text));
    this.sliders = new InputSliders(part("inputs"), (name, value) => this.#moved(name, value));
    this.picker = new FaultPicker((slug) => this.break(slug, null, 0));
    this.lab = new BreakLab({
      wish: (wish) => this.#wish(wish),
      mend: () => this.break(null, null, 0),
      alone: () => this.#alone(),
      diagnose: () => {
        this.tabs.open("diagnose");
        this.box.takeBroken();
      },
    });
    this.court = new CourtTable((ask, broken) => {
      const claimed = broken ? this.lab.gradients() : null;
      this.#ask("check", { ask, claimed }, (answer) => this.court.show(answer));
    });
    this.box = new DiagnosisBox({
      ask: (observed) => this.#ask("diagnose", { observed }, (answer) => this.box.show(answer)),
      cause: (cause) => {
        this.tabs.open("break");
        this.break(cause.fault, cause.variant || null, cause.order_index ?? 0);
      },
      broken: () => (this.state.fault ? this.lab.gradients() : null),
    });
    this.files = new ExportButtons((format, theme) => this.#export(format, theme));
  }

  // ---- the beginning ------------------------------------------------------------------------

  begin() {
    part("panel-break").append(this.picker.element, this.lab.element);
    part("panel-check").append(this.court.element);
    part("panel-diagnose").append(this.box.element);
    part("panel-export").append(this.files.element);
    this.#listen();
    this.server.ask("start", "/api/start", {}, (answer) => {
      speech.add(answer.words ?? {});
      this.functions = answer.functions ?? [];
      const link = stateIn(location.hash);
      const given = answer.text ? stateOf({ text: answer.text, inputs: answer.inputs }) : null;
      const state = link ?? given ?? this.address.kept() ?? stateOf({ text: EXAMPLES[0].text });
      const spoken = link || given ? state?.lang : (keptLanguage() ?? state?.lang);
      this.restore(/** @type {StudioState} */ ({ ...state, lang: spoken ?? answer.language ?? "en" }));
    });
  }

  #listen() {
    part("reset").addEventListener("click", () => {
      this.state.inputs = noValues();
      this.refresh("input");
    });
    this.editor.area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && this.player) {
        event.preventDefault();
        this.player.toggle();
      }
    });
    window.addEventListener("popstate", () => {
      const state = stateIn(location.hash);
      if (state) this.restore(state);
    });
  }

  // ---- changes --------------------------------------------------------------------------------

  /** Take over a whole state, from a link or from the history. @param {StudioState} state */
  restore(state) {
    this.state = { ...state, lang: state.lang ?? this.state.lang };
    this.restoring = true;
    this.editor.text = state.text;
    this.#say(this.state.lang ?? "en");
    this.tabs.open(state.tool);
    this.refresh("state");
  }

  /** Another text, with or without a fault in its pass. @param {string} text @param {string | null} [fault] */
  write(text, fault = null) {
    this.address.landmark();
    this.editor.text = text;
    Object.assign(this.state, { text, inputs: noValues(), t: null, node: null, fault, variant: null, order: 0 });
    this.restoring = true;
    this.refresh("state");
  }

  /**
   * Put a fault into the pass; null mends it.
   * @param {string | null} fault
   * @param {string | null} variant
   * @param {number} order
   */
  break(fault, variant, order) {
    this.address.landmark();
    Object.assign(this.state, { fault, variant, order });
    this.#panels();
    (fault ? this.lab.title : this.picker.search).focus();
    this.refresh("fault");
  }

  /** @param {string} language */
  speak(language) {
    this.#say(language);
    this.refresh("language");
  }

  /** @param {string} text */
  #typed(text) {
    if (performance.now() - this.edited > BURST) this.address.landmark();
    this.edited = performance.now();
    this.state.text = text;
    clearTimeout(this.timers.remark);
    this.#later("typing", TYPING, () => this.refresh("text"));
    this.address.follow();
  }

  /** @param {string} name @param {number | null} value */
  #moved(name, value) {
    if (value === null) delete this.state.inputs[name];
    else this.state.inputs[name] = value;
    if (value === null || !this.#renumber(new Map([[name, value]]))) {
      this.refresh("input");
      return;
    }
    // what is laid out follows when the hand rests
    clearTimeout(this.timers.typing);
    this.#later("typing", RESTING, () => this.refresh("input"));
  }

  /** Show other numbers at once, if the page can do that itself. @param {ReadonlyMap<string, number>} inputs */
  #renumber(inputs) {
    if (!this.player || this.state.fault || !this.#current() || !this.player.renumber(inputs)) return false;
    this.#numbers(this.player.doc);
    return true;
  }

  /** @param {LabWish} wish */
  #wish(wish) {
    Object.assign(this.state, wish);
    this.refresh("order");
  }

  // ---- the picture ------------------------------------------------------------------------------

  /** What every request says. */
  #subject() {
    const { text, inputs, lang } = this.state;
    const values = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, travelling(value)]));
    return { text, inputs: values, language: lang ?? "en" };
  }

  /** @param {string} api @param {Record<string, unknown>} more @param {(answer: Answer) => void} then */
  #ask(api, more, then) {
    this.server.ask(api, `/api/${api}`, { ...this.#subject(), ...more }, then);
  }

  /** Ask for the picture of the state as it is now. @param {Cue} cue */
  refresh(cue) {
    clearTimeout(this.timers.typing);
    clearTimeout(this.timers.remark);
    const { fault, variant, order, text } = this.state;
    const body = this.#subject();
    if (new TextEncoder().encode(text).length > LONGEST_TEXT) {
      this.#remark({ message: say("studio.long"), code: "limit" });
      return;
    }
    if (cue !== "language" && cue !== "order") {
      this.court.age();
      this.box.age();
    }
    if (fault) {
      const broken = { ...body, fault, variant, order };
      this.server.ask("picture", "/api/break", broken, (answer) => {
        if (answer.ok || UNREAD.includes(answer.error?.code ?? "")) this.#answered(answer, broken, cue);
        else this.#unbroken(body, answer, cue);
      });
    } else {
      this.server.ask("picture", "/api/explain", body, (answer) => this.#answered(answer, body, cue));
    }
    this.address.follow();
    if (this.player) this.#later("survey", SURVEY, () => this.#survey());
  }

  /**
   * The fault has nothing to break here: that is said, and the right pass is shown.
   * @param {Subject} body
   * @param {Answer} refusal
   * @param {Cue} cue
   */
  #unbroken(body, refusal, cue) {
    this.lab.refuse(this.state.fault ?? "", refusal.error?.message ?? "");
    this.server.ask("picture", "/api/explain", body, (answer) => this.#answered(answer, body, cue));
  }

  /** The fault on the smallest graph that shows it. */
  #alone() {
    const { fault } = this.state;
    this.server.ask("alone", "/api/break", { ...this.#subject(), text: "", inputs: {}, fault }, (answer) => {
      if (!answer.ok || !answer.text) return;
      this.write(answer.text.split(/;\s*/).join("\n"), fault);
      this.lab.title.focus();
    });
  }

  /** @param {Answer} answer @param {Subject} asked what it is about @param {Cue} cue */
  #answered(answer, asked, cue) {
    const { text } = asked;
    if (text !== this.state.text) {
      if (!answer.ok) return; // a newer text is being read already
    } else if (!answer.ok) {
      const error = answer.error ?? { message: "" };
      this.#later("remark", cue === "text" ? HALFWAY : 0, () => this.#remark(error));
      return;
    }
    this.#remark(null);
    if (cue === "text" && text === this.state.text) this.#forget(/** @type {InputRow[]} */ (answer.inputs));
    this.inputs = answer.inputs;
    this.pictured = asked;
    this.#play(/** @type {PlayerDocument} */ (answer.document));
    if (answer.fault && answer.fault.slug === this.state.fault) {
      this.state.variant = answer.variant || null;
      if (this.state.order >= answer.orders.length) this.state.order = answer.order;
      this.lab.show(/** @type {LabAnswer} */ (/** @type {unknown} */ (answer)), this.state.order);
    }
    this.#numbers(answer.document);
    this.address.follow();
  }

  /** A number that is typed into the text takes the place of the one that a slider had set. @param {InputRow[]} rows */
  #forget(rows) {
    const written = new Map(this.inputs.map((row) => [row.name, row.written]));
    const rewritten = rows.filter(({ name, written: now }) => {
      const before = written.get(name);
      return Object.hasOwn(this.state.inputs, name) && before !== undefined && now !== null && before !== now;
    });
    for (const { name } of rewritten) delete this.state.inputs[name];
    if (rewritten.length) queueMicrotask(() => this.refresh("input"));
  }

  /** @param {PlayerDocument} doc */
  #play(doc) {
    const { t, view, node, predict, lang } = this.state;
    if (!this.player) {
      this.main.replaceChildren();
      const drawGroup = this.#group.bind(this);
      this.player = new Player(this.main, doc, { embedded: true, keys: "host", drawGroup });
      this.#later("survey", 0, () => this.#survey()); // what is to be seen first comes first
      for (const name of ["time", "choose", "view"]) {
        this.main.addEventListener(`player:${name}`, (event) => this.#watched(/** @type {CustomEvent} */ (event)));
      }
    } else {
      this.player.load(doc, { keepTime: true });
    }
    if (this.restoring) this.player.restore({ t: t ?? Infinity, view: view ?? this.player.view, node, predict });
    this.restoring = false;
    this.player.language = lang ?? "en";
  }

  /**
   * The inside of a group of the graph that is shown, which need not be the one that is being typed.
   * @param {string} key of one of the traces
   * @param {string} group
   * @returns {Promise<string>} its drawing; nothing where there is none
   */
  #group(key, group) {
    return new Promise((drawn) => {
      const wish = { ...this.pictured, key, group };
      this.server.ask(`group ${key}`, "/api/group", wish, (answer) => drawn(answer.ok ? answer.svg : ""));
    });
  }

  /** The player went on, or somebody chose something in it. @param {CustomEvent} event */
  #watched(event) {
    if (!this.player) return;
    if (event.type === "player:time") this.editor.highlight(this.#current() ? event.detail.place : null);
    this.address.follow();
  }

  /** Whether the picture is one of the text as it stands. */
  #current() {
    return part("stale").hidden;
  }

  /** What the tools show of the inputs. @param {PlayerDocument} doc */
  #numbers(doc) {
    const trace = doc.traces[0].trace;
    const gradients = new Map(trace.nodes.map((node) => [node.name, fromJsonNumber(node.grad)]));
    const wished = this.state.inputs; // which may be ahead of the answer
    const rows = this.inputs.map((row) => {
      return Object.hasOwn(wished, row.name) ? { ...row, value: travelling(wished[row.name]) } : row;
    });
    this.sliders.show(rows, trace.output, gradients);
    part("reset").hidden = !Object.keys(this.state.inputs).length;
    this.box.fit(this.inputs.map((row) => row.name));
    this.#panels();
  }

  /** What is wrong with the text, or null; the picture stays. @param {StudioError | null} error */
  #remark(error) {
    part("stale").hidden = !error || !this.player;
    this.editor.complain(error);
    if (error && !this.player) this.main.replaceChildren(build("p", { class: "note empty" }, say("studio.empty")));
  }

  // ---- the tools --------------------------------------------------------------------------------

  /** Try all faults on the graph, where somebody looks at them. */
  #survey() {
    const subject = this.#subject();
    const about = JSON.stringify([subject.text, subject.inputs]);
    if (!this.player || this.state.tool !== "break" || this.state.fault || about === this.surveyed) return;
    this.#ask("faults", {}, (answer) => {
      if (!answer.ok) return; // the text is not right yet; the list stays
      this.surveyed = about;
      this.picker.show(answer.faults, answer.families);
    });
  }

  #panels() {
    const broken = this.state.fault !== null;
    this.picker.element.hidden = broken;
    this.lab.element.hidden = !broken;
    this.court.offer(broken);
    this.box.offer(broken);
  }

  /** @param {string} tool */
  #opened(tool) {
    this.state.tool = tool;
    this.#panels();
    this.#survey();
    this.address.follow();
  }

  /** @param {string} format @param {string} theme */
  #export(format, theme) {
    const { fault, variant, order } = this.state;
    const seen = { view: this.player?.view ?? "graph", node: this.player?.chosen ?? null };
    const broken = fault ? { fault, variant, order } : {};
    this.#ask("export", { format, theme, ...seen, ...broken }, (answer) => this.files.show(answer));
  }

  /** @param {string} language */
  #say(language) {
    this.state.lang = speech.language = document.documentElement.lang = language;
    this.head.retell();
    translate(/** @type {Element} */ (document.querySelector(".desk")));
    for (const id of ["stale", "stage-title"]) part(id).textContent = say(part(id).dataset.say ?? "");
    this.sliders.retell();
    this.picker.render();
    if (this.player) this.player.language = language;
  }

  /** The state, with what the player knows of it. @returns {StudioState} */
  #whole() {
    const { text, inputs, fault, variant, order, tool, lang } = this.state;
    const own = { text, inputs, fault, variant: fault ? variant : null, order: fault ? order : 0, tool, lang };
    if (!this.player || this.restoring) return { ...this.state, ...own };
    const { t, view, node, predict } = this.player.state();
    const atEnd = t >= this.player.moment().last; // which stays the end, whatever the text becomes
    return { ...own, t: atEnd ? null : t, view, node, predict };
  }

  async #copy() {
    this.address.now();
    await navigator.clipboard.writeText(location.href);
  }

  /**
   * Do something after a while, and only once.
   * @param {keyof Studio["timers"]} timer
   * @param {number} wait
   * @param {() => void} action
   */
  #later(timer, wait, action) {
    clearTimeout(this.timers[timer]);
    this.timers[timer] = setTimeout(action, wait);
  }
}

new Studio().begin();
