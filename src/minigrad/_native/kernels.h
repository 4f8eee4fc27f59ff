/* The op table in C.  Written by emitter.py from ops.py: do not edit, run
   python -m minigrad._native.emitter */

#ifndef MINIGRAD_KERNELS_H
#define MINIGRAD_KERNELS_H

#include "ieee.h"

#define INVERTED 1  /* local[0] is the number that the upstream gradient is divided by */
#define SELECTIVE 2 /* a local that is_silent() sends no message */

enum opcode {
    OP_none = 0,
    OP_add,
    OP_sub,
    OP_mul,
    OP_div,
    OP_pow,
    OP_neg,
    OP_abs,
    OP_sign,
    OP_square,
    OP_reciprocal,
    OP_exp,
    OP_exp2,
    OP_expm1,
    OP_log,
    OP_log2,
    OP_log10,
    OP_log1p,
    OP_sqrt,
    OP_cbrt,
    OP_sin,
    OP_cos,
    OP_tan,
    OP_arcsin,
    OP_arccos,
    OP_arctan,
    OP_arctan2,
    OP_hypot,
    OP_sinh,
    OP_cosh,
    OP_tanh,
    OP_arcsinh,
    OP_arccosh,
    OP_arctanh,
    OP_sigmoid,
    OP_softplus,
    OP_relu,
    OP_leaky_relu,
    OP_elu,
    OP_gelu,
    OP_silu,
    OP_erf,
    OP_maximum,
    OP_minimum,
    OP_clamp,
    OP_where,
    OP_greater,
    OP_greater_equal,
    OP_less,
    OP_less_equal,
    OP_sum,
    OP_mean,
    OP_prod,
    OP_dot,
    OP_logsumexp,
    OP_max,
    OP_min,
    OP_COUNT
};

/* ---- the rows, by their number of arguments -------------------------------------------------
   X(name, symbol, flags, fewest arguments, default of the last argument, the other
   arguments of the method, docstring) */

