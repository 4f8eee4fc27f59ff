"use strict";
// Numbers as text, the same text as minigrad.text.numerals.show writes; and numbers read from JSON.

/**
 * A number for people: 4, -0.25, 0.333333, 1e-17, inf.
 * @param {number} x
 * @param {number} [digits]
 * @returns {string}
 */
function show(x, digits = 6) {
  if (x === 0) return "0";
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  if (Math.abs(x) < 1e10 && Number.isInteger(x)) return String(x);
  const [mantissa, power] = rounded(x, digits).split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= digits) {
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${trimmed(mantissa)}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  const sign = mantissa.startsWith("-") ? "-" : "";
  const figures = mantissa.replace(/[-.]/g, "");
  if (exponent < 0) return trimmed(`${sign}0.${"0".repeat(-exponent - 1)}${figures}`);
  return trimmed(`${sign}${figures.slice(0, exponent + 1)}.${figures.slice(exponent + 1)}`);
}

/**
 * toExponential rounds an exact half away from zero; Python rounds it to even.
 * @param {number} x
 * @param {number} digits
 * @returns {string}
 */
function rounded(x, digits) {
  const text = x.toExponential(digits - 1);
  const exact = x.toExponential(100); // no double comes closer to a half without being one
  const cut = exact.indexOf("e");
  const [kept, rest] = [
    exact.slice(0, cut).slice(0, -(101 - digits)),
    exact.slice(0, cut).slice(-(101 - digits)),
  ];
  const half = /^50*$/.test(rest);
  const even = /[02468]$/.test(kept);
  return half && even ? kept.replace(/\.$/, "") + exact.slice(cut) : text;
}

/** @param {string} text */
function trimmed(text) {
  return text.includes(".") ? text.replace(/\.?0*$/, "") : text;
}

/**
 * The number that minigrad.text.numerals.json_number wrote.
 * @param {JsonNumber} x
 * @returns {number}
 */
function fromJsonNumber(x) {
  if (typeof x === "number") return x;
  return { inf: Infinity, "-inf": -Infinity, nan: NaN }[x];
}

/**
 * A number inside a sum or product: negative ones in parentheses.
 * @param {number} x
 */
function factor(x) {
  const text = show(x);
  return text.startsWith("-") ? `(${text})` : text;
}

/**
 * A term that is added to what stands before it: "- 6", "+ 4".
 * @param {number} x
 */
function term(x) {
  const text = show(x);
  return text.startsWith("-") ? `- ${text.slice(1)}` : `+ ${text}`;
}

/**
 * Equal as numbers of a pass: NaN is NaN.
 * @param {number} x
 * @param {number} y
 */
function same(x, y) {
  return x === y || (Number.isNaN(x) && Number.isNaN(y));
}

/**
 * Not farther apart than a bound; an infinite distance is more than any bound, also than an infinite one.
 * @param {number} x
 * @param {number} y
 * @param {number} bound
 */
function within(x, y, bound) {
  const distance = Math.abs(x - y);
  return distance < Infinity && distance <= bound;
}

/**
 * A number that a person typed: 4, -0.25, 1e3, 1/3, 0,5; null if it is none.
 * @param {string} text
 * @returns {number | null}
 */
function typed(text) {
  const plain = text
    .trim()
    .replace(/\u2212/g, "-")
    .replace(",", ".")
    .toLowerCase();
  const words = /** @type {Record<string, number>} */ ({ inf: Infinity, "-inf": -Infinity, nan: NaN });
  if (Object.hasOwn(words, plain)) return words[plain];
  const parts = plain.split("/").map((part) => part.trim());
  if (parts.length > 2 || !parts.every((part) => /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/.test(part)))
    return null;
  return parts.length === 2 ? Number(parts[0]) / Number(parts[1]) : Number(parts[0]);
}

/**
 * Is an answer the number that was asked for, as far as the page shows it?
 * @param {number} answer
 * @param {number} wanted
 */
function near(answer, wanted) {
  if (same(answer, wanted) || show(answer, 3) === show(wanted, 3)) return true;
  return within(answer, wanted, 0.005 * Math.abs(wanted));
}
