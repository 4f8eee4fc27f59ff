"use strict";
/*
 * A reader's own Python: it is run when somebody asks for it, never because it stands in a link, and its last
 * Value is played.  What is played is marked in the program, and what the cursor stands in is chosen.
 */

const PROGRAM_KEPT = "minigrad.program"; // where the browser keeps the last one
const LONGEST_PROGRAM = 60000;

class ProgramPage {
  constructor() {
    this.server = openConnection((presence) => this.head.tell(presence));
    this.head = new Masthead("web.program.title", {
      speak: (language) => this.speak(language),
      retry: () => this.server.retry(),
    });
    /** @type {Player | null} */
    this.player = null;
    this.ran = ""; // the program that the picture is of
    this.running = false;
    this.again = false; // somebody wished to run another program meanwhile
    /** @type {Answer | null} */
    this.answer = null;
    this.answered = ""; // the program that the answer is about
    this.host = part("player");
    this.editor = codeEditor(part("editor"), {
      changed: (text) => this.#changed(text),
      run: () => this.run(),
      stood: (place) => this.#stood(place),
    });
  }

  begin() {
    this.server.ask("start", "/api/start", {}, (answer) => {
      speech.add(answer.words ?? {});
      speech.language = document.documentElement.lang = keptLanguage() ?? answer.language ?? "en";
      this.#examples();
      const link = unpacked(location.hash);
      const text = link ?? kept(PROGRAM_KEPT) ?? PROGRAMS[0].text;
      this.editor.text = text.slice(0, LONGEST_PROGRAM);
      this.retell();
      if (text === PROGRAMS[0].text) this.run(); // ours, and prepared
      else if (link !== null) this.#say("web.program.linked");
      window.addEventListener("hashchange", () => {
        const other = unpacked(location.hash);
        if (other !== null && other !== this.editor.text) this.editor.text = other;
      });
    });
    part("run").addEventListener("click", () => this.run());
    part("copy").addEventListener("click", () => void this.#copy());
    for (const name of ["time", "choose"]) {
      this.host.addEventListener(`player:${name}`, () => {
        this.editor.highlight(this.editor.text === this.ran ? this.#played() : null);
      });
    }
  }

  /** Run what stands there. */
  run() {
    this.again = this.running;
    if (this.running) return;
    const source = this.editor.text;
    this.running = true;
    part("run").setAttribute("aria-busy", "true");
    this.#say("web.program.running");
    this.server.ask("program", "/api/program", { source, language: speech.language }, (answer) => {
      this.running = false;
      part("run").removeAttribute("aria-busy");
      this.#show(source, answer);
      if (this.again) this.run();
    });
  }

  /** @param {string} source @param {Answer} answer */
  #show(source, answer) {
    this.answer = answer;
    this.answered = source;
    const { error } = answer;
    part("printed").textContent = answer.printed ?? "";
    part("remark").replaceChildren(...(error ? [build("p", { class: "problem" }, error.message)] : []));
    this.editor.complain(source === this.editor.text ? (error?.where ?? null) : null);
    this.#say("");
    part("state").textContent = answer.remark ?? "";
    part("bench").hidden = !answer.statements;
    if (answer.statements) {
      const link = fragmentOf({ ...emptyState(), text: answer.statements, lang: speech.language });
      /** @type {HTMLAnchorElement} */ (part("bench").querySelector("a")).href = `index.html#${link}`;
    }
    if (answer.document) this.#play(source, answer.document);
    part("stale").hidden = !this.player || (this.ran === this.editor.text && !error);
  }

  /** @param {string} source @param {PlayerDocument} doc */
  #play(source, doc) {
    this.ran = source;
    if (this.player) {
      this.player.load(doc, { keepTime: false });
    } else {
      this.host.replaceChildren();
      this.player = new Player(this.host, doc, { embedded: true, keys: "host", inputs: true });
    }
    this.player.language = speech.language;
    this.player.restore({ t: Infinity });
  }

  /** The expression that is at work, or that of the chosen node. @returns {Span | null} */
  #played() {
    if (!this.player) return null;
    const { chosen } = this.player;
    return (chosen === null ? null : this.player.doc.source.places[chosen]) ?? this.player.moment().place;
  }

  /** The cursor stands somewhere: the smallest expression around it is chosen. @param {number} place */
  #stood(place) {
    if (!this.player || this.editor.text !== this.ran) return;
    let [best, least] = [/** @type {number | null} */ (null), Infinity];
    this.player.doc.source.places.forEach((span, node) => {
      if (span && span[0] <= place && place <= span[1] && span[1] - span[0] <= least) [best, least] = [node, span[1] - span[0]];
    });
    if (best !== null && best !== this.player.chosen) this.player.chosen = best;
  }

  /** @param {string} text */
  #changed(text) {
    keep(PROGRAM_KEPT, text);
    this.editor.highlight(null);
    this.editor.complain(null);
    part("stale").hidden = !this.player || text === this.ran;
  }

  /** @param {string} key */
  #say(key) {
    const state = part("state");
    state.textContent = key && say(key);
    if (key) state.dataset.say = key;
    else delete state.dataset.say;
  }

  #examples() {
    const menu = part("examples", HTMLSelectElement);
    menu.addEventListener("change", () => {
      const example = PROGRAMS.find(({ key }) => key === menu.value);
      menu.value = "";
      if (!example) return;
      this.editor.text = example.text;
      this.run();
    });
  }

  async #copy() {
    history.replaceState(null, "", `#${packed(this.editor.text)}`);
    const button = part("copy");
    try {
      await navigator.clipboard.writeText(location.href);
      button.textContent = say("studio.copied");
    } catch {
      button.textContent = say("studio.copy.failed"); // the address line has it in any case
    }
    setTimeout(() => (button.textContent = say("studio.copy")), 2000);
  }

  /** @param {string} language */
  speak(language) {
    speech.language = document.documentElement.lang = language;
    this.retell();
    const own = this.editor.text === this.answered; // what came in a link waits for a click
    if (own && (this.answer?.error || this.answer?.remark)) this.run();
  }

  /** Everything in the language that is spoken now. */
  retell() {
    this.head.retell();
    translate(document.body);
    this.editor.label = say("web.program.title.program");
    part("examples").replaceChildren(
      build("option", { value: "" }, say("studio.examples")),
      ...PROGRAMS.map(({ key }) => build("option", { value: key }, say(`web.program.example.${key}`))),
    );
    if (this.player) this.player.language = speech.language;
  }
}

new ProgramPage().begin();
