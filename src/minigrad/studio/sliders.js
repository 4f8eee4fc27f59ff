"use strict";
/*
 * One row for each input: a slider, a field, its gradient.  Dragging and typing tell the new number at
 * once; a double click on the slider, or the arrow beside the field, goes back to what the text says.
 */

/**
 * @typedef {object} InputRow what the server says of an input
 * @property {string} name
 * @property {JsonNumber} value
 * @property {JsonNumber | null} written the text's own number
 * @property {boolean} [assumed] nobody gave it a number
 * @property {number} low
 * @property {number} high
 * @property {number} step
 */
/**
 * @typedef {object} InputParts what a row is made of
 * @property {HTMLElement} row
 * @property {HTMLInputElement} range
 * @property {HTMLInputElement} field
 * @property {HTMLButtonElement} undo
 * @property {HTMLElement} grad
 * @property {number | null} usual the text's own number
 */

const SHOWN_INPUTS = 24; // rows; more are there on request
const WIDEST_SLOPE = 17; // letters; of a wider one only the number is written

class InputSliders {
  /**
   * @param {HTMLElement} host
   * @param {(name: string, value: number | null) => void} moved null: back to the text's own number
   */
  constructor(host, moved) {
    this.host = host;
    this.moved = moved;
    /** @type {Map<string, InputParts>} */
    this.parts = new Map();
    this.all = false;
    /** @type {{rows: InputRow[], output: string, gradients: ReadonlyMap<string, number>}} */
    this.told = { rows: [], output: "", gradients: new Map() };
  }

  /**
   * Show these inputs; rows that are there already stay, so that a finger on a slider keeps hold of it.
   * @param {InputRow[]} rows
   * @param {string} output
   * @param {ReadonlyMap<string, number>} gradients
   */
  show(rows, output, gradients) {
    this.told = { rows, output, gradients };
    const shown = this.all ? rows : rows.slice(0, SHOWN_INPUTS);
    if (shown.map((row) => row.name).join("\n") !== [...this.parts.keys()].join("\n")) this.#build(shown, rows.length);
    const width = (/** @type {InputRow} */ { name }) => slopeOf(output, name).length + show(gradients.get(name) ?? 0).length;
    this.host.classList.toggle("brief", shown.some((row) => width(row) > WIDEST_SLOPE));
    for (const row of shown) {
      const parts = /** @type {InputParts} */ (this.parts.get(row.name));
      parts.usual = row.written === null ? null : fromJsonNumber(row.written);
      this.#fill(parts, row, output, gradients.get(row.name));
    }
  }

  /** Everything again, in another language or with more rows. */
  retell() {
    const { rows, output, gradients } = this.told;
    this.#build(this.all ? rows : rows.slice(0, SHOWN_INPUTS), rows.length);
    this.show(rows, output, gradients);
  }

  /** @param {InputRow[]} rows @param {number} count */
  #build(rows, count) {
    this.parts = new Map(rows.map((row) => [row.name, this.#row(row)]));
    /** @type {HTMLElement[]} */
    const children = [...this.parts.values()].map((parts) => parts.row);
    if (!rows.length) children.push(build("p", { class: "note" }, say("studio.inputs.none")));
    if (rows.length < count) {
      const more = pressable("", { class: "link" }, () => {
        this.all = true;
        this.retell();
      });
      more.textContent = say("studio.inputs.more", { count: count - rows.length });
      children.push(more);
    }
    this.host.replaceChildren(...children);
  }

  /** @param {InputRow} row @returns {InputParts} */
  #row(row) {
    const name = row.name;
    const range = build("input", { type: "range", step: "any", "aria-label": say("studio.slider", { name }) });
    const field = textField({ inputmode: "decimal", "aria-label": say("studio.value", { name }) });
    const reset = say("studio.reset", { name });
    const undo = pressable("", { class: "undo", "aria-label": reset, title: reset }, () => this.moved(name, null));
    undo.textContent = "\u21ba";
    const grad = build("output", { class: "slope" });
    const called = build("span", { class: "data name", title: name }, name);
    const line = build("div", { class: "input" }, called, range, field, undo, grad);
    const parts = { row: line, range, field, undo, grad, usual: null };
    range.addEventListener("input", () => {
      const value = tidy(Number(range.value), Number(range.max) - Number(range.min));
      field.value = String(value);
      field.removeAttribute("aria-invalid");
      this.moved(name, value);
    });
    range.addEventListener("dblclick", () => this.moved(name, null));
    field.addEventListener("input", () => {
      const value = typed(field.value);
      if (value === null) {
        field.setAttribute("aria-invalid", "true");
        return;
      }
      field.removeAttribute("aria-invalid");
      this.moved(name, value);
    });
    return parts;
  }

  /** @param {InputParts} parts @param {InputRow} row @param {string} output @param {number | undefined} gradient */
  #fill(parts, row, output, gradient) {
    const value = fromJsonNumber(row.value);
    const { range, field } = parts;
    if (document.activeElement !== range) { // a range that changes under the finger would run away
      range.min = String(Math.min(row.low, Number.isFinite(value) ? value : row.low));
      range.max = String(Math.max(row.high, Number.isFinite(value) ? value : row.high));
    }
    range.disabled = !Number.isFinite(value);
    if (document.activeElement !== range) range.value = String(value);
    if (document.activeElement !== field) {
      field.value = Number.isFinite(value) ? String(value) : value > 0 ? "inf" : value < 0 ? "-inf" : "nan";
      field.removeAttribute("aria-invalid");
    }
    parts.row.classList.toggle("assumed", row.assumed === true);
    parts.undo.hidden = parts.usual === null ? row.assumed === true : Object.is(parts.usual, value);
    parts.grad.replaceChildren();
    if (gradient === undefined) return;
    parts.grad.title = `${slopeOf(output, row.name)} = ${show(gradient)}`;
    parts.grad.append(build("span", { class: "of" }, slopeOf(output, row.name), " "), build("b", { class: "grad" }, show(gradient)));
  }
}

/** dL/da @param {string} output @param {string} name */
function slopeOf(output, name) {
  return `d${output}/d${name}`;
}

/**
 * A number of a slider without digits that nobody asked for: about a thousandth of its range.
 * @param {number} value
 * @param {number} range
 */
function tidy(value, range) {
  const digits = Math.max(0, Math.min(12, 2 - Math.floor(Math.log10(range || 1))));
  return Number(value.toFixed(digits));
}
