"use strict";
/*
 * The doctor: an engine or a notebook is examined when somebody asks for it, in workers, and the report is the
 * command's.  An engine that came with a link waits for a click.
 */

const ENGINE_KEPT = "minigrad.engine"; // where the browser keeps the last one
const LONGEST_ENGINE = 1e6; // characters

class DoctorPage {
  constructor() {
    this.server = /** @type {WorkerConnection} */ (openConnection((presence) => this.head.tell(presence)));
    this.engines = new EngineWorkers(() => this.server.pythonFiles());
    this.head = new Masthead("web.doctor.title", {
      speak: (language) => this.speak(language),
      retry: () => this.server.retry(),
    });
    /** @type {{name: string, text: string, shown: string} | null} */
    this.file = null; // what was opened, and how it is shown: of a notebook, its code
    /** @type {Answer | null} */
    this.answer = null;
    this.examined = ""; // what the answer is about
    this.round = 0; // of examinations: what an earlier one says is not shown
    this.editor = codeEditor(part("editor"), {
      changed: (text) => this.#changed(text),
      run: () => void this.examine(),
      stood: () => {},
    });
  }

  begin() {
    this.server.ask("start", "/api/start", {}, (answer) => {
      speech.add(answer.words ?? {});
      speech.language = document.documentElement.lang = keptLanguage() ?? answer.language ?? "en";
      const link = unpacked(location.hash);
      this.editor.text = (link ?? kept(ENGINE_KEPT) ?? ENGINES[0].text).slice(0, LONGEST_ENGINE);
      this.retell();
      if (link !== null) this.#say("web.doctor.linked");
    });
    part("examine").addEventListener("click", () => void this.examine());
    part("stop").addEventListener("click", () => this.#stop("web.doctor.stopped"));
    part("save").addEventListener("click", () => this.#save());
    part("copy").addEventListener("click", () => void this.#copy());
    const chooser = part("file", HTMLInputElement);
    part("open").addEventListener("click", () => chooser.click());
    chooser.addEventListener("change", () => {
      if (chooser.files?.[0]) void this.#open(chooser.files[0]);
      chooser.value = "";
    });
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      const file = event.dataTransfer?.files[0];
      if (!file) return; // a text, which the editor takes
      event.preventDefault();
      void this.#open(file);
    }, true);
    part("examples").addEventListener("change", () => {
      const menu = part("examples", HTMLSelectElement);
      const example = ENGINES.find(({ key }) => key === menu.value);
      menu.value = "";
      if (!example) return;
      this.file = null;
      this.editor.text = example.text;
      void this.examine();
    });
  }

  /** Examine what stands there; what is being examined is left. */
  async examine() {
    if (this.round && !part("stop").hidden) this.#stop("");
    const round = ++this.round;
    const shown = this.editor.text;
    const { name, source } = this.file?.shown === shown ? { name: this.file.name, source: this.file.text } : { name: "", source: shown };
    part("stop").hidden = false;
    part("remark").replaceChildren();
    part("examine").setAttribute("aria-busy", "true");
    /** @type {unknown[]} */
    const ended = [];
    this.#say("web.doctor.starting");
    this.engines.warm();
    try {
      for (;;) {
        const answer = await this.#asked({ name, source, ended, language: speech.language });
        if (round !== this.round) return;
        if (!answer.needed) {
          this.#show(shown, answer);
          break;
        }
        this.#say(`web.doctor.phase.${Math.min(ended.length, 2)}`);
        ended.push(await this.engines.run(answer.needed));
        if (round !== this.round) return;
      }
    } catch (error) {
      if (round !== this.round) return;
      const message = error instanceof UnreachableError ? say("web.unreachable") : String(/** @type {Error} */ (error).message);
      this.#show(shown, { ok: false, error: { message } });
    }
    this.#done("");
  }

  /** @param {Record<string, unknown>} body @returns {Promise<Answer>} */
  #asked(body) {
    return new Promise((resolve) => this.server.ask("doctor", "/api/doctor", body, resolve));
  }

