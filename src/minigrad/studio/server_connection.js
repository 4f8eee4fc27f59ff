"use strict";
/*
 * The connection to the server.  For each purpose one request is under way at a time, and the newest wish waits
 * behind it: dragging a slider asks as often as answers come, and never in vain.  A server that is away is
 * asked again and again; nothing that was asked last is forgotten.
 */

/** @typedef {{ok: boolean, serial?: number, error?: StudioError} & Record<string, any>} Answer */
/** @typedef {{message: string, hint?: string, where?: [number, number] | null, code?: string}} StudioError */
/** @typedef {{purpose: string, path: string, body: Record<string, unknown>, then: (answer: Answer) => void}} Wish */
/** @typedef {"here" | "away" | "locked" | "unreachable"} Presence */

const FIRST_PAUSE = 400; // milliseconds
const LONGEST_PAUSE = 4000;
const PATIENCE = 30000; // after which a request counts as lost

class ServerConnection {
  /** @param {(presence: Presence) => void} told */
  constructor(told) {
    this.told = told;
    /** @type {Presence} */
    this.presence = "here";
    this.page = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join("");
    this.serial = 0;
    /** @type {Map<string, {busy: boolean, waiting: Wish | null}>} */
    this.lines = new Map();
    /** @type {(() => void)[]} */
    this.sleepers = [];
  }

  /**
   * Ask for something; a newer wish for the same purpose replaces one that still waits.
   * @param {string} purpose
   * @param {string} path
   * @param {Record<string, unknown>} body
   * @param {(answer: Answer) => void} then
   */
  ask(purpose, path, body, then) {
    const line = this.lines.get(purpose) ?? { busy: false, waiting: null };
    this.lines.set(purpose, line);
    line.waiting = { purpose, path, body, then };
    if (!line.busy) void this.#serve(line);
  }

  /** Do not wait for the next attempt. */
  retry() {
    for (const wake of this.sleepers.splice(0)) wake();
  }

  /** @param {{busy: boolean, waiting: Wish | null}} line */
  async #serve(line) {
    line.busy = true;
    let pause = FIRST_PAUSE;
    while (line.waiting) {
      const wish = line.waiting;
      line.waiting = null;
      const answer = await this.post(wish);
      if (answer === null) {
        line.waiting ??= wish;
        await this.#sleep(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE);
        continue;
      }
      pause = FIRST_PAUSE;
      if (!line.waiting) line.busy = false;
      if (answer.error?.code !== "superseded") wish.then(answer);
    }
    line.busy = false;
  }

  /**
   * The answer; null when the server is away or does not know this page.
   * @param {Wish} wish
   * @returns {Promise<Answer | null>}
   */
  async post(wish) {
    let response;
    try {
      response = await fetch(wish.path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        // the server drops what a newer question replaces, and only one of the same purpose does
        body: JSON.stringify({ ...wish.body, page: `${this.page} ${wish.purpose}`, serial: ++this.serial }),
        cache: "no-store",
        signal: AbortSignal.timeout(PATIENCE),
      });
    } catch {
      this.now("away");
      return null;
    }
    if (response.status === 401 || response.status === 403) {
      this.now("locked");
      return null;
    }
    try {
      const answer = await response.json();
      this.now("here");
      return answer && typeof answer.ok === "boolean" ? answer : odd(response.status);
    } catch {
      return odd(response.status);
    }
  }

  /** @param {Presence} presence */
  now(presence) {
    if (presence === this.presence) return;
    this.presence = presence;
    this.told(presence);
  }

  /** @param {number} milliseconds @returns {Promise<void>} */
  #sleep(milliseconds) {
    return new Promise((resolve) => {
      this.sleepers.push(resolve);
      setTimeout(resolve, milliseconds);
    });
  }
}

/**
 * How a page reaches Python; one without a server has a way of its own.
 * @type {(told: (presence: Presence) => void) => ServerConnection}
 */
let openConnection = (told) => new ServerConnection(told);

/** @param {number} status @returns {Answer} */
function odd(status) {
  return { ok: false, error: { message: say("studio.odd", { status: String(status) }), code: "odd" } };
}