#define UNARY_OPS(X) \
    X(neg, "neg", 0, 1, 0.0, "", "-a: the sign of the upstream gradient flips.") \
    X(abs, "abs", 0, 1, 0.0, "", "abs(a): upstream times the sign of a; 0 at a = 0.") \
    X(sign, "sign", 0, 1, 0.0, "", "sign(a): a step is flat: its local derivative is 0.") \
    X(square, "square", 0, 1, 0.0, "", "square(a): upstream times 2 * a.") \
    X(reciprocal, "reciprocal", 0, 1, 0.0, "", "reciprocal(a): upstream times -1 / a**2.") \
    X(exp, "exp", 0, 1, 0.0, "", "exp(a): upstream times the output: exp is its own derivative.") \
    X(exp2, "exp2", 0, 1, 0.0, "", "exp2(a): upstream times the output times log(2).") \
    X(expm1, "expm1", 0, 1, 0.0, "", "expm1(a): upstream times exp(a).") \
    X(log, "log", 0, 1, 0.0, "", "log(a): upstream / a.") \
    X(log2, "log2", 0, 1, 0.0, "", "log2(a): upstream / (a * log(2)).") \
    X(log10, "log10", 0, 1, 0.0, "", "log10(a): upstream / (a * log(10)).") \
    X(log1p, "log1p", 0, 1, 0.0, "", "log1p(a): upstream / (1 + a).") \
    X(sqrt, "sqrt", 0, 1, 0.0, "", "sqrt(a): upstream / (2 * the output).") \
    X(cbrt, "cbrt", 0, 1, 0.0, "", "cbrt(a): upstream / (3 * the output squared).") \
    X(sin, "sin", 0, 1, 0.0, "", "sin(a): upstream times cos(a).") \
    X(cos, "cos", 0, 1, 0.0, "", "cos(a): upstream times -sin(a).") \
    X(tan, "tan", 0, 1, 0.0, "", "tan(a): upstream times 1 + the output squared.") \
    X(arcsin, "arcsin", 0, 1, 0.0, "", "arcsin(a): upstream / sqrt(1 - a**2).") \
    X(arccos, "arccos", 0, 1, 0.0, "", "arccos(a): upstream / -sqrt(1 - a**2).") \
    X(arctan, "arctan", 0, 1, 0.0, "", "arctan(a): upstream / (1 + a**2).") \
    X(sinh, "sinh", 0, 1, 0.0, "", "sinh(a): upstream times cosh(a).") \
    X(cosh, "cosh", 0, 1, 0.0, "", "cosh(a): upstream times sinh(a).") \
    X(tanh, "tanh", 0, 1, 0.0, "", "tanh(a): upstream times 1 - the output squared (computed as 1 / cosh(a)**2).") \
    X(arcsinh, "arcsinh", 0, 1, 0.0, "", "arcsinh(a): upstream / sqrt(1 + a**2).") \
    X(arccosh, "arccosh", 0, 1, 0.0, "", "arccosh(a): upstream / sqrt(a**2 - 1).") \
    X(arctanh, "arctanh", 0, 1, 0.0, "", "arctanh(a): upstream / (1 - a**2).") \
    X(sigmoid, "sigmoid", 0, 1, 0.0, "", "sigmoid(a): upstream times sigmoid(a) * sigmoid(-a).") \
    X(softplus, "softplus", 0, 1, 0.0, "", "softplus(a): upstream times sigmoid(a).") \
    X(relu, "relu", 0, 1, 0.0, "", "relu(a): the upstream gradient passes where a > 0 and stops elsewhere.") \
    X(gelu, "gelu", 0, 1, 0.0, "", "gelu(a): upstream times Phi(a) + a * phi(a), the normal distribution and its density.") \
    X(silu, "silu", 0, 1, 0.0, "", "silu(a): upstream times sigmoid(a) * (1 + a * sigmoid(-a)).") \
    X(erf, "erf", 0, 1, 0.0, "", "erf(a): upstream times 2 / sqrt(pi) * exp(-a**2).")

#define BINARY_OPS(X) \
    X(add, "+", 0, 2, 0.0, ", b", "a + b: a sum hands the upstream gradient on to both terms, unchanged.") \
    X(sub, "-", 0, 2, 0.0, ", b", "a - b: a difference hands the upstream gradient to the first term and its negative to the second.") \
    X(mul, "*", 0, 2, 0.0, ", b", "a * b: each factor gets the upstream gradient times the other factor.") \
    X(div, "/", INVERTED, 2, 0.0, ", b", "a / b: the numerator gets upstream / b; the denominator gets upstream times -(a / b) / b.") \
    X(pow, "**", 0, 2, 0.0, ", b", "a ** b: the base gets upstream times b * a**(b-1); the exponent gets upstream times a**b * log(a).") \
    X(arctan2, "arctan2", 0, 2, 0.0, ", b", "arctan2(a, b): upstream times b / (a**2 + b**2) and -a / (a**2 + b**2).") \
    X(hypot, "hypot", 0, 2, 0.0, ", b", "hypot(a, b): upstream times each side over the hypotenuse.") \
    X(leaky_relu, "leaky_relu", 0, 1, 0x1.47ae147ae147bp-7 /* 0.01 */, ", b=0.01", "leaky_relu(a, b): the upstream gradient passes where a > 0 and is multiplied by b elsewhere.") \
    X(elu, "elu", 0, 1, 1.0, ", b=1.0", "elu(a, b): the upstream gradient passes where a > 0 and is multiplied by b * exp(a) elsewhere.") \
    X(maximum, "maximum", 0, 2, 0.0, ", b", "maximum(a, b): the larger argument gets the upstream gradient; a tie is halved.") \
    X(minimum, "minimum", 0, 2, 0.0, ", b", "minimum(a, b): the smaller argument gets the upstream gradient; a tie is halved.") \
    X(greater, ">", 0, 2, 0.0, ", b", "a > b: a condition is flat: its local derivative is 0.") \
    X(greater_equal, ">=", 0, 2, 0.0, ", b", "a >= b: a condition is flat: its local derivative is 0.") \
    X(less, "<", 0, 2, 0.0, ", b", "a < b: a condition is flat: its local derivative is 0.") \
    X(less_equal, "<=", 0, 2, 0.0, ", b", "a <= b: a condition is flat: its local derivative is 0.")

