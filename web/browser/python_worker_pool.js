"use strict";
/*
 * Python beside the page: a worker for what should come at once, and another for what may take long, which is
 * started when it is first needed.  A worker that takes too long, or that breaks, is ended and another takes its
 * place, so that the page never waits for it and nothing is lost but that answer.
 */

const SLOW_QUESTIONS = ["check", "diagnose", "export", "faults"];
const COURSE = ["lessons", "arrive", "unit", "judge", "reveal", "review"]; // which read or change the learner's file
const USUAL_SECONDS = 15;
/** @type {Record<string, number>} */
const SECONDS = { check: 30, diagnose: 30, unit: 45, program: 10, doctor: 120 }; // for an answer
const START_SECONDS = 180;

/** @typedef {{api: string, fields: Record<string, unknown>, done: (answer: Answer) => void}} PythonQuestion */

/** Python that cannot run here, however often it is tried. */
class UnableError extends Error {}

class PythonWorkerPool {
  /** @param {() => Promise<PythonFiles>} files */
  constructor(files) {
    this.files = files;
    this.quick = new PythonWorker(files);
    /** @type {PythonWorker | null} */
    this.slow = null;
  }

  /** @param {string} api @param {Record<string, unknown>} fields @returns {Promise<Answer>} */
  ask(api, fields) {
    if (!SLOW_QUESTIONS.includes(api)) return this.quick.ask(api, fields);
    this.slow ??= new PythonWorker(this.files);
    return this.slow.ask(api, fields);
  }
}

class PythonWorker {
  /** @param {() => Promise<PythonFiles>} files */
  constructor(files) {
    this.files = files;
    /** @type {HTMLIFrameElement | null} */
    this.frame = null;
    /** @type {Promise<MessagePort> | null} */
    this.port = null;
    /** @type {Promise<unknown>} */
    this.turn = Promise.resolve();
  }

  /** Start, if that has not begun. */
  ready() {
    this.port ??= this.#started().catch((error) => {
      this.#end();
      throw error;
    });
    return this.port;
  }

  /** One after the other. @param {string} api @param {Record<string, unknown>} fields @returns {Promise<Answer>} */
  ask(api, fields) {
    const asked = this.turn.then(() => this.#asked(api, fields));
    this.turn = asked.catch(() => {});
    return asked;
  }

  /** @param {string} api @param {Record<string, unknown>} fields @returns {Promise<Answer>} */
  async #asked(api, fields) {
    const port = await this.ready();
    const seconds = SECONDS[api] ?? USUAL_SECONDS;
    const progress = COURSE.includes(api) ? keptProgress() : undefined;
    const language = fields.language ?? speech.language;
    const found = await replyOf(port, seconds, () => port.postMessage({ api, fields, language, progress }));
    if (found?.answer) {
      if (found.progress) keepProgress(found.progress);
      return JSON.parse(found.answer);
    }
    this.#end();
    void this.ready().catch(() => {}); // its successor starts while nobody waits
    const code = found ? "crashed" : "time";
    const message = say(code === "time" && api === "program" ? "web.program.time" : `server.${code}`, { seconds });
    return { ok: false, error: { code, message } };
  }

  #end() {
    this.frame?.remove();
    this.frame = this.port = null;
  }

  /** @returns {Promise<MessagePort>} */
  async #started() {
    const files = await this.files();
    const { frame, port } = await pythonFrame(files, files.program, {});
    this.frame = frame;
    return port;
  }
}

/** @typedef {{frame: HTMLIFrameElement, port: MessagePort}} PythonFrame */

/**
 * A frame in which a program runs beside a Python of its own; it is there when that says so.
 * @param {PythonFiles} files
 * @param {ArrayBuffer} program
 * @param {Record<string, unknown>} more for the program
 * @returns {Promise<PythonFrame>}
 */
async function pythonFrame(files, program, more) {
  if (typeof WebAssembly !== "object") throw new UnableError(say("web.unable"));
  const text = (/** @type {string} */ name) => new TextDecoder().decode(files[name]);
  const frame = build("iframe", { srcdoc: text("frame"), sandbox: "allow-scripts", hidden: true, title: "Python" });
  const there = saidBy(frame, "there");
  const failed = saidBy(frame, "failed");
  document.body.append(frame);
  await there;
  const { port1, port2 } = new MessageChannel();
  const given = {
    ...more, program, loader: files["pyodide.mjs"], machine: files["pyodide.asm.mjs"],
    wasm: files["pyodide.asm.wasm"], library: files["python_stdlib.zip"], lock: text("pyodide-lock.json"),
    minigrad: files["minigrad.zip"],
  };
  const ready = replyOf(port1, START_SECONDS, () => frame.contentWindow?.postMessage(given, "*", [port2]));
  const found = await Promise.race([ready, failed]);
  if (found?.ready) return { frame, port: port1 };
  frame.remove();
  throw new UnableError(say("web.failed", { why: found?.failed ?? say("server.time", { seconds: START_SECONDS }) }));
}

/**
 * The first message of a frame that says this.
 * @param {HTMLIFrameElement} frame
 * @param {string} what
 * @returns {Promise<{ready?: boolean, failed?: string}>}
 */
function saidBy(frame, what) {
  return new Promise((resolve) => {
    addEventListener("message", function heard({ source, data }) {
      if (source !== frame.contentWindow || !(what in data)) return;
      removeEventListener("message", heard);
      resolve(data);
    });
  });
}

/**
 * The next message over a port, or null if none comes in time.
 * @param {MessagePort} port
 * @param {number} seconds
 * @param {() => void} ask
 * @returns {Promise<{ready?: boolean, failed?: string, answer?: string, progress?: string} | null>}
 */
function replyOf(port, seconds, ask) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), 1000 * seconds);
    port.onmessage = ({ data }) => {
      clearTimeout(timer);
      resolve(data);
    };
    ask();
  });
}
