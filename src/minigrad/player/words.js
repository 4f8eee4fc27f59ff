"use strict";
// Every sentence of the page in its two languages, by key; and elements that know how to say theirs again.

const LANGUAGES = ["en", "es"];
const SVG = "http://www.w3.org/2000/svg";
const MATHML = "http://www.w3.org/1998/Math/MathML";

class Words {
  /**
   * @param {Rows} rows
   * @param {string} language
   */
  constructor(rows, language) {
    /** @type {Map<string, Pair>} */
    this.rows = new Map();
    this.language = LANGUAGES.includes(language) ? language : "en";
    this.add(rows);
  }

  /** @param {Rows} rows */
  add(rows) {
    Object.entries(rows).forEach(([key, pair]) => this.rows.set(key, pair));
  }

  /**
   * One of an [english, spanish] pair.
   * @param {Pair} pair
   */
  pick(pair) {
    return pair[LANGUAGES.indexOf(this.language)];
  }

  /**
   * The sentence under a key, with its fields filled in; a key that is missing says itself.
   * @param {string} key
   * @param {Fields} [fields]
   */
  say(key, fields = {}) {
    const row = this.rows.get(key);
    if (!row) return key;
    return this.pick(row).replace(/\{(\w+)\}/g, (hole, name) =>
      Object.hasOwn(fields, name) ? String(fields[name]) : hole,
    );
  }

  /**
   * A sentence whose fields keep their colours: numbers are data, grad or local.
   * @param {Element} element
   * @param {string} key
   * @param {Record<string, string | Tinted>} fields
   */
  tell(element, key, fields) {
    const row = this.rows.get(key);
    const parts = row ? this.pick(row).split(/\{(\w+)\}/g) : [key];
    parts.forEach((part, at) => {
      const field = at % 2 ? fields[part] : part;
      if (typeof field === "string") element.append(field);
      else element.append(make("span", { class: `number ${field.kind}` }, field.text));
    });
  }

  /**
   * Say a sentence in an element, so that `retell` can say it again.
   * @template {Element} T
   * @param {T} element
   * @param {string} key
   * @param {Fields} [fields]
   * @returns {T}
   */
  put(element, key, fields) {
    element.setAttribute("data-say", key);
    if (fields) element.setAttribute("data-fields", JSON.stringify(fields));
    else element.removeAttribute("data-fields");
    element.textContent = this.say(key, fields);
    return element;
  }

  /**
   * The same for what an element is called: its accessible name and its tooltip.
   * @template {Element} T
   * @param {T} element
   * @param {string} key
   * @returns {T}
   */
  label(element, key) {
    element.setAttribute("data-say-label", key);
    element.setAttribute("aria-label", this.say(key));
    element.setAttribute("title", this.say(key));
    return element;
  }

  /**
   * Everything below an element in the language in use.
   * @param {ParentNode} root
   */
  retell(root) {
    for (const element of root.querySelectorAll("[data-say]")) {
      const fields = element.getAttribute("data-fields");
      element.textContent = this.say(
        element.getAttribute("data-say") ?? "",
        fields ? JSON.parse(fields) : {},
      );
    }
    for (const element of root.querySelectorAll("[data-say-label]")) {
      this.label(element, element.getAttribute("data-say-label") ?? "");
    }
    for (const element of root.querySelectorAll("[data-words]")) {
      element.textContent = this.pick(JSON.parse(element.getAttribute("data-words") ?? "[]"));
    }
  }
}

/**
 * An element of the page; texts are texts, never markup.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/**
 * The same in another namespace.
 * @param {string} space
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null>} [attributes]
 * @param {...(Node | string)} children
 */
function makeIn(space, tag, attributes = {}, ...children) {
  const element = document.createElementNS(space, tag);
  fill(element, attributes, children);
  return element;
}

/**
 * @param {Element} element
 * @param {Record<string, string | number | boolean | null>} attributes
 * @param {(Node | string)[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
}

/**
 * A button with an icon and a name.
 * @param {Words} words
 * @param {string} key
 * @param {string} icon
 * @param {() => void} act
 */
function iconButton(words, key, icon, act) {
  const button = /** @type {HTMLButtonElement} */ (
    make("button", { type: "button", class: "icon-button" }, iconOf(icon))
  );
  button.addEventListener("click", act);
  return words.label(button, key);
}

const ICONS = /** @type {Record<string, string>} */ ({
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 4.5h3.6v15H7zM13.4 4.5H17v15h-3.6z",
  back: "M15.5 5.5v13L6 12z",
  forward: "M8.5 5.5v13L18 12z",
  start: "M6 5h2.4v14H6zM19 5v14L9.5 12z",
  end: "M15.6 5H18v14h-2.4zM5 5v14l9.5-7z",
  turn: "M5 5.5h9a5 5 0 0 1 0 10h-4v3.5L4.5 14 10 9v3.5h4a2 2 0 0 0 0-4H5z",
  closer: "M10.8 5h2.4v5.8H19v2.4h-5.8V19h-2.4v-5.8H5v-2.4h5.8z",
  farther: "M5 10.8h14v2.4H5z",
  fit: "M4 4h6v2.2H6.2V10H4zM14 4h6v6h-2.2V6.2H14zM4 14h2.2v3.8H10V20H4zM17.8 14H20v6h-6v-2.2h3.8z",
  close: "M6.3 4.9 12 10.6l5.7-5.7 1.4 1.4-5.7 5.7 5.7 5.7-1.4 1.4-5.7-5.7-5.7 5.7-1.4-1.4 5.7-5.7-5.7-5.7z",
});

/** @param {string} icon */
function iconOf(icon) {
  const path = makeIn(SVG, "path", { d: ICONS[icon] });
  return makeIn(SVG, "svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, path);
}

/**
 * A drawing that Python made, as an element of this page.
 * @param {string} markup
 * @returns {SVGSVGElement}
 */
function svgFrom(markup) {
  const parsed = new DOMParser().parseFromString(markup, "image/svg+xml");
  return /** @type {SVGSVGElement} */ (
    /** @type {unknown} */ (document.importNode(parsed.documentElement, true))
  );
}

/**
 * Set a class only where it changes: a drawing may have thousands of elements.
 * @param {Element} element
 * @param {string} name
 * @param {boolean} on
 */
function mark(element, name, on) {
  if (element.classList.contains(name) !== on) element.classList.toggle(name, on);
}

/**
 * @param {Element} element
 * @param {string} words
 */
function write(element, words) {
  if (element.textContent !== words) element.textContent = words;
}
