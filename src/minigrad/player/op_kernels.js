"use strict";
// The op table in JavaScript.  Written by kernel_emitter.py from ops.py: do not edit, run
// python -m minigrad.player.kernel_emitter

/** @typedef {number | null | {divisor: number}} LocalNumber a slot that is null sends no message */

/** @type {Record<string, (...xs: number[]) => LocalNumber[]>} */
const OP_KERNELS = {
  ...LIST_KERNELS,
  add: (x0, x1) => {
    const t0 = x0 + x1;
    return [t0, 1, 1];
  },
  sub: (x0, x1) => {
    const t0 = x0 - x1;
    return [t0, 1, -1];
  },
  mul: (x0, x1) => {
    const t0 = x0 * x1;
    return [t0, x1, x0];
  },
  div: (x0, x1) => {
    const t0 = x0 / x1;
    const t1 = t0 / x1;
    const t2 = -t1;
    return [t0, { divisor: x1 }, t2];
  },
  pow: (x0, x1) => {
    const t0 = power(x0, x1);
    const t1 = Math.abs(x0);
    const t2 = 0.5 * x1;
    const t3 = power(t1, t2);
    const t4 = Math.log(x0);
    const t5 = Math.abs(t0);
    const c6 = t5 > 1e-290 && t5 < Infinity;
    const c7 = c6 || x0 === 0;
    const c8 = c7 || t1 === Infinity;
    const t9 = t0 * t4;
    const t10 = t3 * t4;
    const t11 = t3 * t10;
    const t12 = c8 ? t9 : t11;
    const t13 = x1 - 1;
    const t14 = power(x0, t13);
    const t15 = x1 * t14;
    const t16 = t13 + 1;
    const t17 = x1 - t13;
    const c18 = t16 === x1 && t17 === 1;
    const t19 = Math.abs(t15);
    const c20 = t19 > 1e-290 && t19 < Infinity;
    const c21 = c18 && c20;
    const c22 = c21 || x0 === 0;
    const c23 = c22 || t1 === Infinity;
    const t24 = Math.abs(x1);
    const c25 = c23 || t24 === Infinity;
    const t26 = signOf(x0);
    const t27 = power(t26, x1);
    const t28 = t27 * x1;
    const t29 = t28 * t3;
    const t30 = t29 / x0;
    const t31 = t30 * t3;
    const t32 = c25 ? t15 : t31;
    const t33 = t1 > 0 ? t32 : 0;
    const t34 = x1 === 0 ? t33 : t32;
    const c35 = x0 === 0 && x1 >= 0;
    const t36 = c35 ? 0 : t12;
    return [t0, t34, t36];
  },
  neg: (x0) => {
    const t0 = -x0;
    return [t0, -1];
  },
  abs: (x0) => {
    const t0 = Math.abs(x0);
    const t1 = signOf(x0);
    return [t0, t1];
  },
  sign: (x0) => {
    const t0 = signOf(x0);
    const t1 = x0 === x0 ? 0 : NaN;
    return [t0, t1];
  },
  square: (x0) => {
    const t0 = x0 * x0;
    const t1 = 2 * x0;
    return [t0, t1];
  },
  reciprocal: (x0) => {
    const t0 = 1 / x0;
    const t1 = -t0;
    const t2 = t1 * t0;
    return [t0, t2];
  },
  exp: (x0) => {
    const t0 = Math.exp(x0);
    return [t0, t0];
  },
  exp2: (x0) => {
    const t0 = exp2(x0);
    const t1 = t0 * 0.6931471805599453;
    const t2 = x0 - 1;
    const t3 = exp2(t2);
    const t4 = t3 * 1.3862943611198906;
    const t5 = x0 < 1024 ? t1 : t4;
    return [t0, t5];
  },
  expm1: (x0) => {
    const t0 = Math.expm1(x0);
    const t1 = Math.exp(x0);
    return [t0, t1];
  },
  log: (x0) => {
    const t0 = Math.log(x0);
    const t1 = 1 / x0;
    const t2 = x0 >= 0 ? t1 : NaN;
    return [t0, t2];
  },
  log2: (x0) => {
    const t0 = Math.log2(x0);
    const t1 = 1.4426950408889634 / x0;
    const t2 = x0 >= 0 ? t1 : NaN;
    return [t0, t2];
  },
  log10: (x0) => {
    const t0 = Math.log10(x0);
    const t1 = 0.4342944819032518 / x0;
    const t2 = x0 >= 0 ? t1 : NaN;
    return [t0, t2];
  },
  log1p: (x0) => {
    const t0 = Math.log1p(x0);
    const t1 = 1 + x0;
    const t2 = 1 / t1;
    const t3 = x0 >= -1 ? t2 : NaN;
    return [t0, t3];
  },
  sqrt: (x0) => {
    const t0 = Math.sqrt(x0);
    const t1 = 0.5 / t0;
    return [t0, t1];
  },
  cbrt: (x0) => {
    const t0 = Math.cbrt(x0);
    const t1 = 0.3333333333333333 / t0;
    const t2 = t1 / t0;
    return [t0, t2];
  },
  sin: (x0) => {
    const t0 = Math.sin(x0);
    const t1 = Math.cos(x0);
    return [t0, t1];
  },
  cos: (x0) => {
    const t0 = Math.cos(x0);
    const t1 = Math.sin(x0);
    const t2 = -t1;
    return [t0, t2];
  },
  tan: (x0) => {
    const t0 = Math.tan(x0);
    const t1 = t0 * t0;
    const t2 = 1 + t1;
    return [t0, t2];
  },
  arcsin: (x0) => {
    const t0 = Math.asin(x0);
    const t1 = 1 - x0;
    const t2 = 1 + x0;
    const t3 = t1 * t2;
    const t4 = Math.sqrt(t3);
    const t5 = 1 / t4;
    return [t0, t5];
  },
  arccos: (x0) => {
    const t0 = Math.acos(x0);
    const t1 = 1 - x0;
    const t2 = 1 + x0;
    const t3 = t1 * t2;
    const t4 = Math.sqrt(t3);
    const t5 = -1 / t4;
    return [t0, t5];
  },
  arctan: (x0) => {
    const t0 = Math.atan(x0);
    const t1 = 1 / x0;
    const t2 = Math.abs(x0);
    const t3 = x0 + t1;
    const t4 = t1 / t3;
    const t5 = x0 * x0;
    const t6 = 1 + t5;
    const t7 = 1 / t6;
    const t8 = t2 > 1 ? t4 : t7;
    return [t0, t8];
  },
  arctan2: (x0, x1) => {
    const t0 = Math.atan2(x0, x1);
    const t1 = hypotenuse(x1, x0);
    const t2 = t1 > 1e+140 ? 2.409919865102884e-181 : 1;
    const t3 = t1 < 1e-140 ? 4.149515568880993e+180 : t2;
    const t4 = t3 * x1;
    const t5 = t3 * x0;
    const t6 = t4 * t4;
    const t7 = t5 * t5;
    const t8 = t6 + t7;
    const t9 = t4 / t8;
    const t10 = t3 * t9;
    const t11 = t1 === 0 ? x1 : t10;
    const t12 = -x0;
    const t13 = -t3;
    const t14 = t5 / t8;
    const t15 = t13 * t14;
    const t16 = t1 === 0 ? t12 : t15;
    return [t0, t11, t16];
  },
  hypot: (x0, x1) => {
    const t0 = hypotenuse(x0, x1);
    const t1 = t0 > 1.1235582092889474e+307 ? 0.25 : 1;
    const t2 = t0 < 1.0261342003245941e-289 ? 4.149515568880993e+180 : t1;
    const t3 = t2 * x0;
    const t4 = t2 * x1;
    const t5 = hypotenuse(t3, t4);
    const t6 = t3 / t5;
    const t7 = t4 / t5;
    return [t0, t6, t7];
  },
  sinh: (x0) => {
    const t0 = Math.sinh(x0);
    const t1 = Math.cosh(x0);
    return [t0, t1];
  },
  cosh: (x0) => {
    const t0 = Math.cosh(x0);
    const t1 = Math.sinh(x0);
    return [t0, t1];
  },
  tanh: (x0) => {
    const t0 = Math.tanh(x0);
    const t1 = -x0;
    const t2 = x0 >= 0 ? x0 : t1;
    const t3 = -2 * t2;
    const t4 = Math.exp(t3);
    const t5 = 4 * t4;
    const t6 = 2 + t4;
    const t7 = t4 * t6;
    const t8 = 1 + t7;
    const t9 = t5 / t8;
    return [t0, t9];
  },
  arcsinh: (x0) => {
    const t0 = Math.asinh(x0);
    const t1 = hypotenuse(1, x0);
    const t2 = 1 / t1;
    return [t0, t2];
  },
  arccosh: (x0) => {
    const t0 = Math.acosh(x0);
    const t1 = x0 - 1;
    const t2 = Math.sqrt(t1);
    const t3 = x0 + 1;
    const t4 = Math.sqrt(t3);
    const t5 = t2 * t4;
    const t6 = 1 / t5;
    return [t0, t6];
  },
  arctanh: (x0) => {
    const t0 = Math.atanh(x0);
    const t1 = Math.abs(x0);
    const t2 = 1 - x0;
    const t3 = 1 + x0;
    const t4 = t2 * t3;
    const t5 = 1 / t4;
    const t6 = t1 <= 1 ? t5 : NaN;
    return [t0, t6];
  },
  sigmoid: (x0) => {
    const t0 = -x0;
    const t1 = x0 >= 0 ? x0 : t0;
    const t2 = -t1;
    const t3 = Math.exp(t2);
    const t4 = 1 + t3;
    const t5 = t3 / t4;
    const t6 = 1 - t5;
    const t7 = t3 * t5;
    const t8 = t3 - t7;
    const t9 = x0 >= 0 ? t6 : t8;
    const t10 = 2 + t3;
    const t11 = t3 * t10;
    const t12 = 1 + t11;
    const t13 = t3 / t12;
    return [t9, t13];
  },
  softplus: (x0) => {
    const t0 = x0 >= 0 ? x0 : 0;
    const t1 = -x0;
    const t2 = x0 >= 0 ? x0 : t1;
    const t3 = -t2;
    const t4 = Math.exp(t3);
    const t5 = Math.log1p(t4);
    const t6 = t0 + t5;
    const t7 = 1 + t4;
    const t8 = t4 / t7;
    const t9 = 1 - t8;
    const t10 = t4 * t8;
    const t11 = t4 - t10;
    const t12 = x0 >= 0 ? t9 : t11;
    return [t6, t12];
  },
  relu: (x0) => {
    const t0 = x0 <= 0 ? 0 : x0;
    const t1 = x0 <= 0 ? 0 : NaN;
    const t2 = x0 > 0 ? 1 : t1;
    return [t0, t2];
  },
  leaky_relu: (x0, x1) => {
    const t0 = x1 * x0;
    const t1 = x0 > 0 ? x0 : t0;
    const t2 = x0 <= 0 ? x1 : NaN;
    const t3 = x0 > 0 ? 1 : t2;
    const t4 = x0 > 0 ? 0 : x0;
    return [t1, t3, t4];
  },
  elu: (x0, x1) => {
    const t0 = Math.expm1(x0);
    const t1 = x1 * t0;
    const t2 = x0 > 0 ? x0 : t1;
    const t3 = Math.exp(x0);
    const t4 = x1 * t3;
    const t5 = x0 > 0 ? 1 : t4;
    const t6 = x0 > 0 ? 0 : t0;
    return [t2, t5, t6];
  },
  gelu: (x0) => {
    const t0 = normalCdf(x0);
    const t1 = x0 * t0;
    const t2 = x0 < -40 ? -0 : t1;
    const t3 = expSquare(x0, -0.5);
    const t4 = 0.3989422804014327 * t3;
    const t5 = x0 * t4;
    const t6 = t0 + t5;
    const t7 = x0 < -40 ? 0 : t6;
    const t8 = x0 > 40 ? 1 : t7;
    return [t2, t8];
  },
  silu: (x0) => {
    const t0 = -x0;
    const t1 = x0 >= 0 ? x0 : t0;
    const t2 = -t1;
    const t3 = Math.exp(t2);
    const t4 = 1 + t3;
    const t5 = t3 / t4;
    const t6 = 1 - t5;
    const t7 = t3 * t5;
    const t8 = t3 - t7;
    const t9 = x0 >= 0 ? t6 : t8;
    const t10 = x0 * t9;
    const t11 = x0 < -800 ? -0 : t10;
    const t12 = x0 >= 0 ? 1 : t3;
    const t13 = x0 >= 0 ? t3 : 1;
    const t14 = x0 * t13;
    const t15 = t4 + t14;
    const t16 = t12 * t15;
    const t17 = 2 + t3;
    const t18 = t3 * t17;
    const t19 = 1 + t18;
    const t20 = t16 / t19;
    const t21 = x0 < -800 ? -0 : t20;
    const t22 = x0 > 800 ? 1 : t21;
    return [t11, t22];
  },
  erf: (x0) => {
    const t0 = erf(x0);
    const t1 = expSquare(x0, -1);
    const t2 = 1.1283791670955126 * t1;
    return [t0, t2];
  },
  maximum: (x0, x1) => {
    const t0 = x0 <= x1 ? x1 : NaN;
    const t1 = x0 > x1 ? x0 : t0;
    const t2 = x0 === x1 ? 0.5 : NaN;
    const t3 = x0 < x1 ? 0 : t2;
    const t4 = x0 > x1 ? 1 : t3;
    const t5 = 1 - t4;
    return [t1, t4, t5];
  },
  minimum: (x0, x1) => {
    const t0 = x0 >= x1 ? x1 : NaN;
    const t1 = x0 < x1 ? x0 : t0;
    const t2 = x0 === x1 ? 0.5 : NaN;
    const t3 = x0 < x1 ? 0 : t2;
    const t4 = x0 > x1 ? 1 : t3;
    const t5 = 1 - t4;
    return [t1, t5, t4];
  },
  clamp: (x0, x1, x2) => {
    const t0 = x0 >= x1 ? x0 : NaN;
    const t1 = x0 < x1 ? x1 : t0;
    const t2 = t1 <= x2 ? t1 : NaN;
    const t3 = t1 > x2 ? x2 : t2;
    const t4 = t3 === t3 ? 0 : NaN;
    const c5 = x0 >= x1 && x0 <= x2;
    const t6 = c5 ? 1 : t4;
    const c7 = x0 < x1 && x1 < x2;
    const t8 = c7 ? 1 : t4;
    const c9 = x0 > x2 || x1 > x2;
    const t10 = c9 ? 1 : t4;
    return [t3, t6, t8, t10];
  },
  where: (x0, x1, x2) => {
    const t0 = x0 === 0 ? x2 : x1;
    const t1 = x0 === 0 ? null : 1;
    const t2 = x0 === 0 ? 1 : null;
    return [t0, null, t1, t2];
  },
  greater: (x0, x1) => {
    const t0 = x0 > x1 ? 1 : 0;
    return [t0, 0, 0];
  },
  greater_equal: (x0, x1) => {
    const t0 = x0 >= x1 ? 1 : 0;
    return [t0, 0, 0];
  },
  less: (x0, x1) => {
    const t0 = x0 < x1 ? 1 : 0;
    return [t0, 0, 0];
  },
  less_equal: (x0, x1) => {
    const t0 = x0 <= x1 ? 1 : 0;
    return [t0, 0, 0];
  },
};

/**
 * How a person writes an op that has a sign of its own; all others are written as calls.
 * @type {Record<string, string>}
 */
const OP_TEXTS = {
  add: "{} + {}",
  sub: "{} - {}",
  mul: "{} * {}",
  div: "{} / {}",
  pow: "{} ** {}",
  neg: "-{}",
  greater: "{} > {}",
  greater_equal: "{} >= {}",
  less: "{} < {}",
  less_equal: "{} <= {}",
};
