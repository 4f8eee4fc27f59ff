"use strict";
/*
 * The course in the page: the contents, one unit at a time, and what is due.  The address says which, and in
 * which language: #es/diamonds.  What was typed and seen is kept by its question, so that neither another
 * language nor another unit loses it.
 */

const SETTLING = 1500; // milliseconds on a block, after which it counts as read

class Lessons {
  constructor() {
    /** @type {UnitRow[]} */
    this.units = [];
    /** @type {LearnerProgress} */
    this.progress = { current: "", kept: true, notices: [], states: {}, places: {}, settled: [], due: 0 };
    /** @type {Map<string, QuestionMemory>} */
    this.memories = new Map();
    /** @type {Map<string, LessonLabMemory>} */
    this.trials = new Map();
    /** @type {StageFigure[]} */
    this.stages = [];
    /** @type {{place: string, after: string, question: QuestionPair}[]} */
    this.extras = []; // questions that were wished for besides those of a unit
    /** @type {{item: string, question: QuestionPair}[]} */
    this.due = []; // what the page of repetitions holds, also after it is answered
    this.place = ""; // a unit, or REVIEW
    this.shown = ""; // what stands on the page, and in which language
    this.timer = 0;
    this.server = openConnection((presence) => this.head.tell(presence));
    this.head = new Masthead("study.title", {
      speak: (language) => this.#go(language, this.place),
      retry: () => this.server.retry(),
    });
    this.main = part("lesson");
    this.list = part("contents", HTMLDetailsElement);
    this.narrow = matchMedia("(max-width: 900px)");
  }

  begin() {
    this.server.ask("start", "/api/start", {}, (answer) => {
      speech.add(answer.words ?? {});
      speech.language = keptLanguage() ?? answer.language ?? "en";
      this.server.ask("lessons", "/api/lessons", { language: speech.language }, (found) => {
        if (!found.ok) return;
        this.units = found.units;
        this.#learned(found.progress);
        window.addEventListener("hashchange", () => this.#turn());
        this.#turn();
      });
    });
    /** @type {HTMLElement} */ (document.querySelector(".skip")).addEventListener("click", (event) => {
      event.preventDefault(); // the address says which unit it is
      this.main.focus();
    });
    document.addEventListener("scroll", () => this.#settle(), { passive: true });
    this.narrow.addEventListener("change", () => this.#fold());
    this.#fold();
  }

  #fold() {
    this.list.open = !this.narrow.matches;
  }

  /** @param {string} language @param {string} place */
  #go(language, place) {
    const address = `#${language}/${place}`;
    if (location.hash === address) this.#turn();
    else location.hash = address;
  }

  /** Show what the address says; where it says nothing, go on where the learner was. */
  #turn() {
    const [language, wish = ""] = location.hash.replace(/^#/, "").split("/");
    const known = wish === REVIEW || this.units.some(({ slug }) => slug === wish);
    const first = this.progress.current || (this.units[0]?.slug ?? "");
    const place = known ? wish : first;
    const spoken = LANGUAGES.includes(language) ? language : speech.language;
    speech.language = document.documentElement.lang = spoken;
    if (location.hash !== addressOf(place)) history.replaceState(null, "", addressOf(place));
    this.place = place;
    this.#retell();
    if (place === REVIEW) this.#review();
    else this.#open(place, !known);
  }

  #retell() {
    this.head.retell();
    for (const element of document.querySelectorAll(".skip, summary")) speech.retell(element.parentElement ?? document.body);
    part("bench", HTMLAnchorElement).title = say("study.studio.title");
    this.#contents();
  }