#define TERNARY_OPS(X) \
    X(clamp, "clamp", 0, 3, 0.0, ", b, c", "clamp(a, b, c): the upstream gradient passes between the bounds, ends included, and goes to the bound outside.") \
    X(where, "where", SELECTIVE, 3, 0.0, ", b, c", "where(a, b, c): only the branch that was taken gets the upstream gradient.")

#define NARY_OPS(X) \
    X(sum, "sum", 0, 1, 0.0, "", "sum(xs): every term gets the upstream gradient, unchanged.") \
    X(mean, "mean", 0, 1, 0.0, "", "mean(xs): every term gets the upstream gradient / n.") \
    X(prod, "prod", 0, 1, 0.0, "", "prod(xs): every factor gets the upstream gradient times the product of the others.") \
    X(dot, "dot", 0, 2, 0.0, "", "dot(xs): each number gets the upstream gradient times its partner in the other half.") \
    X(logsumexp, "logsumexp", 0, 1, 0.0, "", "logsumexp(xs): each term gets the upstream gradient times its softmax share.") \
    X(max, "max", 0, 1, 0.0, "", "max(xs): the largest gets the upstream gradient; equal ones share it.") \
    X(min, "min", 0, 1, 0.0, "", "min(xs): the smallest gets the upstream gradient; equal ones share it.")

/* ---- the kernels: each returns the value and writes one local derivative per slot ----------- */

MAYBE_UNUSED static inline double op_add(double x0, double x1, double *local) {
    const double t0 = x0 + x1;
    local[0] = 1.0;
    local[1] = 1.0;
    return t0;
}

MAYBE_UNUSED static inline double op_sub(double x0, double x1, double *local) {
    const double t0 = x0 - x1;
    local[0] = 1.0;
    local[1] = -1.0;
    return t0;
}

MAYBE_UNUSED static inline double op_mul(double x0, double x1, double *local) {
    const double t0 = x0 * x1;
    local[0] = x1;
    local[1] = x0;
    return t0;
}

MAYBE_UNUSED static inline double op_div(double x0, double x1, double *local) {
    const double t0 = x0 / x1;
    const double t1 = t0 / x1;
    const double t2 = -t1;
    local[0] = x1;
    local[1] = t2;
    return t0;
}

MAYBE_UNUSED static inline double op_pow(double x0, double x1, double *local) {
    const double t0 = ieee_pow(x0, x1);
    const double t1 = fabs(x0);
    const double t2 = 0.5 * x1;
    const double t3 = ieee_pow(t1, t2);
    const double t4 = log(x0);
    const double t5 = fabs(t0);
    const int c6 = t5 > 0x1.8f2b061aea072p-964 /* 1e-290 */ && t5 < INFINITY;
    const int c7 = c6 || x0 == 0.0;
    const int c8 = c7 || t1 == INFINITY;
    const double t9 = t0 * t4;
    const double t10 = t3 * t4;
    const double t11 = t3 * t10;
    const double t12 = c8 ? t9 : t11;
    const double t13 = x1 - 1.0;
    const double t14 = ieee_pow(x0, t13);
    const double t15 = x1 * t14;
    const double t16 = t13 + 1.0;
    const double t17 = x1 - t13;
    const int c18 = t16 == x1 && t17 == 1.0;
    const double t19 = fabs(t15);
    const int c20 = t19 > 0x1.8f2b061aea072p-964 /* 1e-290 */ && t19 < INFINITY;
    const int c21 = c18 && c20;
    const int c22 = c21 || x0 == 0.0;
    const int c23 = c22 || t1 == INFINITY;
    const double t24 = fabs(x1);
    const int c25 = c23 || t24 == INFINITY;
    const double t26 = ieee_sign(x0);
    const double t27 = ieee_pow(t26, x1);
    const double t28 = t27 * x1;
    const double t29 = t28 * t3;
    const double t30 = t29 / x0;
    const double t31 = t30 * t3;
    const double t32 = c25 ? t15 : t31;
    const double t33 = t1 > 0.0 ? t32 : 0.0;
    const double t34 = x1 == 0.0 ? t33 : t32;
    const int c35 = x0 == 0.0 && x1 >= 0.0;
    const double t36 = c35 ? 0.0 : t12;
    local[0] = t34;
    local[1] = t36;
    return t0;
}

