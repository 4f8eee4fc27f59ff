"use strict";
/*
 * An interpreter that runs engines, each job as if it were a process of its own: before a job, and before each
 * call that is to be made apart, the memory of the interpreter is put back to what it was.  What jobs say is
 * handed on as it comes; how one ended is returned.
 */

const HOME = "/work"; // of an engine: empty before each job
const ROOMY = 300e6; // bytes of memory: where a job took more, another interpreter runs the next one
const MOST_MEMORY = 1.5e9; // after which nothing more is given: a MemoryError
// Bytes of Python's stack: with 72 kB long chains use up that of JavaScript first, and with 48 kB a line may be
// too deep to compile.
const DEEPEST = 60 * 1024;
const ARCHIVE = "/lib/minigrad.zip";
const CHILD = `
import sys
sys.dont_write_bytecode = True
sys.path.append("${ARCHIVE}")
sys.path.insert(0, "${ARCHIVE}/minigrad/web")
from engine_child import EngineChild
sys.path.pop(0)
EngineChild
`;

/** @typedef {{request: string, seed: number, seconds: number, slower: number, printed: number, kept: number,
 *   said: number, files: Record<string, string>}} EngineJob as engine_workers.py says it */
/** @typedef {{kind: string, code: number | null, output: string, worn: boolean}} EngineEnd */

class EngineHost {
  /**
   * @param {any} python Pyodide, fresh
   * @param {ArrayBuffer} archive minigrad, packed
   * @param {(line: string) => void} say what the engine's process says, as JSON
   * @param {() => void} flood it prints more than it may
   */
  constructor(python, archive, say, flood) {
    this.machine = python._module;
    this.files = python.FS;
    this.alarms = new Alarms();
    this.output = new Output(flood);
    this.files.writeFile(ARCHIVE, new Uint8Array(archive));
    python.setInterruptBuffer(this.alarms.buffer);
    const print = { write: (/** @type {Uint8Array} */ piece) => this.output.take(piece), isatty: false };
    python.setStdout(print);
    python.setStderr(print);
    const child = python.runPython(CHILD);
    const { begin, run, goes_on, finish } = child(`${ARCHIVE}/minigrad/doctor`, say, this.alarms);
    this.child = { begin, run, goes_on, finish }; // once: what JavaScript holds of Python is as old as `fresh`
    this.#inHome();
    this.#protectStack();
    this.fresh = this.#world();
  }

  /** Recursion without end is a RecursionError, before it uses up the stack of JavaScript. */
  #protectStack() {
    const { machine } = this;
    const state = machine._PyThreadState_Get();
    machine._PyUnstable_ThreadState_SetStackProtection(state, machine.stackSave() - DEEPEST, DEEPEST);
  }

  /** @param {EngineJob} job @returns {EngineEnd} */
  run(job) {
    this.#restore(this.fresh);
    this.#inHome();
    for (const [path, text] of Object.entries(job.files)) {
      this.files.mkdirTree(path.slice(0, path.lastIndexOf("/")) || "/");
      this.files.writeFile(path, text);
    }
    this.alarms.slower = job.slower;
    this.output.begin(job.printed, job.kept);
    let [kind, code] = ["finished", /** @type {number | null} */ (0)];
    try {
      const left = this.child.begin(job.request);
      if (left < 0) code = -1 - left;
      else this.#apart(left);
      kind = code ? "exit" : "finished";
    } catch (error) {
      code = codeOf(error);
      kind = code === null ? "signal" : code ? "exit" : "finished";
    }
    return { kind, code, output: this.output.text(), worn: kind === "signal" || this.machine.HEAPU8.length > ROOMY };
  }

  /** Calls, each in a world of its own. @param {number} count */
  #apart(count) {
    const before = this.#world();
    /** @type {number[]} */
    const codes = [];
    for (let at = 0; at < count; at += 1) {
      try {
        codes.push(this.child.run(at));
      } catch (error) {
        codes.push(codeOf(error) ?? -11); // as a process whose interpreter breaks
      }
      this.#restore(before);
      if (!this.child.goes_on(codes.join(" "))) break;
    }
    this.child.finish(codes.join(" "));
  }

  /** All that the interpreter is, but for its files. */
  #world() {
    return { bytes: this.machine.HEAPU8.slice(), stack: this.machine.stackSave(), streams: [...this.files.streams] };
  }

  /** @param {{bytes: Uint8Array, stack: number, streams: {fd: number}[]}} world */
  #restore({ bytes, stack, streams }) {
    const memory = this.machine.HEAPU8;
    memory.set(bytes);
    memory.fill(0, bytes.length);
    this.machine.stackRestore(stack);
    this.files.streams = [...streams];
    streams.forEach((stream, at) => stream && (stream.fd = at)); // which one that was closed has lost
    this.alarms.clear();
  }

  #inHome() {
    this.files.chdir("/");
    if (this.files.analyzePath(HOME).exists) removeFolder(this.files, HOME);
    this.files.mkdirTree(HOME);
    this.files.chdir(HOME);
  }
}

