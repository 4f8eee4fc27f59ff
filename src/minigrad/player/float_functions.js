"use strict";
// Functions on floats that the op kernels need and JavaScript has not, or has otherwise: as in values/ieee.py.
// Where IEEE 754 fixes a result the bits are those of Python; elsewhere each is a few units in the last place off.

/** A float cut into a head of 26 bits and a tail, so that a product of two such halves is exact. @param {number} x */
function halves(x) {
  const scaled = 134217729 * x; // 2**27 + 1
  const head = scaled - (scaled - x);
  return [head, x - head];
}

/** @param {number} x */
function signOf(x) {
  return x > 0 ? 1 : x < 0 ? -1 : x === 0 ? 0 : NaN;
}

/** C's pow, in one operation where that rounds correctly. @param {number} x @param {number} y */
function power(x, y) {
  if (y === 2) return x * x;
  if (y === 1) return x;
  if (y === 0.5) return x === -Infinity ? Infinity : Math.sqrt(x + 0);
  if (y === -1) return 1 / x;
  if (x === 1 || (x === -1 && Math.abs(y) === Infinity)) return 1; // where JavaScript says NaN
  return Math.pow(x, y);
}

/** @param {number} x @param {number} y */
function hypotenuse(x, y) {
  return Math.hypot(x, y);
}

/** @param {number} x */
function exp2(x) {
  return Math.pow(2, x);
}

/** exp(factor * x * x) for a factor that is a negative power of two. @param {number} x @param {number} factor */
function expSquare(x, factor) {
  if (!(x > -64 && x < 64)) return Number.isNaN(x) ? NaN : 0;
  const [head, tail] = halves(x);
  return Math.exp(factor * head * head) * Math.exp(factor * tail * (x + head));
}

// The Chebyshev coefficients of (1 + 2x) exp(x*x) erfc(x) in (x - 3.75) / (x + 3.75), for x from 0 to infinity.
const SCALED_ERFC = [
  2.3551578691348034, -0.004590054580646478, -0.08424913336651792, 0.05920993999819189, -0.026658668435305753,
  0.009074997670705265, -0.002413163540417608, 0.0004907758365258086, -6.916973302501207e-5, 4.13902798607301e-6,
  7.74038306619849e-7, -2.1886401049234397e-7, 1.076499946567091e-8, 4.521959811218287e-9, -7.754400208831351e-10,
  -6.318088340886684e-11, 2.86879501093067e-11, 1.9455868545777347e-13, -9.65469674843344e-13, 3.25254814814874e-14,
  3.3478119482868056e-14, -1.864562880419313e-15, -1.2507950530688648e-15, 7.418235256624044e-17,
  5.068148904796111e-17, -2.2370566594359995e-18, -2.187342944303018e-18,
];
const TWO_OVER_ROOT_PI = 2 / Math.sqrt(Math.PI);

/** 1 - erf(x), also where that is tiny. @param {number} x @returns {number} */
function erfc(x) {
  if (x < 0.5) return 1 - erf(x);
  if (!(x < 28)) return Number.isNaN(x) ? NaN : 0;
  const t = (x - 3.75) / (x + 3.75);
  let [next, after] = [0, 0];
  for (let k = SCALED_ERFC.length - 1; k > 0; k--) [next, after] = [2 * t * next - after + SCALED_ERFC[k], next];
  return (expSquare(x, -1) * (t * next - after + SCALED_ERFC[0] / 2)) / (1 + 2 * x);
}

