"use strict";
/*
 * The connection to Python in this browser, with the messages of the connection to a server.  What was prepared
 * when the site was built is answered at once; anything else waits until Python is there.
 */

const SPANISH = /^es\b/i;

class WorkerConnection extends ServerConnection {
  /** @param {(presence: Presence) => void} told */
  constructor(told) {
    super(told);
    this.bar = new LoadingBar();
    /** @type {Promise<PythonFiles> | null} */
    this.files = null;
    this.pool = new PythonWorkerPool(() => this.pythonFiles());
    /** @type {Promise<Answer & {prepared: Record<string, string>}> | null} */
    this.start = null;
  }

  /** @param {Wish} wish @returns {Promise<Answer | null>} */
  async post({ path, body }) {
    try {
      const answer = await this.#answer(path.split("/").at(-1) ?? "", body);
      this.now("here");
      return answer;
    } catch (error) {
      this.bar.hide();
      if (error instanceof UnableError) return { ok: false, error: { code: "unable", message: error.message } };
      if (!(error instanceof UnreachableError)) throw error;
      this.now("unreachable");
      return null;
    }
  }

  /** @param {string} api @param {Record<string, unknown>} body @returns {Promise<Answer>} */
  async #answer(api, body) {
    this.start ??= this.#begun();
    const start = await this.start;
    if (api === "start") return start;
    if (api === "lessons") setTimeout(offerProgress, 0); // the words are there now
    const plain = !Object.keys(body.inputs ?? {}).length && !("fault" in body);
    const name = plain ? start.prepared[`${api} ${body.language} ${body.text ?? body.source}`] : undefined;
    if (name) return (await reached(`prepared/${name}`)).json();
    const answer = await this.pool.ask(api, body);
    return answer;
  }

  /** The words and the table of what is prepared; Python begins to come once the first picture had its turn. */
  async #begun() {
    try {
      const start = await (await reached("prepared/start.json")).json();
      setTimeout(() => void this.#python(), 0);
      return { ...start, language: navigator.languages.find((each) => /^(en|es)\b/i.test(each))?.match(SPANISH) ? "es" : "en" };
    } catch (error) {
      this.start = null;
      throw error;
    }
  }

  async #python() {
    try {
      await this.pool.quick.ready();
      this.bar.hide();
      document.documentElement.dataset.python = "ready";
    } catch (error) {
      this.bar.tell(error instanceof UnreachableError ? say("web.unreachable") : String(/** @type {Error} */ (error).message));
    }
  }

  /** What Python is made of; what could not be loaded is asked for again next time. */
  pythonFiles() {
    this.files ??= pythonFiles((loaded) => this.bar.show(loaded)).catch((error) => {
      this.files = null;
      throw error;
    });
    return this.files;
  }
}

/** How much of Python is here, at the foot of the window. */
class LoadingBar {
  constructor() {
    this.bar = build("progress", { max: 1, value: 0 });
    this.words = build("span", {});
    this.element = build("div", { class: "loading", role: "status", hidden: true }, this.bar, this.words);
    this.loaded = { done: 0, all: 1 };
    document.body.append(this.element);
    const spoken = new MutationObserver(() => this.#say());
    spoken.observe(document.documentElement, { attributes: true, attributeFilter: ["lang"] });
  }

  /** @param {Loaded} loaded */
  show(loaded) {
    this.loaded = { ...loaded };
    this.element.hidden = false;
    this.bar.value = loaded.done / loaded.all;
    this.#say();
  }

  /** In the language that is spoken now. */
  #say() {
    const { done, all } = this.loaded;
    const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);
    this.bar.setAttribute("aria-label", say("web.bar"));
    if (this.bar.hidden) return; // something else is told
    this.words.textContent =
      done < all ? say("web.loading", { done: megabytes(done), all: megabytes(all) }) : say("web.starting");
  }

  /** Something that Python's not coming is to be said of. @param {string} words */
  tell(words) {
    this.element.hidden = false;
    this.bar.hidden = true;
    this.words.textContent = words;
  }

  hide() {
    this.element.hidden = true;
  }
}

openConnection = (told) => new WorkerConnection(told);