/**
 * For this thread, before it has an interpreter.  None gets more than so much memory; Python makes a MemoryError
 * of it.  And nothing is given back to Python when JavaScript has forgotten it: where that was in memory, there
 * is something else by then.
 */
function prepareThread() {
  FinalizationRegistry = /** @type {any} */ (class { register() {} unregister() {} });
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (/** @type {number} */ pages) {
    if (this.buffer.byteLength + 65536 * pages > MOST_MEMORY) throw new RangeError("too much memory");
    return grow.call(this, pages);
  };
}

/** The clock of the worker for `signal.setitimer`: Python asks now and then whether an alarm rings. */
class Alarms {
  constructor() {
    this.slower = 1;
    /** @type {Map<number, {end: number, signum: number, every: number}>} */
    this.running = new Map();
    const rung = () => this.#rung();
    this.buffer = {
      get 0() {
        return rung();
      },
      set 0(_) {}, // which Python does when it has seen a signal
    };
  }

  /** @param {number} which @param {number} seconds @param {number} signum @param {number} interval */
  set(which, seconds, signum, interval) {
    const now = performance.now();
    const end = this.running.get(which)?.end;
    const after = (/** @type {number} */ x) => 1000 * this.slower * x;
    if (seconds > 0) this.running.set(which, { end: now + after(seconds), signum, every: after(interval) });
    else this.running.delete(which);
    return end === undefined ? 0 : Math.max(1e-6, (end - now) / 1000 / this.slower);
  }

  clear() {
    this.running.clear();
  }

  /** The number of a signal, or 0. */
  #rung() {
    if (!this.running.size) return 0;
    const now = performance.now();
    for (const [which, { end, signum, every }] of this.running) {
      if (now < end) continue;
      if (every) this.running.set(which, { end: now + every, signum, every });
      else this.running.delete(which);
      return signum;
    }
    return 0;
  }
}

/** What is printed: the beginning and the end are kept. */
class Output {
  /** @param {() => void} flood */
  constructor(flood) {
    this.flood = flood;
    this.most = Infinity;
    this.half = this.size = 0;
    this.head = this.tail = "";
  }

  /** @param {number} most @param {number} kept bytes */
  begin(most, kept) {
    this.most = most;
    this.half = kept >> 1;
    this.size = 0;
    this.head = this.tail = "";
  }

  /** @param {Uint8Array} piece */
  take(piece) {
    this.size += piece.length;
    const text = new TextDecoder().decode(piece.slice(0, 2 * this.half));
    const room = this.half - this.head.length;
    this.head += text.slice(0, room);
    this.tail = (this.tail + text.slice(room)).slice(-this.half);
    if (this.size > this.most) this.flood();
    return piece.length;
  }

  text() {
    return this.head + this.tail;
  }
}

/** The exit code of a program that ended itself, or null: its interpreter broke. @param {unknown} error */
function codeOf(error) {
  const status = /** @type {{status?: unknown}} */ (error)?.status;
  return typeof status === "number" ? status & 255 : null;
}

/** @param {any} files @param {string} folder */
function removeFolder(files, folder) {
  for (const name of files.readdir(folder)) {
    if (name === "." || name === "..") continue;
    const path = `${folder}/${name}`;
    if (files.isDir(files.lstat(path).mode)) removeFolder(files, path);
    else files.unlink(path);
  }
  files.rmdir(folder);
}