MAYBE_UNUSED static inline double op_neg(double x0, double *local) {
    const double t0 = -x0;
    local[0] = -1.0;
    return t0;
}

MAYBE_UNUSED static inline double op_abs(double x0, double *local) {
    const double t0 = fabs(x0);
    const double t1 = ieee_sign(x0);
    local[0] = t1;
    return t0;
}

MAYBE_UNUSED static inline double op_sign(double x0, double *local) {
    const double t0 = ieee_sign(x0);
    const double t1 = x0 == x0 ? 0.0 : NAN;
    local[0] = t1;
    return t0;
}

MAYBE_UNUSED static inline double op_square(double x0, double *local) {
    const double t0 = x0 * x0;
    const double t1 = 2.0 * x0;
    local[0] = t1;
    return t0;
}

MAYBE_UNUSED static inline double op_reciprocal(double x0, double *local) {
    const double t0 = 1.0 / x0;
    const double t1 = -t0;
    const double t2 = t1 * t0;
    local[0] = t2;
    return t0;
}

MAYBE_UNUSED static inline double op_exp(double x0, double *local) {
    const double t0 = exp(x0);
    local[0] = t0;
    return t0;
}

MAYBE_UNUSED static inline double op_exp2(double x0, double *local) {
    const double t0 = exp2(x0);
    const double t1 = t0 * 0x1.62e42fefa39efp-1 /* 0.6931471805599453 */;
    const double t2 = x0 - 1.0;
    const double t3 = exp2(t2);
    const double t4 = t3 * 0x1.62e42fefa39efp+0 /* 1.3862943611198906 */;
    const double t5 = x0 < 1024.0 ? t1 : t4;
    local[0] = t5;
    return t0;
}

MAYBE_UNUSED static inline double op_expm1(double x0, double *local) {
    const double t0 = expm1(x0);
    const double t1 = exp(x0);
    local[0] = t1;
    return t0;
}

MAYBE_UNUSED static inline double op_log(double x0, double *local) {
    const double t0 = log(x0);
    const double t1 = 1.0 / x0;
    const double t2 = x0 >= 0.0 ? t1 : NAN;
    local[0] = t2;
    return t0;
}

MAYBE_UNUSED static inline double op_log2(double x0, double *local) {
    const double t0 = log2(x0);
    const double t1 = 0x1.71547652b82fep+0 /* 1.4426950408889634 */ / x0;
    const double t2 = x0 >= 0.0 ? t1 : NAN;
    local[0] = t2;
    return t0;
}

MAYBE_UNUSED static inline double op_log10(double x0, double *local) {
    const double t0 = log10(x0);
    const double t1 = 0x1.bcb7b1526e50ep-2 /* 0.4342944819032518 */ / x0;
    const double t2 = x0 >= 0.0 ? t1 : NAN;
    local[0] = t2;
    return t0;
}

MAYBE_UNUSED static inline double op_log1p(double x0, double *local) {
    const double t0 = log1p(x0);
    const double t1 = 1.0 + x0;
    const double t2 = 1.0 / t1;
    const double t3 = x0 >= -1.0 ? t2 : NAN;
    local[0] = t3;
    return t0;
}

