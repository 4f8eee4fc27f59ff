"use strict";
/*
 * A question of a checkpoint: what is asked, fields for the answer, and what the server says about it.  The
 * right answer is not on the page before somebody asks for it.
 */

/**
 * @typedef {object} LessonQuestion
 * @property {string} key
 * @property {string} of its kind
 * @property {string} unit
 * @property {Run[][]} paragraphs
 * @property {string} statements
 * @property {string} sketch
 * @property {Run[][][]} table
 * @property {string[]} blanks
 * @property {{letter: string, words: Run[]}[]} choices
 * @property {string} example
 */
/** @typedef {[LessonQuestion, LessonQuestion]} QuestionPair the same in English and in Spanish */
/** @typedef {[Run[][], Run[][]]} BothLanguages sentences in English and in Spanish */
/** @typedef {{right: boolean, read: boolean, words: BothLanguages}} Judged */
/**
 * What was typed into a question and said about it; it outlives a change of language.
 * @typedef {object} QuestionMemory
 * @property {Record<string, string>} typed
 * @property {Judged | null} judged
 * @property {BothLanguages | null} revealed
 * @property {boolean} tried
 * @property {boolean} found whether the right answer was given, now or earlier
 */

/** @returns {QuestionMemory} */
function freshMemory() {
  return { typed: Object.create(null), judged: null, revealed: null, tried: false, found: false };
}

const EXPRESSION = "expression"; // the blank for a text of our language; all others are names of nodes
const SEVERAL_LINES = "expose"; // the kind of question that takes a whole graph
const GENERATED = /^([a-z]+):(\d+):([\w.-]+)$/; // kind, level and seed of a question that was generated

class QuestionForm {
  /**
   * @param {LessonQuestion} question
   * @param {{name: string, title: string, settled: boolean, review: string}} about
   * @param {QuestionMemory} memory
   * @param {{server: ServerConnection, learned: (progress: LearnerProgress) => void, another: (key: string, after: HTMLElement) => void}} actions
   */
  constructor(question, about, memory, actions) {
    this.question = question;
    this.about = about;
    this.memory = memory;
    this.actions = actions;
    this.settled = about.settled;
    this.check = build("button", { type: "submit", class: "main", id: `${about.name}-check` }, say("study.check"));
    this.show = pressable("", { class: "quiet", id: `${about.name}-show` }, () => this.#reveal());
    this.more = pressable("study.another", { class: "quiet", hidden: true }, () => this.#another());
    this.said = build("div", { class: "said", role: "status" });
    this.shown = build("div", { class: "shown", role: "status" });
    this.tag = build("span", { class: "tag" });
    this.sure = false; // the answer is shown unanswered at the second wish
    const title = build("h4", { id: `${about.name}-title` }, about.title, " ", this.tag);
    this.element = build(
      "form",
      { class: "question card", id: about.name, novalidate: true, "aria-labelledby": title.id },
      title,
      ...question.paragraphs.map((runs) => paragraph(runs)),
      question.statements && statements(question.statements),
      question.sketch && sideways(say("study.sketch"), drawingOf(question.sketch)),
      question.table.length > 0 && this.#given(),
      this.#fields(),
      build("p", { class: "line" }, this.check, this.show, this.more),
      this.said,
      this.shown,
    );
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#judge();
    });
    this.#tell();
  }

