"use strict";
/*
 * A link that holds the whole state: the fragment is JSON in base64url.  Whatever stands in a link was
 * written by anybody, so that only what has the right shape is taken out of it.  The address of the page is
 * such a link, a moment after every change; the browser also keeps the last one for the next visit.
 */

/**
 * @typedef {object} StudioState
 * @property {string} text
 * @property {Record<string, number>} inputs values that replace those of the text
 * @property {string | null} fault
 * @property {string | null} variant
 * @property {number} order
 * @property {string} tool
 * @property {string | null} lang
 * @property {number | null} t
 * @property {string | null} view
 * @property {number | null} node
 * @property {boolean} predict
 */

const LONGEST_TEXT = 60000; // bytes of statements that the server reads
const MOST_VALUES = 500; // that a link may carry
const MOST_ORDERS = 1000;
const SETTLED = 350; // milliseconds without a change, after which the address follows
const STATE_KEPT = "minigrad.studio"; // where the browser keeps the last state
const TOOLS = ["break", "check", "diagnose", "export"];

/**
 * Values by name; a bare object, because a name may be any, also one that every object has.
 * @returns {Record<string, number>}
 */
function noValues() {
  return Object.create(null);
}

/** @returns {StudioState} */
function emptyState() {
  return {
    text: "", inputs: noValues(), fault: null, variant: null, order: 0, tool: "break",
    lang: null, t: null, view: null, node: null, predict: false,
  };
}

/** A state as text; infinity and NaN are words in it. @param {Partial<StudioState>} state */
function writtenState(state) {
  const inputs = Object.entries(state.inputs ?? {}).map(([name, value]) => [name, travelling(value)]);
  return JSON.stringify({ ...state, inputs: Object.fromEntries(inputs) });
}

/** @param {StudioState} state */
function fragmentOf(state) {
  const plain = emptyState();
  const told = Object.entries(state).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(plain[/** @type {keyof StudioState} */ (key)]),
  );
  return packed(writtenState(Object.fromEntries(told)));
}

/** A text as a fragment. @param {string} text */
function packed(text) {
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * The state in a fragment, with or without its #; null where there is none.
 * @param {string} fragment
 * @returns {StudioState | null}
 */
function stateIn(fragment) {
  try {
    return stateOf(JSON.parse(unpacked(fragment) ?? "null"));
  } catch {
    return null;
  }
}

/** The text in a fragment; null where there is none. @param {string} fragment */
function unpacked(fragment) {
  const letters = fragment.replace(/^#/, "").replaceAll("-", "+").replaceAll("_", "/");
  if (!letters) return null;
  try {
    const bytes = Uint8Array.from(atob(letters), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * What is usable in something that claims to be a state.
 * @param {unknown} claimed
 * @returns {StudioState | null}
 */
function stateOf(claimed) {
  if (typeof claimed !== "object" || claimed === null || Array.isArray(claimed)) return null;
  const given = /** @type {Record<string, unknown>} */ (claimed);
  if (typeof given.text !== "string" || given.text.length > LONGEST_TEXT) return null;
  /** @param {unknown} x */
  const word = (x) => (typeof x === "string" && x.length <= 200 ? x : null);
  /** @param {unknown} x */
  const count = (x) => (typeof x === "number" && Number.isSafeInteger(x) && x >= 0 ? x : null);
  const inputs = noValues();
  const written = typeof given.inputs === "object" && given.inputs !== null ? Object.entries(given.inputs) : [];
  for (const [name, value] of written.slice(0, MOST_VALUES)) {
    if (name.length > 100) continue;
    if (typeof value === "number" || ["inf", "-inf", "nan"].includes(value)) inputs[name] = fromJsonNumber(value);
  }
  const tool = word(given.tool);
  const lang = word(given.lang);
  return {
    text: given.text,
    inputs,
    fault: word(given.fault),
    variant: word(given.variant),
    order: Math.min(count(given.order) ?? 0, MOST_ORDERS),
    tool: tool !== null && TOOLS.includes(tool) ? tool : "break",
    lang: lang === "en" || lang === "es" ? lang : null,
    t: count(given.t),
    view: word(given.view),
    node: count(given.node),
    predict: given.predict === true,
  };
}

class Address {
  /** @param {() => StudioState} state */
  constructor(state) {
    this.state = state;
    this.timer = 0;
    this.pushing = false;
    window.addEventListener("pagehide", () => this.now());
  }

  /** The state as it is now can be gone back to: the next one is a new entry of the history. */
  landmark() {
    if (this.timer) this.now();
    this.pushing = true;
  }

  /** Follow the state, once it has settled. */
  follow() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), SETTLED);
  }

  now() {
    clearTimeout(this.timer);
    this.timer = 0;
    const state = this.state();
    const hash = `#${fragmentOf(state)}`;
    if (hash !== location.hash) {
      if (this.pushing && location.hash) history.pushState(null, "", hash);
      else history.replaceState(null, "", hash);
    }
    this.pushing = false;
    keep(STATE_KEPT, writtenState(state));
  }

  /** The state of the last visit. */
  kept() {
    try {
      return stateOf(JSON.parse(kept(STATE_KEPT) ?? "null"));
    } catch {
      return null; // somebody else's text under our name
    }
  }
}