  /** @param {string} key what to say */
  #done(key) {
    part("stop").hidden = true;
    part("examine").removeAttribute("aria-busy");
    this.#say(key);
  }

  /** @param {string} key */
  #stop(key) {
    this.round += 1;
    this.engines.end();
    this.#done(key);
  }

  /** @param {string} shown @param {Answer} answer */
  #show(shown, answer) {
    const { error } = answer;
    part("remark").replaceChildren(...(error ? [build("p", { class: "problem" }, error.message)] : []));
    if (error) return;
    this.answer = answer;
    this.examined = shown;
    this.#report();
    this.#changed(shown);
    if (this.editor.text === shown) this.editor.complain(this.#blamed(shown, answer));
  }

  /** The report in the language that is spoken now. */
  #report() {
    if (!this.answer) return;
    const [written] = this.answer.pages[speech.language].match(/<main>[^]*<\/main>/) ?? [""]; // without its styles
    const page = new DOMParser().parseFromString(written, "text/html");
    const body = page.querySelector("main");
    part("report").replaceChildren(...(body ? [...body.childNodes].map((node) => document.importNode(node, true)) : []));
    part("report").dataset.verdict = this.answer.verdict;
    part("save").hidden = false;
  }

  /** The line of the first finding, where it is a line of what is shown. @param {string} text @param {Answer} answer @returns {Span | null} */
  #blamed(text, answer) {
    const finding = answer.report.findings[0];
    if (!finding?.line || finding.file || finding.cell !== null) return null;
    const lines = text.split("\n");
    const start = Array.from(lines.slice(0, finding.line - 1).map((line) => `${line}\n`).join("")).length;
    const line = lines[finding.line - 1] ?? "";
    return [start + line.length - line.trimStart().length, start + Array.from(line).length];
  }

  /** @param {File} file */
  async #open(file) {
    part("remark").replaceChildren();
    if (!/\.(py|ipynb)$/.test(file.name) || file.size > 4 * LONGEST_ENGINE) {
      part("remark").replaceChildren(build("p", { class: "problem" }, say("web.doctor.odd", { name: file.name })));
      return;
    }
    const text = await file.text();
    this.file = { name: file.name, text, shown: codeOf(text) ?? text };
    this.editor.text = this.file.shown;
    void this.examine();
  }

  #save() {
    if (!this.answer) return;
    const address = URL.createObjectURL(new Blob([this.answer.pages[speech.language]], { type: "text/html" }));
    build("a", { href: address, download: "minigrad-doctor.html" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  }

  /** @param {string} text */
  #changed(text) {
    keep(ENGINE_KEPT, text);
    this.editor.complain(null);
    part("stale").hidden = !this.answer || text === this.examined;
  }

  /** @param {string} key */
  #say(key) {
    const state = part("state");
    state.textContent = key && say(key);
    if (key) state.dataset.say = key;
    else delete state.dataset.say;
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
  }

  /** Everything in the language that is spoken now. */
  retell() {
    this.head.retell();
    translate(document.body);
    this.editor.label = say("web.doctor.engine");
    part("examples").replaceChildren(
      build("option", { value: "" }, say("studio.examples")),
      ...ENGINES.map(({ key }) => build("option", { value: key }, say(`web.doctor.example.${key}`))),
    );
    this.#report();
  }
}

/** The code of a notebook, cell by cell; null where a text is none. @param {string} text */
function codeOf(text) {
  try {
    /** @type {{cells?: {cell_type: string, source: string | string[]}[]}} */
    const { cells } = JSON.parse(text);
    const code = (cells ?? []).filter(({ cell_type }) => cell_type === "code");
    return cells ? code.map(({ source }) => `# %%\n${[source].flat().join("")}`).join("\n\n") : null;
  } catch {
    return null;
  }
}

new DoctorPage().begin();