/** The error function: a series whose terms all have one sign, or what erfc leaves. @param {number} x @returns {number} */
function erf(x) {
  const size = Math.abs(x);
  if (size === 0 || Number.isNaN(x)) return x;
  if (size > 1) return Math.sign(x) * (1 - erfc(size));
  let [sum, term] = [0, 1];
  for (let n = 1; term > 1e-18; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return TWO_OVER_ROOT_PI * expSquare(x, -1) * (x + x * sum);
}

const ROOT_HALF = Math.sqrt(0.5);
const ROOT_HALF_REST = -4.833646656726457e-17; // what no float near sqrt(1/2) can hold of it

/** The normal distribution function. @param {number} x */
function normalCdf(x) {
  if (x < -40) return 0;
  if (x > 10 || Number.isNaN(x)) return Number.isNaN(x) ? NaN : 1;
  const z = x * ROOT_HALF;
  const [a, b] = halves(x);
  const [c, d] = halves(ROOT_HALF);
  const rounding = a * c - z + a * d + b * c + b * d + x * ROOT_HALF_REST;
  return 0.5 * erfc(-z) + rounding * (1 / Math.sqrt(Math.PI)) * expSquare(z, -1);
}

/** The sum, rounded once: Shewchuk's partials, as in Python's math.fsum. @param {readonly number[]} xs */
function exactSum(xs) {
  const odd = xs.filter((x) => !Number.isFinite(x));
  if (odd.length) return odd.reduce((sum, x) => sum + x, 0);
  const partials = partialsOf(xs);
  if (partials) return roundedSum(partials);
  return roundedSum(partialsOf(xs.map((x) => x * 2 ** -64)) ?? []) * 2 ** 64; // beyond the largest on the way
}

/** Numbers without a common bit whose sum is that of xs; null if one would be too large. @param {readonly number[]} xs */
function partialsOf(xs) {
  /** @type {number[]} */
  let partials = [];
  for (let x of xs) {
    const kept = [];
    for (let y of partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y;
      const low = y - (high - x);
      if (low !== 0) kept.push(low);
      x = high;
    }
    if (!Number.isFinite(x)) return null;
    if (x !== 0) kept.push(x);
    partials = kept;
  }
  return partials;
}

/** @param {number[]} partials */
function roundedSum(partials) {
  let i = partials.length;
  if (i === 0) return 0;
  let [high, low] = [partials[--i], 0];
  while (i > 0 && low === 0) {
    const [x, y] = [high, partials[--i]];
    high = x + y;
    low = y - (high - x);
  }
  // A tie was rounded to even, but the partials below say on which side of it the sum is.
  if (i > 0 && ((low < 0 && partials[i - 1] < 0) || (low > 0 && partials[i - 1] > 0))) {
    const twice = low * 2;
    const other = high + twice;
    if (twice === other - high) high = other;
  }
  return high;
}

/** The largest; NaN if any is NaN. @param {readonly number[]} xs */
function largest(xs) {
  let y = xs[0];
  for (const x of xs) {
    if (Number.isNaN(x)) return NaN;
    if (x > y) y = x;
  }
  return y;
}

/** exp(x - y), which would multiply the rounding of x - y by |x - y|: that is put back. @param {number} x @param {number} y */
function expDifference(x, y) {
  const d = x - y;
  const z = d - x;
  const rounding = x - (d - z) - (y + z);
  const e = Math.exp(d);
  return Math.abs(d) < 1000 ? e + e * rounding : e;
}

/** @param {number} y @param {readonly number[]} xs */
function sharesOfExtreme(y, xs) {
  const share = 1 / xs.filter((x) => x === y).length;
  return xs.map((x) => (x === y ? share : y === y ? 0 : NaN));
}

/**
 * The ops that take a list: each returns the value and one local derivative per number, as its row in ops.py does.
 * @type {Record<string, (...xs: number[]) => (number | null)[]>}
 */
const LIST_KERNELS = {
  sum: (...xs) => [exactSum(xs), ...xs.map(() => 1)],
  mean: (...xs) => {
    const total = exactSum(xs);
    const shrunk = (exactSum(xs.map((x) => x * 2 ** -64)) / xs.length) * 2 ** 64; // a sum beyond the largest float
    return [Math.abs(total) < Infinity ? total / xs.length : shrunk, ...xs.map(() => 1 / xs.length)];
  },
  prod: (...xs) => {
    const locals = [];
    let [before, after] = [1, 1];
    for (const x of xs) {
      locals.push(before);
      before *= x;
    }
    for (let i = xs.length - 1; i >= 0; i--) {
      locals[i] *= after;
      after *= xs[i];
    }
    return [before, ...locals];
  },
  dot: (...xs) => {
    const half = xs.length / 2;
    const products = xs.slice(0, half).map((x, i) => x * xs[half + i]);
    return [exactSum(products), ...xs.slice(half), ...xs.slice(0, half)];
  },
  logsumexp: (...xs) => {
    const top = largest(xs);
    const shift = top === Infinity ? Number.MAX_VALUE : top === -Infinity ? 0 : top;
    const shares = xs.map((x) => expDifference(x, shift));
    const total = exactSum(shares);
    return [shift + Math.log1p(exactSum([...shares, -1])), ...shares.map((share) => share / total)];
  },
  max: (...xs) => {
    const y = largest(xs);
    return [y, ...sharesOfExtreme(y, xs)];
  },
  min: (...xs) => {
    const y = -largest(xs.map((x) => -x));
    return [y, ...sharesOfExtreme(y, xs)];
  },
};