MAYBE_UNUSED static inline double op_sqrt(double x0, double *local) {
    const double t0 = sqrt(x0);
    const double t1 = 0.5 / t0;
    local[0] = t1;
    return t0;
}

MAYBE_UNUSED static inline double op_cbrt(double x0, double *local) {
    const double t0 = ieee_cbrt(x0);
    const double t1 = 0x1.5555555555555p-2 /* 0.3333333333333333 */ / t0;
    const double t2 = t1 / t0;
    local[0] = t2;
    return t0;
}

MAYBE_UNUSED static inline double op_sin(double x0, double *local) {
    const double t0 = sin(x0);
    const double t1 = cos(x0);
    local[0] = t1;
    return t0;
}

MAYBE_UNUSED static inline double op_cos(double x0, double *local) {
    const double t0 = cos(x0);
    const double t1 = sin(x0);
    const double t2 = -t1;
    local[0] = t2;
    return t0;
}

MAYBE_UNUSED static inline double op_tan(double x0, double *local) {
    const double t0 = tan(x0);
    const double t1 = t0 * t0;
    const double t2 = 1.0 + t1;
    local[0] = t2;
    return t0;
}

MAYBE_UNUSED static inline double op_arcsin(double x0, double *local) {
    const double t0 = asin(x0);
    const double t1 = 1.0 - x0;
    const double t2 = 1.0 + x0;
    const double t3 = t1 * t2;
    const double t4 = sqrt(t3);
    const double t5 = 1.0 / t4;
    local[0] = t5;
    return t0;
}

MAYBE_UNUSED static inline double op_arccos(double x0, double *local) {
    const double t0 = acos(x0);
    const double t1 = 1.0 - x0;
    const double t2 = 1.0 + x0;
    const double t3 = t1 * t2;
    const double t4 = sqrt(t3);
    const double t5 = -1.0 / t4;
    local[0] = t5;
    return t0;
}

MAYBE_UNUSED static inline double op_arctan(double x0, double *local) {
    const double t0 = atan(x0);
    const double t1 = 1.0 / x0;
    const double t2 = fabs(x0);
    const double t3 = x0 + t1;
    const double t4 = t1 / t3;
    const double t5 = x0 * x0;
    const double t6 = 1.0 + t5;
    const double t7 = 1.0 / t6;
    const double t8 = t2 > 1.0 ? t4 : t7;
    local[0] = t8;
    return t0;
}

MAYBE_UNUSED static inline double op_arctan2(double x0, double x1, double *local) {
    const double t0 = atan2(x0, x1);
    const double t1 = hypot(x1, x0);
    const double t2 = t1 > 0x1.0cb70d24b7379p+465 /* 1e+140 */ ? 0x1.0000000000000p-600 /* 2.409919865102884e-181 */ : 1.0;
    const double t3 = t1 < 0x1.e7c5f127bd87ep-466 /* 1e-140 */ ? 0x1.0000000000000p+600 /* 4.149515568880993e+180 */ : t2;
    const double t4 = t3 * x1;
    const double t5 = t3 * x0;
    const double t6 = t4 * t4;
    const double t7 = t5 * t5;
    const double t8 = t6 + t7;
    const double t9 = t4 / t8;
    const double t10 = t3 * t9;
    const double t11 = t1 == 0.0 ? x1 : t10;
    const double t12 = -x0;
    const double t13 = -t3;
    const double t14 = t5 / t8;
    const double t15 = t13 * t14;
    const double t16 = t1 == 0.0 ? t12 : t15;
    local[0] = t11;
    local[1] = t16;
    return t0;
}

MAYBE_UNUSED static inline double op_hypot(double x0, double x1, double *local) {
    const double t0 = hypot(x0, x1);
    const double t1 = t0 > 0x1.0000000000000p+1020 /* 1.1235582092889474e+307 */ ? 0.25 : 1.0;
    const double t2 = t0 < 0x1.0000000000000p-960 /* 1.0261342003245941e-289 */ ? 0x1.0000000000000p+600 /* 4.149515568880993e+180 */ : t1;
    const double t3 = t2 * x0;
    const double t4 = t2 * x1;
    const double t5 = hypot(t3, t4);
    const double t6 = t3 / t5;
    const double t7 = t4 / t5;
    local[0] = t6;
    local[1] = t7;
    return t0;
}

