"use strict";
/*
 * Workers in which engines are examined: one for each hash seed, because the order of a set hangs on it.  A job
 * that takes too long, or prints or says too much, costs its worker, and the next job has another.
 */

/** @typedef {{kind: string, code: number | null, output: string, worn?: boolean}} HowJobEnded */
/** @typedef {{seed: number, seconds: number, said: number, request: string}} PageJob a job, as far as the page knows it */

class EngineWorkers {
  /** @param {() => Promise<PythonFiles>} files */
  constructor(files) {
    this.files = files;
    /** @type {Map<number, EngineWorker>} */
    this.workers = new Map();
  }

  /** All jobs of a batch, side by side where their seeds differ. @param {PageJob[]} jobs */
  run(jobs) {
    return Promise.all(jobs.map((job) => this.#worker(job.seed).run(job)));
  }

  /** Start the one that every examination needs first. */
  warm() {
    void this.#worker(0).ready().catch(() => {}); // who needs it will see
  }

  /** @param {number} seed */
  #worker(seed) {
    const found = this.workers.get(seed) ?? new EngineWorker(this.files, seed);
    this.workers.set(seed, found);
    return found;
  }

  /** Nobody waits for what runs any more. */
  end() {
    for (const worker of this.workers.values()) worker.end();
    this.workers.clear();
  }
}

class EngineWorker {
  /** @param {() => Promise<PythonFiles>} files @param {number} seed */
  constructor(files, seed) {
    this.files = files;
    this.seed = seed;
    /** @type {Promise<PythonFrame> | null} */
    this.started = null;
    /** @type {Promise<unknown>} */
    this.turn = Promise.resolve();
  }

  ready() {
    this.started ??= this.files().then((files) => pythonFrame(files, files.engine, { seed: this.seed }));
    return this.started;
  }

  end() {
    const { started } = this;
    this.started = null;
    void started?.then(({ frame }) => frame.remove(), () => {});
  }

  /** One after the other. @param {PageJob} job */
  run(job) {
    const ran = this.turn.then(() => this.#run(job));
    this.turn = ran.catch(() => {});
    return ran;
  }

  /** @param {PageJob} job */
  async #run(job) {
    const { port } = await this.ready();
    const begun = performance.now();
    /** @type {string[]} */
    const lines = [];
    const { worn, ...end } = await new Promise((/** @type {(end: HowJobEnded) => void} */ resolve) => {
      const stop = (/** @type {string} */ kind) => resolve({ kind, code: null, output: "", worn: true });
      const timer = setTimeout(() => stop("cpu"), 1000 * job.seconds);
      let room = job.said;
      port.onmessage = ({ data }) => {
        if (typeof data.line === "string") {
          lines.push(data.line);
          room -= data.line.length;
        }
        if (data.flood || room < 0) stop("output");
        else if (data.end) {
          clearTimeout(timer);
          resolve(data.end);
        }
      };
      port.postMessage(job);
    });
    if (worn) this.end();
    return { ...end, lines, seconds: (performance.now() - begun) / 1000 };
  }
}