  /** Numbers that are given. */
  #given() {
    const [head, ...rows] = this.question.table;
    const heads = head.map((cell) => build("th", { scope: "col" }, ...spelled(cell)));
    const body = rows.map(([first, ...cells]) => {
      const numbers = cells.map((cell) => build("td", {}, ...spelled(cell)));
      return build("tr", {}, build("th", { scope: "row" }, ...spelled(first)), ...numbers);
    });
    const table = build("table", { class: "numbers" }, build("thead", {}, build("tr", {}, ...heads)), build("tbody", {}, ...body));
    return sideways(say("study.given"), table);
  }

  #fields() {
    const { blanks, choices, example } = this.question;
    if (choices.length) return this.#choices();
    const pairs = blanks.map((blank, at) => {
      const id = `${this.about.name}-${at}`;
      const written = blank === EXPRESSION;
      const tall = written && this.question.of === SEVERAL_LINES;
      const attributes = { id, class: "field", spellcheck: "false", autocomplete: "off", autocapitalize: "off" };
      const field = tall ? build("textarea", { ...attributes, rows: 4 }) : textField({ id });
      field.value = this.memory.typed[blank] ?? "";
      field.addEventListener("input", () => this.#typed(blank, field.value));
      const label = written ? say(tall ? "study.blank.graph" : "study.blank.expression") : build("code", {}, blank);
      return build("p", { class: written ? "pair wide" : "pair" }, build("label", { for: id }, label), field);
    });
    const hint = example && blanks[0] === EXPRESSION ? build("p", { class: "note" }, say("study.example", { example })) : null;
    return build("div", {}, build("div", { class: "observed" }, ...pairs), hint);
  }

  #choices() {
    const options = this.question.choices.map(({ letter, words }) => {
      const id = `${this.about.name}-${letter}`;
      const radio = build("input", { type: "radio", name: this.about.name, value: letter, id });
      radio.checked = this.memory.typed.choice === letter;
      radio.addEventListener("change", () => this.#typed("choice", letter));
      return build("p", { class: "option" }, radio, build("label", { for: id }, ...spelled(words)));
    });
    return build("fieldset", {}, build("legend", { class: "unseen" }, say("study.blank.choice")), ...options);
  }

  /** @param {string} blank @param {string} text */
  #typed(blank, text) {
    this.memory.typed[blank] = text;
    this.element.classList.remove("wrong"); // what was said is about another answer
  }

  #judge() {
    const { key, blanks } = this.question;
    const { typed } = this.memory;
    const answer = Object.fromEntries(blanks.map((blank) => [blank, (typed[blank] ?? "").trim()]));
    const empty = blanks.findIndex((blank) => !answer[blank]);
    if (empty >= 0) {
      this.said.replaceChildren(build("p", { class: "note" }, say("study.fill")));
      const fields = this.element.querySelectorAll("input, textarea");
      /** @type {HTMLElement | undefined} */ (fields[this.question.choices.length ? 0 : empty])?.focus();
      return;
    }
    this.check.disabled = true;
    this.#ask("judge", { key, answer }, (found) => {
      this.check.disabled = false;
      this.memory.judged = { right: found.right, read: found.read, words: found.words };
      this.memory.tried ||= found.read;
      this.memory.found ||= found.right;
      this.settled ||= found.right;
    });
  }

  #reveal() {
    if (!this.memory.tried && !this.settled && !this.sure) {
      this.sure = true;
      this.#tell();
      return;
    }
    this.#ask("reveal", { key: this.question.key }, (found) => {
      this.memory.revealed = found.words;
      this.settled = true;
    });
  }

  /**
   * @param {"judge" | "reveal"} api
   * @param {Record<string, unknown>} wish
   * @param {(answer: Answer) => void} then
   */
  #ask(api, wish, then) {
    const body = { ...wish, review: this.about.review, language: speech.language };
    this.actions.server.ask(`${api} ${this.question.key}`, `/api/${api}`, body, (found) => {
      this.check.disabled = false;
      if (!found.ok) {
        this.said.replaceChildren(build("p", { class: "problem" }, found.error?.message ?? ""));
        return;
      }
      then(found);
      this.#tell();
      this.actions.learned(found.progress);
    });
  }

  #another() {
    const generated = GENERATED.exec(this.question.key);
    if (!generated) return;
    const [seed] = crypto.getRandomValues(new Uint32Array(1));
    this.actions.another(`${generated[1]}:${generated[2]}:${seed % 1_000_000}`, this.element);
  }

  /** Everything that is known about the answer, in the language that is spoken. */
  #tell() {
    const { judged, revealed, tried } = this.memory;
    const language = LANGUAGES.indexOf(speech.language);
    const state = judged?.read ? (judged.right ? "right" : "wrong") : "";
    this.element.classList.toggle("right", state === "right" || (this.memory.found && !state));
    this.element.classList.toggle("wrong", state === "wrong");
    this.tag.classList.toggle("faint", !this.memory.found);
    this.tag.textContent = this.settled ? say(this.memory.found ? "study.settled" : "study.seen") : "";
    const words = judged ? judged.words[language].map((runs) => paragraph(runs)) : [];
    if (state) {
      words[0]?.classList.add("verdict", state);
      words[0]?.prepend(build("span", { "aria-hidden": "true" }, state === "right" ? "\u2713 " : "\u2717 "));
    }
    this.said.replaceChildren(...words);
    this.shown.replaceChildren(...(revealed ? revealed[language].map((runs) => paragraph(runs)) : []));
    this.show.hidden = revealed !== null;
    this.show.textContent = say(this.sure && !tried && !this.settled ? "study.reveal.sure" : "study.reveal");
    this.check.textContent = say(state === "wrong" ? "study.check.again" : "study.check");
    this.more.hidden = !(this.settled && GENERATED.test(this.question.key));
  }
}