MAYBE_UNUSED static inline double op_sinh(double x0, double *local) {
    const double t0 = sinh(x0);
    const double t1 = cosh(x0);
    local[0] = t1;
    return t0;
}

MAYBE_UNUSED static inline double op_cosh(double x0, double *local) {
    const double t0 = cosh(x0);
    const double t1 = sinh(x0);
    local[0] = t1;
    return t0;
}

MAYBE_UNUSED static inline double op_tanh(double x0, double *local) {
    const double t0 = tanh(x0);
    const double t1 = -x0;
    const double t2 = x0 >= 0.0 ? x0 : t1;
    const double t3 = -2.0 * t2;
    const double t4 = exp(t3);
    const double t5 = 4.0 * t4;
    const double t6 = 2.0 + t4;
    const double t7 = t4 * t6;
    const double t8 = 1.0 + t7;
    const double t9 = t5 / t8;
    local[0] = t9;
    return t0;
}

MAYBE_UNUSED static inline double op_arcsinh(double x0, double *local) {
    const double t0 = asinh(x0);
    const double t1 = hypot(1.0, x0);
    const double t2 = 1.0 / t1;
    local[0] = t2;
    return t0;
}

MAYBE_UNUSED static inline double op_arccosh(double x0, double *local) {
    const double t0 = acosh(x0);
    const double t1 = x0 - 1.0;
    const double t2 = sqrt(t1);
    const double t3 = x0 + 1.0;
    const double t4 = sqrt(t3);
    const double t5 = t2 * t4;
    const double t6 = 1.0 / t5;
    local[0] = t6;
    return t0;
}

MAYBE_UNUSED static inline double op_arctanh(double x0, double *local) {
    const double t0 = atanh(x0);
    const double t1 = fabs(x0);
    const double t2 = 1.0 - x0;
    const double t3 = 1.0 + x0;
    const double t4 = t2 * t3;
    const double t5 = 1.0 / t4;
    const double t6 = t1 <= 1.0 ? t5 : NAN;
    local[0] = t6;
    return t0;
}

MAYBE_UNUSED static inline double op_sigmoid(double x0, double *local) {
    const double t0 = -x0;
    const double t1 = x0 >= 0.0 ? x0 : t0;
    const double t2 = -t1;
    const double t3 = exp(t2);
    const double t4 = 1.0 + t3;
    const double t5 = t3 / t4;
    const double t6 = 1.0 - t5;
    const double t7 = t3 * t5;
    const double t8 = t3 - t7;
    const double t9 = x0 >= 0.0 ? t6 : t8;
    const double t10 = 2.0 + t3;
    const double t11 = t3 * t10;
    const double t12 = 1.0 + t11;
    const double t13 = t3 / t12;
    local[0] = t13;
    return t9;
}

MAYBE_UNUSED static inline double op_softplus(double x0, double *local) {
    const double t0 = x0 >= 0.0 ? x0 : 0.0;
    const double t1 = -x0;
    const double t2 = x0 >= 0.0 ? x0 : t1;
    const double t3 = -t2;
    const double t4 = exp(t3);
    const double t5 = log1p(t4);
    const double t6 = t0 + t5;
    const double t7 = 1.0 + t4;
    const double t8 = t4 / t7;
    const double t9 = 1.0 - t8;
    const double t10 = t4 * t8;
    const double t11 = t4 - t10;
    const double t12 = x0 >= 0.0 ? t9 : t11;
    local[0] = t12;
    return t6;
}

MAYBE_UNUSED static inline double op_relu(double x0, double *local) {
    const double t0 = x0 <= 0.0 ? 0.0 : x0;
    const double t1 = x0 <= 0.0 ? 0.0 : NAN;
    const double t2 = x0 > 0.0 ? 1.0 : t1;
    local[0] = t2;
    return t0;
}

