"use strict";
/*
 * Elements made of words, never of markup: whatever a user wrote stays text.
 * An element with data-say (or -label, -placeholder) speaks the language of the page.
 */

const speech = new Words({}, "en");

/**
 * A sentence in the language that is spoken now.
 * @param {string} key
 * @param {Fields} [fields]
 */
function say(key, fields) {
  return speech.say(key, fields);
}

/** @typedef {Node | string | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

/**
 * One element; null, undefined and false leave an attribute or a child out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} attributes
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
function build(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

/**
 * A button that does something when it is pressed; `key` is its sentence.
 * @param {string} key
 * @param {Attributes} attributes
 * @param {(event: MouseEvent) => void} action
 */
function pressable(key, attributes, action) {
  const button = build("button", { type: "button", "data-say": key || null, ...attributes }, key && say(key));
  button.addEventListener("click", action);
  return button;
}

/**
 * An element that says a sentence, in whichever language is spoken.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} key
 * @param {Attributes} [attributes]
 */
function sentence(tag, key, attributes = {}) {
  return build(tag, { "data-say": key, ...attributes }, say(key));
}

/**
 * The label of a control.
 * @param {HTMLElement} control that has an id
 * @param {string} key
 */
function labelOf(control, key) {
  return sentence("label", key, { for: control.id });
}

/**
 * A field for text that nobody should correct.
 * @param {Attributes} attributes
 */
function textField(attributes) {
  return build("input", { type: "text", class: "field", autocomplete: "off", spellcheck: "false", ...attributes });
}

/**
 * The element of the page with this id; the page has it, or nothing works.
 * @template {typeof HTMLElement} T
 * @param {string} id
 * @param {T} [kind]
 * @returns {InstanceType<T>}
 */
function part(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof (kind ?? HTMLElement))) throw new Error(`the page has no ${id}`);
  return /** @type {InstanceType<T>} */ (found);
}

/**
 * Say everything inside again, in the language that is spoken now.
 * @param {ParentNode} root
 */
function translate(root) {
  speech.retell(root);
  for (const element of root.querySelectorAll("[data-say-placeholder]")) {
    element.setAttribute("placeholder", say(element.getAttribute("data-say-placeholder") ?? ""));
  }
}

/**
 * A number as it travels to the server.
 * @param {number} value
 * @returns {JsonNumber}
 */
function travelling(value) {
  return Number.isFinite(value) ? value : value > 0 ? "inf" : value < 0 ? "-inf" : "nan";
}

/**
 * Lines of a report: aligned as they are, and a long one goes on further in.
 * @param {readonly string[]} lines
 */
function reportLines(lines) {
  const rows = lines.map((line) => {
    const text = line.trimStart();
    const row = build("span", { class: "row" }, text || "\u00a0");
    row.style.paddingLeft = `${line.length - text.length}ch`;
    return row;
  });
  return build("pre", { class: "report", tabindex: "0" }, ...rows);
}