  #contents() {
    const focused = document.activeElement instanceof HTMLAnchorElement ? document.activeElement.getAttribute("href") : null;
    part("units").replaceChildren(contentsOf(this.units, this.progress, this.place));
    if (focused) /** @type {HTMLElement | null} */ (part("units").querySelector(`a[href="${CSS.escape(focused)}"]`))?.focus();
  }

  /** The file has changed. @param {LearnerProgress} progress */
  #learned(progress) {
    const before = this.progress.states[this.place];
    this.progress = progress;
    this.#contents();
    const notices = progress.kept ? progress.notices : [say("study.unkept"), ...progress.notices];
    if (notices.length) {
      part("notice").hidden = false;
      part("notice").textContent = notices.join(" ");
    }
    if (before && before !== "done" && progress.states[this.place] === "done") this.#done();
  }

  // ---- one unit -------------------------------------------------------------------------------

  /** @param {string} slug @param {boolean} resumed whether to go to the block that was read last */
  #open(slug, resumed) {
    const language = speech.language;
    if (this.shown === `${slug} ${language}`) return;
    this.server.ask("unit", "/api/unit", { unit: slug, language }, (answer) => {
      if (slug !== this.place || language !== speech.language) return;
      if (!answer.ok) {
        this.main.replaceChildren(build("p", { class: "problem" }, answer.error?.message ?? ""));
        return;
      }
      for (const [key, tried] of Object.entries(answer.tried ?? {})) {
        if (this.memories.has(key)) continue;
        const typed = Object.assign(Object.create(null), tried.answer);
        this.memories.set(key, { ...freshMemory(), typed, tried: true, found: tried.right });
      }
      this.#show(answer.unit, resumed ? (this.progress.places[slug] ?? 0) : 0);
    });
  }

  /** @param {LessonUnit} unit @param {number} block to go to */
  #show(unit, block) {
    const same = this.shown.startsWith(`${unit.slug} `);
    const place = same ? this.#looking() : null;
    const focused = same ? document.activeElement?.id : "";
    const seen = same ? this.stages.map(({ player }) => player?.state() ?? null) : [];
    this.stages = [];
    this.shown = `${unit.slug} ${unit.language}`;
    const questions = { at: 0, all: unit.blocks.reduce((sum, each) => sum + (each.questions?.length ?? 0), 0) };
    const blocks = unit.blocks.map((each, at) => {
      const element = this.#block(each, `${unit.slug} ${at}`, seen, questions);
      element.dataset.block = String(at);
      element.classList.toggle("aftermath", unit.aftermath.includes(at));
      return element;
    });
    const about = say("study.about", { number: unit.number, all: this.units.length, minutes: unit.minutes });
    this.main.replaceChildren(
      build("p", { class: "note" }, about),
      build("h2", { id: "title", tabindex: "-1" }, ...spelled(unit.title)),
      paragraph(unit.idea, { class: "idea" }),
      ...blocks,
      this.#onwards(unit.slug),
    );
    for (const extra of this.extras) if (extra.place === unit.slug) this.#insert(extra);
    if (place) {
      const again = this.main.querySelector(`[data-block="${place.block}"]`);
      if (again) scrollBy({ top: again.getBoundingClientRect().top - place.top, behavior: "instant" });
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    } else {
      if (block) this.main.querySelector(`[data-block="${block}"]`)?.scrollIntoView({ behavior: "instant" });
      else scrollTo({ top: 0, behavior: "instant" });
      part("title").focus({ preventScroll: true });
      if (this.narrow.matches) this.list.open = false;
    }
    this.#settle();
  }

  /**
   * @param {LessonBlock} block
   * @param {string} name
   * @param {readonly (Partial<PlayerState> | null)[]} seen where each player was
   * @param {{at: number, all: number}} questions
   * @returns {HTMLElement}
   */
  #block(block, name, seen, questions) {
    if (block.kind === "stage") {
      const stage = { text: block.text, sketch: block.sketch };
      const figure = new StageFigure(stage, this.server, `stage ${name}`, seen[this.stages.length] ?? null);
      this.stages.push(figure);
      return figure.element;
    }
    if (block.kind === "lab") {
      const memory = this.trials.get(name) ?? freshLabMemory();
      this.trials.set(name, memory);
      return new LessonLab(block, this.server, `lab ${name}`, memory).element;
    }
    if (block.kind === "checkpoint") {
      const forms = block.questions.map((/** @type {LessonQuestion} */ question) => {
        questions.at += 1;
        return this.#question(question, say("study.question", { number: questions.at, all: questions.all }), "");
      });
      return build("section", { class: "checkpoint", "aria-label": say("study.checkpoint") }, ...forms);
    }
    return PLAIN_BLOCKS[block.kind](block);
  }

  /** @param {LessonQuestion} question @param {string} title @param {string} review the item that it repeats */
  #question(question, title, review) {
    const memory = this.memories.get(question.key) ?? freshMemory();
    this.memories.set(question.key, memory);
    const settled = this.progress.settled.includes(question.key);
    const name = `question-${question.key.replace(/[^a-z0-9]/gi, "-")}`;
    const form = new QuestionForm(question, { name, title, settled, review }, memory, {
      server: this.server,
      learned: (progress) => this.#learned(progress),
      another: (key, after) => this.#another(key, after),
    });
    return form.element;
  }

  /** One more of the kind, below. @param {string} key @param {HTMLElement} before */
  #another(key, before) {
    const { place } = this;
    this.server.ask("another", "/api/question", { key, language: speech.language }, (answer) => {
      if (!answer.ok || place !== this.place) return;
      const extra = { place, after: before.id, question: /** @type {QuestionPair} */ (answer.question) };
      this.extras.push(extra);
      /** @type {HTMLElement | null | undefined} */ (this.#insert(extra)?.querySelector("input, textarea"))?.focus();
    });
  }

  /** @param {{after: string, question: QuestionPair}} extra */
  #insert({ after, question }) {
    const form = this.#question(question[LANGUAGES.indexOf(speech.language)], say("study.another"), "");
    const before = document.getElementById(after);
    before?.after(form);
    return before ? form : null;
  }

  /** Where to go from here. @param {string} slug */
  #onwards(slug) {
    const at = this.units.findIndex((unit) => unit.slug === slug);
    /** @param {UnitRow | undefined} unit @param {string} key */
    const link = (unit, key) => {
      return unit && build("a", { class: "button", href: addressOf(unit.slug) }, say(key, { title: speech.pick(unit.title) }));
    };
    const done = build("p", { id: "done", class: "verdict right", role: "status" });
    if (this.progress.states[slug] === "done") done.textContent = say("study.unit.done");
    const links = build("p", { class: "line" }, link(this.units[at - 1], "study.back"), link(this.units[at + 1], "study.next"));
    return build("footer", {}, done, links);
  }

  #done() {
    const done = document.getElementById("done");
    if (done) done.textContent = say("study.unit.done");
  }

  /** The block that is looked at, and how far below the top of the window it begins. */
  #looking() {
    for (const element of this.main.querySelectorAll("[data-block]")) {
      const { top, bottom } = element.getBoundingClientRect();
      if (bottom > 80) return { block: Number(/** @type {HTMLElement} */ (element).dataset.block), top };
    }
    return null;
  }

  /** Once the reader stays somewhere, that is noted: the terminal can go on from there. */
  #settle() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const unit = this.place;
      const block = this.#looking()?.block;
      if (unit === REVIEW || block === undefined || !this.shown.startsWith(`${unit} `)) return;
      if (unit === this.progress.current && block <= (this.progress.places[unit] ?? -1)) return;
      this.server.ask("arrive", "/api/arrive", { unit, block, language: speech.language }, (answer) => {
        if (answer.ok) this.#learned(answer.progress);
      });
    }, SETTLING);
  }

  // ---- what is due ------------------------------------------------------------------------------

  #review() {
    if (this.shown.startsWith(`${REVIEW} `)) {
      this.#repeat("");
      return;
    }
    this.server.ask("review", "/api/review", { language: speech.language }, (answer) => {
      if (this.place !== REVIEW) return;
      this.due = answer.ok ? answer.due : [];
      this.#repeat(answer.error?.message ?? "");
    });
  }

  /** The repetitions, in the language that is spoken now. @param {string} problem */
  #repeat(problem) {
    const same = this.shown.startsWith(`${REVIEW} `);
    const focused = same ? document.activeElement?.id : "";
    const all = this.due.length;
    const forms = this.due.map(({ item, question }, at) => {
      return this.#question(question[LANGUAGES.indexOf(speech.language)], say("study.question", { number: at + 1, all }), item);
    });
    this.shown = `${REVIEW} ${speech.language}`;
    this.stages = [];
    this.main.replaceChildren(
      build("h2", { id: "title", tabindex: "-1" }, say("study.review")),
      build("p", { class: "idea" }, problem || say(all ? "study.review.why" : "study.due.none")),
      build("section", { class: "checkpoint", "aria-label": say("study.review") }, ...forms),
    );
    for (const extra of this.extras) if (extra.place === REVIEW) this.#insert(extra);
    document.getElementById(focused || "title")?.focus({ preventScroll: true });
    if (!same) scrollTo({ top: 0, behavior: "instant" });
    if (this.narrow.matches && !same) this.list.open = false;
  }
}

new Lessons().begin();