MAYBE_UNUSED static inline double op_leaky_relu(double x0, double x1, double *local) {
    const double t0 = x1 * x0;
    const double t1 = x0 > 0.0 ? x0 : t0;
    const double t2 = x0 <= 0.0 ? x1 : NAN;
    const double t3 = x0 > 0.0 ? 1.0 : t2;
    const double t4 = x0 > 0.0 ? 0.0 : x0;
    local[0] = t3;
    local[1] = t4;
    return t1;
}

MAYBE_UNUSED static inline double op_elu(double x0, double x1, double *local) {
    const double t0 = expm1(x0);
    const double t1 = x1 * t0;
    const double t2 = x0 > 0.0 ? x0 : t1;
    const double t3 = exp(x0);
    const double t4 = x1 * t3;
    const double t5 = x0 > 0.0 ? 1.0 : t4;
    const double t6 = x0 > 0.0 ? 0.0 : t0;
    local[0] = t5;
    local[1] = t6;
    return t2;
}

MAYBE_UNUSED static inline double op_gelu(double x0, double *local) {
    const double t0 = ieee_normal_cdf(x0);
    const double t1 = x0 * t0;
    const double t2 = x0 < -40.0 ? -0.0 : t1;
    const double t3 = ieee_exp_square(x0, -0.5);
    const double t4 = 0x1.9884533d43651p-2 /* 0.3989422804014327 */ * t3;
    const double t5 = x0 * t4;
    const double t6 = t0 + t5;
    const double t7 = x0 < -40.0 ? 0.0 : t6;
    const double t8 = x0 > 40.0 ? 1.0 : t7;
    local[0] = t8;
    return t2;
}

MAYBE_UNUSED static inline double op_silu(double x0, double *local) {
    const double t0 = -x0;
    const double t1 = x0 >= 0.0 ? x0 : t0;
    const double t2 = -t1;
    const double t3 = exp(t2);
    const double t4 = 1.0 + t3;
    const double t5 = t3 / t4;
    const double t6 = 1.0 - t5;
    const double t7 = t3 * t5;
    const double t8 = t3 - t7;
    const double t9 = x0 >= 0.0 ? t6 : t8;
    const double t10 = x0 * t9;
    const double t11 = x0 < -800.0 ? -0.0 : t10;
    const double t12 = x0 >= 0.0 ? 1.0 : t3;
    const double t13 = x0 >= 0.0 ? t3 : 1.0;
    const double t14 = x0 * t13;
    const double t15 = t4 + t14;
    const double t16 = t12 * t15;
    const double t17 = 2.0 + t3;
    const double t18 = t3 * t17;
    const double t19 = 1.0 + t18;
    const double t20 = t16 / t19;
    const double t21 = x0 < -800.0 ? -0.0 : t20;
    const double t22 = x0 > 800.0 ? 1.0 : t21;
    local[0] = t22;
    return t11;
}

MAYBE_UNUSED static inline double op_erf(double x0, double *local) {
    const double t0 = erf(x0);
    const double t1 = ieee_exp_square(x0, -1.0);
    const double t2 = 0x1.20dd750429b6dp+0 /* 1.1283791670955126 */ * t1;
    local[0] = t2;
    return t0;
}

MAYBE_UNUSED static inline double op_maximum(double x0, double x1, double *local) {
    const double t0 = x0 <= x1 ? x1 : NAN;
    const double t1 = x0 > x1 ? x0 : t0;
    const double t2 = x0 == x1 ? 0.5 : NAN;
    const double t3 = x0 < x1 ? 0.0 : t2;
    const double t4 = x0 > x1 ? 1.0 : t3;
    const double t5 = 1.0 - t4;
    local[0] = t4;
    local[1] = t5;
    return t1;
}

MAYBE_UNUSED static inline double op_minimum(double x0, double x1, double *local) {
    const double t0 = x0 >= x1 ? x1 : NAN;
    const double t1 = x0 < x1 ? x0 : t0;
    const double t2 = x0 == x1 ? 0.5 : NAN;
    const double t3 = x0 < x1 ? 0.0 : t2;
    const double t4 = x0 > x1 ? 1.0 : t3;
    const double t5 = 1.0 - t4;
    local[0] = t5;
    local[1] = t4;
    return t1;
}

MAYBE_UNUSED static inline double op_clamp(double x0, double x1, double x2, double *local) {
    const double t0 = x0 >= x1 ? x0 : NAN;
    const double t1 = x0 < x1 ? x1 : t0;
    const double t2 = t1 <= x2 ? t1 : NAN;
    const double t3 = t1 > x2 ? x2 : t2;
    const double t4 = t3 == t3 ? 0.0 : NAN;
    const int c5 = x0 >= x1 && x0 <= x2;
    const double t6 = c5 ? 1.0 : t4;
    const int c7 = x0 < x1 && x1 < x2;
    const double t8 = c7 ? 1.0 : t4;
    const int c9 = x0 > x2 || x1 > x2;
    const double t10 = c9 ? 1.0 : t4;
    local[0] = t6;
    local[1] = t8;
    local[2] = t10;
    return t3;
}

MAYBE_UNUSED static inline double op_where(double x0, double x1, double x2, double *local) {
    const double t0 = x0 == 0.0 ? x2 : x1;
    const double t1 = x0 == 0.0 ? silent() : 1.0;
    const double t2 = x0 == 0.0 ? 1.0 : silent();
    local[0] = silent();
    local[1] = t1;
    local[2] = t2;
    return t0;
}

MAYBE_UNUSED static inline double op_greater(double x0, double x1, double *local) {
    const double t0 = x0 > x1 ? 1.0 : 0.0;
    local[0] = 0.0;
    local[1] = 0.0;
    return t0;
}

MAYBE_UNUSED static inline double op_greater_equal(double x0, double x1, double *local) {
    const double t0 = x0 >= x1 ? 1.0 : 0.0;
    local[0] = 0.0;
    local[1] = 0.0;
    return t0;
}

MAYBE_UNUSED static inline double op_less(double x0, double x1, double *local) {
    const double t0 = x0 < x1 ? 1.0 : 0.0;
    local[0] = 0.0;
    local[1] = 0.0;
    return t0;
}

MAYBE_UNUSED static inline double op_less_equal(double x0, double x1, double *local) {
    const double t0 = x0 <= x1 ? 1.0 : 0.0;
    local[0] = 0.0;
    local[1] = 0.0;
    return t0;
}

MAYBE_UNUSED static inline double power_slope(double x, double p) {
    const double t0 = fabs(x);
    const double t1 = 0.5 * p;
    const double t2 = ieee_pow(t0, t1);
    const double t3 = p - 1.0;
    const double t4 = ieee_pow(x, t3);
    const double t5 = p * t4;
    const double t6 = t3 + 1.0;
    const double t7 = p - t3;
    const int c8 = t6 == p && t7 == 1.0;
    const double t9 = fabs(t5);
    const int c10 = t9 > 0x1.8f2b061aea072p-964 /* 1e-290 */ && t9 < INFINITY;
    const int c11 = c8 && c10;
    const int c12 = c11 || x == 0.0;
    const int c13 = c12 || t0 == INFINITY;
    const double t14 = fabs(p);
    const int c15 = c13 || t14 == INFINITY;
    const double t16 = ieee_sign(x);
    const double t17 = ieee_pow(t16, p);
    const double t18 = t17 * p;
    const double t19 = t18 * t2;
    const double t20 = t19 / x;
    const double t21 = t20 * t2;
    const double t22 = c15 ? t5 : t21;
    const double t23 = t0 > 0.0 ? t22 : 0.0;
    const double t24 = p == 0.0 ? t23 : t22;
    return t24;
}

#endif
