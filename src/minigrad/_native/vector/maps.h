/* The op table as vector kernels.  Written by vector_emitter.py from ops.py: do not edit, run
   python -m minigrad._native.vector_emitter

   Without REAL there is only the list: X(name in C, name in a plan, how many operands).
   With REAL (double or float) and REAL_IS_FLOAT (0 or 1) come the kernels, and two tables of them:
   map_exact has the bits of the table over ieee.py, map_fast those of fast.h.  Of float there is only the
   latter.  loops.h says what a kernel promises. */

#ifndef MINIGRAD_MAP_LIST
#define MINIGRAD_MAP_LIST

#define MAP_LIST(X) \
    X(add, "add", 2) \
    X(add_0, "add'0", 3) \
    X(add_1, "add'1", 3) \
    X(sub, "sub", 2) \
    X(sub_0, "sub'0", 3) \
    X(sub_1, "sub'1", 3) \
    X(mul, "mul", 2) \
    X(mul_0, "mul'0", 3) \
    X(mul_1, "mul'1", 3) \
    X(div, "div", 2) \
    X(div_1, "div'1", 3) \
    X(pow, "pow", 2) \
    X(pow_0, "pow'0", 3) \
    X(pow_1, "pow'1", 3) \
    X(neg, "neg", 1) \
    X(neg_0, "neg'0", 2) \
    X(abs, "abs", 1) \
    X(abs_0, "abs'0", 2) \
    X(sign, "sign", 1) \
    X(sign_0, "sign'0", 2) \
    X(square, "square", 1) \
    X(square_0, "square'0", 2) \
    X(reciprocal, "reciprocal", 1) \
    X(reciprocal_0, "reciprocal'0", 2) \
    X(exp, "exp", 1) \
    X(exp_0, "exp'0", 2) \
    X(exp2, "exp2", 1) \
    X(exp2_0, "exp2'0", 2) \
    X(expm1, "expm1", 1) \
    X(expm1_0, "expm1'0", 2) \
    X(log, "log", 1) \
    X(log_0, "log'0", 2) \
    X(log2, "log2", 1) \
    X(log2_0, "log2'0", 2) \
    X(log10, "log10", 1) \
    X(log10_0, "log10'0", 2) \
    X(log1p, "log1p", 1) \
    X(log1p_0, "log1p'0", 2) \
    X(sqrt, "sqrt", 1) \
    X(sqrt_0, "sqrt'0", 2) \
    X(cbrt, "cbrt", 1) \
    X(cbrt_0, "cbrt'0", 2) \
    X(sin, "sin", 1) \
    X(sin_0, "sin'0", 2) \
    X(cos, "cos", 1) \
    X(cos_0, "cos'0", 2) \
    X(tan, "tan", 1) \
    X(tan_0, "tan'0", 2) \
    X(arcsin, "arcsin", 1) \
    X(arcsin_0, "arcsin'0", 2) \
    X(arccos, "arccos", 1) \
    X(arccos_0, "arccos'0", 2) \
    X(arctan, "arctan", 1) \
    X(arctan_0, "arctan'0", 2) \
    X(arctan2, "arctan2", 2) \
    X(arctan2_0, "arctan2'0", 3) \
    X(arctan2_1, "arctan2'1", 3) \
    X(hypot, "hypot", 2) \
    X(hypot_0, "hypot'0", 3) \
    X(hypot_1, "hypot'1", 3) \
    X(sinh, "sinh", 1) \
    X(sinh_0, "sinh'0", 2) \
    X(cosh, "cosh", 1) \
    X(cosh_0, "cosh'0", 2) \
    X(tanh, "tanh", 1) \
    X(tanh_0, "tanh'0", 2) \
    X(arcsinh, "arcsinh", 1) \
    X(arcsinh_0, "arcsinh'0", 2) \
    X(arccosh, "arccosh", 1) \
    X(arccosh_0, "arccosh'0", 2) \
    X(arctanh, "arctanh", 1) \
    X(arctanh_0, "arctanh'0", 2) \
    X(sigmoid, "sigmoid", 1) \
    X(sigmoid_0, "sigmoid'0", 2) \
    X(softplus, "softplus", 1) \
    X(softplus_0, "softplus'0", 2) \
    X(relu, "relu", 1) \
    X(relu_0, "relu'0", 2) \
    X(leaky_relu, "leaky_relu", 2) \
    X(leaky_relu_0, "leaky_relu'0", 3) \
    X(leaky_relu_1, "leaky_relu'1", 3) \
    X(elu, "elu", 2) \
    X(elu_0, "elu'0", 3) \
    X(elu_1, "elu'1", 3) \
    X(gelu, "gelu", 1) \
    X(gelu_0, "gelu'0", 2) \
    X(silu, "silu", 1) \
    X(silu_0, "silu'0", 2) \
    X(erf, "erf", 1) \
    X(erf_0, "erf'0", 2) \
    X(maximum, "maximum", 2) \
    X(maximum_0, "maximum'0", 3) \
    X(maximum_1, "maximum'1", 3) \
    X(minimum, "minimum", 2) \
    X(minimum_0, "minimum'0", 3) \
    X(minimum_1, "minimum'1", 3) \
    X(clamp, "clamp", 3) \
    X(clamp_0, "clamp'0", 4) \
    X(clamp_1, "clamp'1", 4) \
    X(clamp_2, "clamp'2", 4) \
    X(where, "where", 3) \
    X(greater, "greater", 2) \
    X(greater_0, "greater'0", 3) \
    X(greater_1, "greater'1", 3) \
    X(greater_equal, "greater_equal", 2) \
    X(greater_equal_0, "greater_equal'0", 3) \
    X(greater_equal_1, "greater_equal'1", 3) \
    X(less, "less", 2) \
    X(less_0, "less'0", 3) \
    X(less_1, "less'1", 3) \
    X(less_equal, "less_equal", 2) \
    X(less_equal_0, "less_equal'0", 3) \
    X(less_equal_1, "less_equal'1", 3) \
    X(equal, "equal", 2) \
    X(match, "match", 3) \
    X(gate, "gate", 2)

#define MAP_ID(name, kernel, operands) MAP_##name,
enum map { MAP_LIST(MAP_ID) MAP_COUNT };
#undef MAP_ID

#endif

#ifdef REAL

#include "loops.h"

MAYBE_UNUSED static inline REAL one_add(REAL v0, REAL v1)
{
    const REAL t0 = v0 + v1;
    return t0;
}
PLAIN_2(loop_add, one_add, 0, 1)

MAYBE_UNUSED static inline REAL one_add_0(void)
{
    return R(1.0);
}
PLAIN_0(loop_add_0, one_add_0)

MAYBE_UNUSED static inline REAL one_add_1(void)
{
    return R(1.0);
}
PLAIN_0(loop_add_1, one_add_1)

MAYBE_UNUSED static inline REAL one_sub(REAL v0, REAL v1)
{
    const REAL t0 = v0 - v1;
    return t0;
}
PLAIN_2(loop_sub, one_sub, 0, 1)

MAYBE_UNUSED static inline REAL one_sub_0(void)
{
    return R(1.0);
}
PLAIN_0(loop_sub_0, one_sub_0)

MAYBE_UNUSED static inline REAL one_sub_1(void)
{
    return R(-1.0);
}
PLAIN_0(loop_sub_1, one_sub_1)

MAYBE_UNUSED static inline REAL one_mul(REAL v0, REAL v1)
{
    const REAL t0 = v0 * v1;
    return t0;
}
PLAIN_2(loop_mul, one_mul, 0, 1)

MAYBE_UNUSED static inline REAL one_mul_0(REAL v2)
{
    return v2;
}
PLAIN_1(loop_mul_0, one_mul_0, 2)

MAYBE_UNUSED static inline REAL one_mul_1(REAL v1)
{
    return v1;
}
PLAIN_1(loop_mul_1, one_mul_1, 1)

MAYBE_UNUSED static inline REAL one_div(REAL v0, REAL v1)
{
    const REAL t0 = v0 / v1;
    return t0;
}
PLAIN_2(loop_div, one_div, 0, 1)

MAYBE_UNUSED static inline REAL one_div_1(REAL v0, REAL v2)
{
    const REAL t0 = v0 / v2;
    const REAL t1 = -t0;
    return t1;
}
PLAIN_2(loop_div_1, one_div_1, 0, 2)

MAYBE_UNUSED static inline double exact_pow(double v0, double v1)
{
    const double t0 = ieee_pow(v0, v1);
    return t0;
}

MAYBE_UNUSED static inline double exact_pow_0(double v1, double v2)
{
    const double t0 = fabs(v1);
    const double t1 = 0.5 * v2;
    const double t2 = ieee_pow(t0, t1);
    const double t12 = v2 - 1.0;
    const double t13 = ieee_pow(v1, t12);
    const double t14 = v2 * t13;
    const double t15 = t12 + 1.0;
    const double t16 = v2 - t12;
    const int c17 = (t15 == v2) & (t16 == 1.0);
    const double t18 = fabs(t14);
    const int c19 = (t18 > 0x1.8f2b061aea072p-964 /* 1e-290 */) & (t18 < INFINITY);
    const int c20 = c17 & c19;
    const int c21 = c20 | (v1 == 0.0);
    const int c22 = c21 | (t0 == INFINITY);
    const double t23 = fabs(v2);
    const int c24 = c22 | (t23 == INFINITY);
    const double t25 = ieee_sign(v1);
    const double t26 = ieee_pow(t25, v2);
    const double t27 = t26 * v2;
    const double t28 = t27 * t2;
    const double t29 = t28 / v1;
    const double t30 = t29 * t2;
    const double t31 = c24 ? t14 : t30;
    const double t32 = t0 > 0.0 ? t31 : 0.0;
    const double t33 = v2 == 0.0 ? t32 : t31;
    return t33;
}

MAYBE_UNUSED static inline double exact_pow_1(double v0, double v1, double v2)
{
    const double t0 = fabs(v1);
    const double t1 = 0.5 * v2;
    const double t2 = ieee_pow(t0, t1);
    const double t3 = log(v1);
    const double t4 = fabs(v0);
    const int c5 = (t4 > 0x1.8f2b061aea072p-964 /* 1e-290 */) & (t4 < INFINITY);
    const int c6 = c5 | (v1 == 0.0);
    const int c7 = c6 | (t0 == INFINITY);
    const double t8 = v0 * t3;
    const double t9 = t2 * t3;
    const double t10 = t2 * t9;
    const double t11 = c7 ? t8 : t10;
    const int c34 = (v1 == 0.0) & (v2 >= 0.0);
    const double t35 = c34 ? 0.0 : t11;
    return t35;
}

MAYBE_UNUSED static inline REAL one_neg(REAL v0)
{
    const REAL t0 = -v0;
    return t0;
}
PLAIN_1(loop_neg, one_neg, 0)

MAYBE_UNUSED static inline REAL one_neg_0(void)
{
    return R(-1.0);
}
PLAIN_0(loop_neg_0, one_neg_0)

MAYBE_UNUSED static inline REAL one_abs(REAL v0)
{
    const REAL t0 = REAL_ABS(v0);
    return t0;
}
PLAIN_1(loop_abs, one_abs, 0)

MAYBE_UNUSED static inline REAL one_abs_0(REAL v1)
{
    const REAL t0 = REAL_SIGN(v1);
    return t0;
}
PLAIN_1(loop_abs_0, one_abs_0, 1)

MAYBE_UNUSED static inline REAL one_sign(REAL v0)
{
    const REAL t0 = REAL_SIGN(v0);
    return t0;
}
PLAIN_1(loop_sign, one_sign, 0)

MAYBE_UNUSED static inline REAL one_sign_0(REAL v1)
{
    const REAL t0 = v1 == v1 ? R(0.0) : R(NAN);
    return t0;
}
PLAIN_1(loop_sign_0, one_sign_0, 1)

MAYBE_UNUSED static inline REAL one_square(REAL v0)
{
    const REAL t0 = v0 * v0;
    return t0;
}
PLAIN_1(loop_square, one_square, 0)

MAYBE_UNUSED static inline REAL one_square_0(REAL v1)
{
    const REAL t0 = R(2.0) * v1;
    return t0;
}
PLAIN_1(loop_square_0, one_square_0, 1)

MAYBE_UNUSED static inline REAL one_reciprocal(REAL v0)
{
    const REAL t0 = R(1.0) / v0;
    return t0;
}
PLAIN_1(loop_reciprocal, one_reciprocal, 0)

MAYBE_UNUSED static inline REAL one_reciprocal_0(REAL v0)
{
    const REAL t0 = -v0;
    const REAL t1 = t0 * v0;
    return t1;
}
PLAIN_1(loop_reciprocal_0, one_reciprocal_0, 0)

MAYBE_UNUSED static inline double exact_exp(double v0)
{
    const double t0 = exp(v0);
    return t0;
}
CALLING_1(exact_loop_exp, exact_exp, 0)
MAYBE_UNUSED static inline REAL fast_exp_one(REAL v0)
{
    const REAL t0 = REAL_FAST(exp)(v0);
    return t0;
}
MIDDLE_1(fast_loop_exp, REAL_FAST(exp_middle), fast_exp_one, EXP_LIMIT, 0)

MAYBE_UNUSED static inline REAL one_exp_0(REAL v0)
{
    return v0;
}
PLAIN_1(loop_exp_0, one_exp_0, 0)

MAYBE_UNUSED static inline double exact_exp2(double v0)
{
    const double t0 = exp2(v0);
    return t0;
}
CALLING_1(exact_loop_exp2, exact_exp2, 0)
MAYBE_UNUSED static inline double fast_exp2_one(double v0)
{
    const double t0 = fast_exp2(v0);
    return t0;
}
FAST_1(fast_loop_exp2, fast_exp2_one, 0)

MAYBE_UNUSED static inline double exact_exp2_0(double v0, double v1)
{
    const double t0 = v0 * 0x1.62e42fefa39efp-1 /* 0.6931471805599453 */;
    const double t1 = v1 - 1.0;
    const double t2 = exp2(t1);
    const double t3 = t2 * 0x1.62e42fefa39efp+0 /* 1.3862943611198906 */;
    const double t4 = v1 < 1024.0 ? t0 : t3;
    return t4;
}
CALLING_2(exact_loop_exp2_0, exact_exp2_0, 0, 1)
MAYBE_UNUSED static inline double fast_exp2_0_one(double v0, double v1)
{
    const double t0 = v0 * 0x1.62e42fefa39efp-1 /* 0.6931471805599453 */;
    const double t1 = v1 - 1.0;
    const double t2 = fast_exp2(t1);
    const double t3 = t2 * 0x1.62e42fefa39efp+0 /* 1.3862943611198906 */;
    const double t4 = v1 < 1024.0 ? t0 : t3;
    return t4;
}
FAST_2(fast_loop_exp2_0, fast_exp2_0_one, 0, 1)

MAYBE_UNUSED static inline double exact_expm1(double v0)
{
    const double t0 = expm1(v0);
    return t0;
}
CALLING_1(exact_loop_expm1, exact_expm1, 0)
MAYBE_UNUSED static inline REAL fast_expm1_one(REAL v0)
{
    const REAL t0 = REAL_FAST(expm1)(v0);
    return t0;
}
FAST_1(fast_loop_expm1, fast_expm1_one, 0)

MAYBE_UNUSED static inline double exact_expm1_0(double v1)
{
    const double t0 = exp(v1);
    return t0;
}
CALLING_1(exact_loop_expm1_0, exact_expm1_0, 1)
MAYBE_UNUSED static inline REAL fast_expm1_0_one(REAL v1)
{
    const REAL t0 = REAL_FAST(exp)(v1);
    return t0;
}
FAST_1(fast_loop_expm1_0, fast_expm1_0_one, 1)

MAYBE_UNUSED static inline double exact_log(double v0)
{
    const double t0 = log(v0);
    return t0;
}
CALLING_1(exact_loop_log, exact_log, 0)
MAYBE_UNUSED static inline REAL fast_log_one(REAL v0)
{
    const REAL t0 = REAL_FAST(log)(v0);
    return t0;
}
FAST_1(fast_loop_log, fast_log_one, 0)

MAYBE_UNUSED static inline REAL one_log_0(REAL v1)
{
    const REAL t0 = R(1.0) / v1;
    const REAL t1 = v1 >= R(0.0) ? t0 : R(NAN);
    return t1;
}
PLAIN_1(loop_log_0, one_log_0, 1)

MAYBE_UNUSED static inline double exact_log2(double v0)
{
    const double t0 = log2(v0);
    return t0;
}
CALLING_1(exact_loop_log2, exact_log2, 0)
MAYBE_UNUSED static inline double fast_log2_one(double v0)
{
    const double t0 = fast_log2(v0);
    return t0;
}
FAST_1(fast_loop_log2, fast_log2_one, 0)

MAYBE_UNUSED static inline REAL one_log2_0(REAL v1)
{
    const REAL t0 = R(0x1.71547652b82fep+0 /* 1.4426950408889634 */) / v1;
    const REAL t1 = v1 >= R(0.0) ? t0 : R(NAN);
    return t1;
}
PLAIN_1(loop_log2_0, one_log2_0, 1)

MAYBE_UNUSED static inline double exact_log10(double v0)
{
    const double t0 = log10(v0);
    return t0;
}
CALLING_1(exact_loop_log10, exact_log10, 0)
MAYBE_UNUSED static inline double fast_log10_one(double v0)
{
    const double t0 = fast_log10(v0);
    return t0;
}
FAST_1(fast_loop_log10, fast_log10_one, 0)

MAYBE_UNUSED static inline REAL one_log10_0(REAL v1)
{
    const REAL t0 = R(0x1.bcb7b1526e50ep-2 /* 0.4342944819032518 */) / v1;
    const REAL t1 = v1 >= R(0.0) ? t0 : R(NAN);
    return t1;
}
PLAIN_1(loop_log10_0, one_log10_0, 1)

MAYBE_UNUSED static inline double exact_log1p(double v0)
{
    const double t0 = log1p(v0);
    return t0;
}
CALLING_1(exact_loop_log1p, exact_log1p, 0)
MAYBE_UNUSED static inline REAL fast_log1p_one(REAL v0)
{
    const REAL t0 = REAL_FAST(log1p)(v0);
    return t0;
}
FAST_1(fast_loop_log1p, fast_log1p_one, 0)

MAYBE_UNUSED static inline REAL one_log1p_0(REAL v1)
{
    const REAL t0 = R(1.0) + v1;
    const REAL t1 = R(1.0) / t0;
    const REAL t2 = v1 >= R(-1.0) ? t1 : R(NAN);
    return t2;
}
PLAIN_1(loop_log1p_0, one_log1p_0, 1)

MAYBE_UNUSED static inline REAL one_sqrt(REAL v0)
{
    const REAL t0 = REAL_SQRT(v0);
    return t0;
}
PLAIN_1(loop_sqrt, one_sqrt, 0)

MAYBE_UNUSED static inline REAL one_sqrt_0(REAL v0)
{
    const REAL t0 = R(0.5) / v0;
    return t0;
}
PLAIN_1(loop_sqrt_0, one_sqrt_0, 0)

MAYBE_UNUSED static inline double exact_cbrt(double v0)
{
    const double t0 = ieee_cbrt(v0);
    return t0;
}
CALLING_1(exact_loop_cbrt, exact_cbrt, 0)

MAYBE_UNUSED static inline REAL one_cbrt_0(REAL v0)
{
    const REAL t0 = R(0x1.5555555555555p-2 /* 0.3333333333333333 */) / v0;
    const REAL t1 = t0 / v0;
    return t1;
}
PLAIN_1(loop_cbrt_0, one_cbrt_0, 0)

MAYBE_UNUSED static inline double exact_sin(double v0)
{
    const double t0 = sin(v0);
    return t0;
}
CALLING_1(exact_loop_sin, exact_sin, 0)
MAYBE_UNUSED static inline double fast_sin_one(double v0)
{
    const double t0 = fast_sin(v0);
    return t0;
}
NEAR_1(fast_loop_sin, fast_sin_one, exact_sin, R(FAST_TURN_LIMIT), 0)

MAYBE_UNUSED static inline double exact_sin_0(double v1)
{
    const double t0 = cos(v1);
    return t0;
}
CALLING_1(exact_loop_sin_0, exact_sin_0, 1)
MAYBE_UNUSED static inline double fast_sin_0_one(double v1)
{
    const double t0 = fast_cos(v1);
    return t0;
}
NEAR_1(fast_loop_sin_0, fast_sin_0_one, exact_sin_0, R(FAST_TURN_LIMIT), 1)

MAYBE_UNUSED static inline double exact_cos(double v0)
{
    const double t0 = cos(v0);
    return t0;
}
CALLING_1(exact_loop_cos, exact_cos, 0)
MAYBE_UNUSED static inline double fast_cos_one(double v0)
{
    const double t0 = fast_cos(v0);
    return t0;
}
NEAR_1(fast_loop_cos, fast_cos_one, exact_cos, R(FAST_TURN_LIMIT), 0)

MAYBE_UNUSED static inline double exact_cos_0(double v1)
{
    const double t0 = sin(v1);
    const double t1 = -t0;
    return t1;
}
CALLING_1(exact_loop_cos_0, exact_cos_0, 1)
MAYBE_UNUSED static inline double fast_cos_0_one(double v1)
{
    const double t0 = fast_sin(v1);
    const double t1 = -t0;
    return t1;
}
NEAR_1(fast_loop_cos_0, fast_cos_0_one, exact_cos_0, R(FAST_TURN_LIMIT), 1)

MAYBE_UNUSED static inline double exact_tan(double v0)
{
    const double t0 = tan(v0);
    return t0;
}
CALLING_1(exact_loop_tan, exact_tan, 0)
MAYBE_UNUSED static inline double fast_tan_one(double v0)
{
    const double t0 = fast_tan(v0);
    return t0;
}
NEAR_1(fast_loop_tan, fast_tan_one, exact_tan, R(FAST_TURN_LIMIT), 0)

MAYBE_UNUSED static inline REAL one_tan_0(REAL v0)
{
    const REAL t0 = v0 * v0;
    const REAL t1 = R(1.0) + t0;
    return t1;
}
PLAIN_1(loop_tan_0, one_tan_0, 0)

MAYBE_UNUSED static inline double exact_arcsin(double v0)
{
    const double t0 = asin(v0);
    return t0;
}
CALLING_1(exact_loop_arcsin, exact_arcsin, 0)

MAYBE_UNUSED static inline REAL one_arcsin_0(REAL v1)
{
    const REAL t0 = R(1.0) - v1;
    const REAL t1 = R(1.0) + v1;
    const REAL t2 = t0 * t1;
    const REAL t3 = REAL_SQRT(t2);
    const REAL t4 = R(1.0) / t3;
    return t4;
}
PLAIN_1(loop_arcsin_0, one_arcsin_0, 1)

MAYBE_UNUSED static inline double exact_arccos(double v0)
{
    const double t0 = acos(v0);
    return t0;
}
CALLING_1(exact_loop_arccos, exact_arccos, 0)

MAYBE_UNUSED static inline REAL one_arccos_0(REAL v1)
{
    const REAL t0 = R(1.0) - v1;
    const REAL t1 = R(1.0) + v1;
    const REAL t2 = t0 * t1;
    const REAL t3 = REAL_SQRT(t2);
    const REAL t4 = R(-1.0) / t3;
    return t4;
}
PLAIN_1(loop_arccos_0, one_arccos_0, 1)

MAYBE_UNUSED static inline double exact_arctan(double v0)
{
    const double t0 = atan(v0);
    return t0;
}
CALLING_1(exact_loop_arctan, exact_arctan, 0)
MAYBE_UNUSED static inline double fast_arctan_one(double v0)
{
    const double t0 = fast_arctan(v0);
    return t0;
}
FAST_1(fast_loop_arctan, fast_arctan_one, 0)

MAYBE_UNUSED static inline REAL one_arctan_0(REAL v1)
{
    const REAL t0 = R(1.0) / v1;
    const REAL t1 = REAL_ABS(v1);
    const REAL t2 = v1 + t0;
    const REAL t3 = t0 / t2;
    const REAL t4 = v1 * v1;
    const REAL t5 = R(1.0) + t4;
    const REAL t6 = R(1.0) / t5;
    const REAL t7 = t1 > R(1.0) ? t3 : t6;
    return t7;
}
PLAIN_1(loop_arctan_0, one_arctan_0, 1)

MAYBE_UNUSED static inline double exact_arctan2(double v0, double v1)
{
    const double t0 = atan2(v0, v1);
    return t0;
}
CALLING_2(exact_loop_arctan2, exact_arctan2, 0, 1)

MAYBE_UNUSED static inline double exact_arctan2_0(double v1, double v2)
{
    const double t0 = hypot(v2, v1);
    const double t1 = t0 > 0x1.0cb70d24b7379p+465 /* 1e+140 */ ? 0x1.0000000000000p-600 /* 2.409919865102884e-181 */ : 1.0;
    const double t2 = t0 < 0x1.e7c5f127bd87ep-466 /* 1e-140 */ ? 0x1.0000000000000p+600 /* 4.149515568880993e+180 */ : t1;
    const double t3 = t2 * v2;
    const double t4 = t2 * v1;
    const double t5 = t3 * t3;
    const double t6 = t4 * t4;
    const double t7 = t5 + t6;
    const double t8 = t3 / t7;
    const double t9 = t2 * t8;
    const double t10 = t0 == 0.0 ? v2 : t9;
    return t10;
}
CALLING_2(exact_loop_arctan2_0, exact_arctan2_0, 1, 2)
MAYBE_UNUSED static inline double fast_arctan2_0_one(double v1, double v2)
{
    const double t0 = fast_hypot(v2, v1);
    const double t1 = t0 > 0x1.0cb70d24b7379p+465 /* 1e+140 */ ? 0x1.0000000000000p-600 /* 2.409919865102884e-181 */ : 1.0;
    const double t2 = t0 < 0x1.e7c5f127bd87ep-466 /* 1e-140 */ ? 0x1.0000000000000p+600 /* 4.149515568880993e+180 */ : t1;
    const double t3 = t2 * v2;
    const double t4 = t2 * v1;
    const double t5 = t3 * t3;
    const double t6 = t4 * t4;
    const double t7 = t5 + t6;
    const double t8 = t3 / t7;
    const double t9 = t2 * t8;
    const double t10 = t0 == 0.0 ? v2 : t9;
    return t10;
}
FAST_2(fast_loop_arctan2_0, fast_arctan2_0_one, 1, 2)

MAYBE_UNUSED static inline double exact_arctan2_1(double v1, double v2)
{
    const double t0 = hypot(v2, v1);
    const double t1 = t0 > 0x1.0cb70d24b7379p+465 /* 1e+140 */ ? 0x1.0000000000000p-600 /* 2.409919865102884e-181 */ : 1.0;
    const double t2 = t0 < 0x1.e7c5f127bd87ep-466 /* 1e-140 */ ? 0x1.0000000000000p+600 /* 4.149515568880993e+180 */ : t1;
    const double t3 = t2 * v2;
    const double t4 = t2 * v1;
    const double t5 = t3 * t3;
    const double t6 = t4 * t4;
    const double t7 = t5 + t6;
    const double t11 = -v1;
    const double t12 = -t2;
    const double t13 = t4 / t7;
    const double t14 = t12 * t13;
    const double t15 = t0 == 0.0 ? t11 : t14;
    return t15;
}
CALLING_2(exact_loop_arctan2_1, exact_arctan2_1, 1, 2)
MAYBE_UNUSED static inline double fast_arctan2_1_one(double v1, double v2)
{
    const double t0 = fast_hypot(v2, v1);
    const double t1 = t0 > 0x1.0cb70d24b7379p+465 /* 1e+140 */ ? 0x1.0000000000000p-600 /* 2.409919865102884e-181 */ : 1.0;
    const double t2 = t0 < 0x1.e7c5f127bd87ep-466 /* 1e-140 */ ? 0x1.0000000000000p+600 /* 4.149515568880993e+180 */ : t1;
    const double t3 = t2 * v2;
    const double t4 = t2 * v1;
    const double t5 = t3 * t3;
    const double t6 = t4 * t4;
    const double t7 = t5 + t6;
    const double t11 = -v1;
    const double t12 = -t2;
    const double t13 = t4 / t7;
    const double t14 = t12 * t13;
    const double t15 = t0 == 0.0 ? t11 : t14;
    return t15;
}
FAST_2(fast_loop_arctan2_1, fast_arctan2_1_one, 1, 2)

MAYBE_UNUSED static inline double exact_hypot(double v0, double v1)
{
    const double t0 = hypot(v0, v1);
    return t0;
}
CALLING_2(exact_loop_hypot, exact_hypot, 0, 1)
MAYBE_UNUSED static inline double fast_hypot_one(double v0, double v1)
{
    const double t0 = fast_hypot(v0, v1);
    return t0;
}
FAST_2(fast_loop_hypot, fast_hypot_one, 0, 1)

MAYBE_UNUSED static inline double exact_hypot_0(double v0, double v1, double v2)
{
    const double t0 = v0 > 0x1.0000000000000p+1020 /* 1.1235582092889474e+307 */ ? 0.25 : 1.0;
    const double t1 = v0 < 0x1.0000000000000p-960 /* 1.0261342003245941e-289 */ ? 0x1.0000000000000p+600 /* 4.149515568880993e+180 */ : t0;
    const double t2 = t1 * v1;
    const double t3 = t1 * v2;
    const double t4 = hypot(t2, t3);
    const double t5 = t2 / t4;
    return t5;
}
CALLING_3(exact_loop_hypot_0, exact_hypot_0, 0, 1, 2)
MAYBE_UNUSED static inline double fast_hypot_0_one(double v0, double v1, double v2)
{
    const double t0 = v0 > 0x1.0000000000000p+1020 /* 1.1235582092889474e+307 */ ? 0.25 : 1.0;
    const double t1 = v0 < 0x1.0000000000000p-960 /* 1.0261342003245941e-289 */ ? 0x1.0000000000000p+600 /* 4.149515568880993e+180 */ : t0;
    const double t2 = t1 * v1;
    const double t3 = t1 * v2;
    const double t4 = fast_hypot(t2, t3);
    const double t5 = t2 / t4;
    return t5;
}
FAST_3(fast_loop_hypot_0, fast_hypot_0_one, 0, 1, 2)

MAYBE_UNUSED static inline double exact_hypot_1(double v0, double v1, double v2)
{
    const double t0 = v0 > 0x1.0000000000000p+1020 /* 1.1235582092889474e+307 */ ? 0.25 : 1.0;
    const double t1 = v0 < 0x1.0000000000000p-960 /* 1.0261342003245941e-289 */ ? 0x1.0000000000000p+600 /* 4.149515568880993e+180 */ : t0;
    const double t2 = t1 * v1;
    const double t3 = t1 * v2;
    const double t4 = hypot(t2, t3);
    const double t6 = t3 / t4;
    return t6;
}
CALLING_3(exact_loop_hypot_1, exact_hypot_1, 0, 1, 2)
MAYBE_UNUSED static inline double fast_hypot_1_one(double v0, double v1, double v2)
{
    const double t0 = v0 > 0x1.0000000000000p+1020 /* 1.1235582092889474e+307 */ ? 0.25 : 1.0;
    const double t1 = v0 < 0x1.0000000000000p-960 /* 1.0261342003245941e-289 */ ? 0x1.0000000000000p+600 /* 4.149515568880993e+180 */ : t0;
    const double t2 = t1 * v1;
    const double t3 = t1 * v2;
    const double t4 = fast_hypot(t2, t3);
    const double t6 = t3 / t4;
    return t6;
}
FAST_3(fast_loop_hypot_1, fast_hypot_1_one, 0, 1, 2)

MAYBE_UNUSED static inline double exact_sinh(double v0)
{
    const double t0 = sinh(v0);
    return t0;
}
CALLING_1(exact_loop_sinh, exact_sinh, 0)
MAYBE_UNUSED static inline double fast_sinh_one(double v0)
{
    const double t0 = fast_sinh(v0);
    return t0;
}
FAST_1(fast_loop_sinh, fast_sinh_one, 0)

MAYBE_UNUSED static inline double exact_sinh_0(double v1)
{
    const double t0 = cosh(v1);
    return t0;
}
CALLING_1(exact_loop_sinh_0, exact_sinh_0, 1)
MAYBE_UNUSED static inline double fast_sinh_0_one(double v1)
{
    const double t0 = fast_cosh(v1);
    return t0;
}
FAST_1(fast_loop_sinh_0, fast_sinh_0_one, 1)

MAYBE_UNUSED static inline double exact_cosh(double v0)
{
    const double t0 = cosh(v0);
    return t0;
}
CALLING_1(exact_loop_cosh, exact_cosh, 0)
MAYBE_UNUSED static inline double fast_cosh_one(double v0)
{
    const double t0 = fast_cosh(v0);
    return t0;
}
FAST_1(fast_loop_cosh, fast_cosh_one, 0)

MAYBE_UNUSED static inline double exact_cosh_0(double v1)
{
    const double t0 = sinh(v1);
    return t0;
}
CALLING_1(exact_loop_cosh_0, exact_cosh_0, 1)
MAYBE_UNUSED static inline double fast_cosh_0_one(double v1)
{
    const double t0 = fast_sinh(v1);
    return t0;
}
FAST_1(fast_loop_cosh_0, fast_cosh_0_one, 1)

MAYBE_UNUSED static inline double exact_tanh(double v0)
{
    const double t0 = tanh(v0);
    return t0;
}
CALLING_1(exact_loop_tanh, exact_tanh, 0)
MAYBE_UNUSED static inline REAL fast_tanh_one(REAL v0)
{
    const REAL t0 = REAL_FAST(tanh)(v0);
    return t0;
}
FAST_1(fast_loop_tanh, fast_tanh_one, 0)

MAYBE_UNUSED static inline double exact_tanh_0(double v1)
{
    const double t0 = -v1;
    const double t1 = v1 >= 0.0 ? v1 : t0;
    const double t2 = -2.0 * t1;
    const double t3 = exp(t2);
    const double t4 = 4.0 * t3;
    const double t5 = 2.0 + t3;
    const double t6 = t3 * t5;
    const double t7 = 1.0 + t6;
    const double t8 = t4 / t7;
    return t8;
}
CALLING_1(exact_loop_tanh_0, exact_tanh_0, 1)
MAYBE_UNUSED static inline REAL fast_tanh_0_one(REAL v1)
{
    const REAL t0 = -v1;
    const REAL t1 = v1 >= R(0.0) ? v1 : t0;
    const REAL t2 = R(-2.0) * t1;
    const REAL t3 = REAL_FAST(exp)(t2);
    const REAL t4 = R(4.0) * t3;
    const REAL t5 = R(2.0) + t3;
    const REAL t6 = t3 * t5;
    const REAL t7 = R(1.0) + t6;
    const REAL t8 = t4 / t7;
    return t8;
}
FAST_1(fast_loop_tanh_0, fast_tanh_0_one, 1)

MAYBE_UNUSED static inline double exact_arcsinh(double v0)
{
    const double t0 = asinh(v0);
    return t0;
}
CALLING_1(exact_loop_arcsinh, exact_arcsinh, 0)

MAYBE_UNUSED static inline double exact_arcsinh_0(double v1)
{
    const double t0 = hypot(1.0, v1);
    const double t1 = 1.0 / t0;
    return t1;
}
CALLING_1(exact_loop_arcsinh_0, exact_arcsinh_0, 1)
MAYBE_UNUSED static inline double fast_arcsinh_0_one(double v1)
{
    const double t0 = fast_hypot(1.0, v1);
    const double t1 = 1.0 / t0;
    return t1;
}
FAST_1(fast_loop_arcsinh_0, fast_arcsinh_0_one, 1)

MAYBE_UNUSED static inline double exact_arccosh(double v0)
{
    const double t0 = acosh(v0);
    return t0;
}
CALLING_1(exact_loop_arccosh, exact_arccosh, 0)

MAYBE_UNUSED static inline REAL one_arccosh_0(REAL v1)
{
    const REAL t0 = v1 - R(1.0);
    const REAL t1 = REAL_SQRT(t0);
    const REAL t2 = v1 + R(1.0);
    const REAL t3 = REAL_SQRT(t2);
    const REAL t4 = t1 * t3;
    const REAL t5 = R(1.0) / t4;
    return t5;
}
PLAIN_1(loop_arccosh_0, one_arccosh_0, 1)

MAYBE_UNUSED static inline double exact_arctanh(double v0)
{
    const double t0 = atanh(v0);
    return t0;
}
CALLING_1(exact_loop_arctanh, exact_arctanh, 0)

MAYBE_UNUSED static inline REAL one_arctanh_0(REAL v1)
{
    const REAL t0 = REAL_ABS(v1);
    const REAL t1 = R(1.0) - v1;
    const REAL t2 = R(1.0) + v1;
    const REAL t3 = t1 * t2;
    const REAL t4 = R(1.0) / t3;
    const REAL t5 = t0 <= R(1.0) ? t4 : R(NAN);
    return t5;
}
PLAIN_1(loop_arctanh_0, one_arctanh_0, 1)

MAYBE_UNUSED static inline double exact_sigmoid(double v0)
{
    const double t0 = -v0;
    const double t1 = v0 >= 0.0 ? v0 : t0;
    const double t2 = -t1;
    const double t3 = exp(t2);
    const double t4 = 1.0 + t3;
    const double t5 = t3 / t4;
    const double t6 = 1.0 - t5;
    const double t7 = t3 * t5;
    const double t8 = t3 - t7;
    const double t9 = v0 >= 0.0 ? t6 : t8;
    return t9;
}
CALLING_1(exact_loop_sigmoid, exact_sigmoid, 0)
MAYBE_UNUSED static inline REAL fast_sigmoid_one(REAL v0)
{
    const REAL t0 = -v0;
    const REAL t1 = v0 >= R(0.0) ? v0 : t0;
    const REAL t2 = -t1;
    const REAL t3 = REAL_FAST(exp)(t2);
    const REAL t4 = R(1.0) + t3;
    const REAL t5 = t3 / t4;
    const REAL t6 = R(1.0) - t5;
    const REAL t7 = t3 * t5;
    const REAL t8 = t3 - t7;
    const REAL t9 = v0 >= R(0.0) ? t6 : t8;
    return t9;
}
FAST_1(fast_loop_sigmoid, fast_sigmoid_one, 0)

MAYBE_UNUSED static inline double exact_sigmoid_0(double v1)
{
    const double t0 = -v1;
    const double t1 = v1 >= 0.0 ? v1 : t0;
    const double t2 = -t1;
    const double t3 = exp(t2);
    const double t4 = 2.0 + t3;
    const double t5 = t3 * t4;
    const double t6 = 1.0 + t5;
    const double t7 = t3 / t6;
    return t7;
}
CALLING_1(exact_loop_sigmoid_0, exact_sigmoid_0, 1)
MAYBE_UNUSED static inline REAL fast_sigmoid_0_one(REAL v1)
{
    const REAL t0 = -v1;
    const REAL t1 = v1 >= R(0.0) ? v1 : t0;
    const REAL t2 = -t1;
    const REAL t3 = REAL_FAST(exp)(t2);
    const REAL t4 = R(2.0) + t3;
    const REAL t5 = t3 * t4;
    const REAL t6 = R(1.0) + t5;
    const REAL t7 = t3 / t6;
    return t7;
}
FAST_1(fast_loop_sigmoid_0, fast_sigmoid_0_one, 1)

MAYBE_UNUSED static inline double exact_softplus(double v0)
{
    const double t0 = v0 >= 0.0 ? v0 : 0.0;
    const double t1 = -v0;
    const double t2 = v0 >= 0.0 ? v0 : t1;
    const double t3 = -t2;
    const double t4 = exp(t3);
    const double t5 = log1p(t4);
    const double t6 = t0 + t5;
    return t6;
}
CALLING_1(exact_loop_softplus, exact_softplus, 0)
MAYBE_UNUSED static inline REAL fast_softplus_one(REAL v0)
{
    const REAL t0 = v0 >= R(0.0) ? v0 : R(0.0);
    const REAL t1 = -v0;
    const REAL t2 = v0 >= R(0.0) ? v0 : t1;
    const REAL t3 = -t2;
    const REAL t4 = REAL_FAST(exp)(t3);
    const REAL t5 = REAL_FAST(log1p)(t4);
    const REAL t6 = t0 + t5;
    return t6;
}
FAST_1(fast_loop_softplus, fast_softplus_one, 0)

MAYBE_UNUSED static inline double exact_softplus_0(double v1)
{
    const double t0 = -v1;
    const double t1 = v1 >= 0.0 ? v1 : t0;
    const double t2 = -t1;
    const double t3 = exp(t2);
    const double t4 = 1.0 + t3;
    const double t5 = t3 / t4;
    const double t6 = 1.0 - t5;
    const double t7 = t3 * t5;
    const double t8 = t3 - t7;
    const double t9 = v1 >= 0.0 ? t6 : t8;
    return t9;
}
CALLING_1(exact_loop_softplus_0, exact_softplus_0, 1)
MAYBE_UNUSED static inline REAL fast_softplus_0_one(REAL v1)
{
    const REAL t0 = -v1;
    const REAL t1 = v1 >= R(0.0) ? v1 : t0;
    const REAL t2 = -t1;
    const REAL t3 = REAL_FAST(exp)(t2);
    const REAL t4 = R(1.0) + t3;
    const REAL t5 = t3 / t4;
    const REAL t6 = R(1.0) - t5;
    const REAL t7 = t3 * t5;
    const REAL t8 = t3 - t7;
    const REAL t9 = v1 >= R(0.0) ? t6 : t8;
    return t9;
}
FAST_1(fast_loop_softplus_0, fast_softplus_0_one, 1)

MAYBE_UNUSED static inline REAL one_relu(REAL v0)
{
    const REAL t0 = v0 <= R(0.0) ? R(0.0) : v0;
    return t0;
}
PLAIN_1(loop_relu, one_relu, 0)

MAYBE_UNUSED static inline REAL one_relu_0(REAL v1)
{
    const REAL t0 = v1 <= R(0.0) ? R(0.0) : R(NAN);
    const REAL t1 = v1 > R(0.0) ? R(1.0) : t0;
    return t1;
}
PLAIN_1(loop_relu_0, one_relu_0, 1)

MAYBE_UNUSED static inline REAL one_leaky_relu(REAL v0, REAL v1)
{
    const REAL t0 = v1 * v0;
    const REAL t1 = v0 > R(0.0) ? v0 : t0;
    return t1;
}
PLAIN_2(loop_leaky_relu, one_leaky_relu, 0, 1)

MAYBE_UNUSED static inline REAL one_leaky_relu_0(REAL v1, REAL v2)
{
    const REAL t0 = v1 <= R(0.0) ? v2 : R(NAN);
    const REAL t1 = v1 > R(0.0) ? R(1.0) : t0;
    return t1;
}
PLAIN_2(loop_leaky_relu_0, one_leaky_relu_0, 1, 2)

MAYBE_UNUSED static inline REAL one_leaky_relu_1(REAL v1)
{
    const REAL t2 = v1 > R(0.0) ? R(0.0) : v1;
    return t2;
}
PLAIN_1(loop_leaky_relu_1, one_leaky_relu_1, 1)

MAYBE_UNUSED static inline double exact_elu(double v0, double v1)
{
    const double t0 = expm1(v0);
    const double t1 = v1 * t0;
    const double t2 = v0 > 0.0 ? v0 : t1;
    return t2;
}
CALLING_2(exact_loop_elu, exact_elu, 0, 1)
MAYBE_UNUSED static inline REAL fast_elu_one(REAL v0, REAL v1)
{
    const REAL t0 = REAL_FAST(expm1)(v0);
    const REAL t1 = v1 * t0;
    const REAL t2 = v0 > R(0.0) ? v0 : t1;
    return t2;
}
FAST_2(fast_loop_elu, fast_elu_one, 0, 1)

MAYBE_UNUSED static inline double exact_elu_0(double v1, double v2)
{
    const double t0 = exp(v1);
    const double t1 = v2 * t0;
    const double t2 = v1 > 0.0 ? 1.0 : t1;
    return t2;
}
CALLING_2(exact_loop_elu_0, exact_elu_0, 1, 2)
MAYBE_UNUSED static inline REAL fast_elu_0_one(REAL v1, REAL v2)
{
    const REAL t0 = REAL_FAST(exp)(v1);
    const REAL t1 = v2 * t0;
    const REAL t2 = v1 > R(0.0) ? R(1.0) : t1;
    return t2;
}
FAST_2(fast_loop_elu_0, fast_elu_0_one, 1, 2)

MAYBE_UNUSED static inline double exact_elu_1(double v1)
{
    const double t3 = expm1(v1);
    const double t4 = v1 > 0.0 ? 0.0 : t3;
    return t4;
}
CALLING_1(exact_loop_elu_1, exact_elu_1, 1)
MAYBE_UNUSED static inline REAL fast_elu_1_one(REAL v1)
{
    const REAL t3 = REAL_FAST(expm1)(v1);
    const REAL t4 = v1 > R(0.0) ? R(0.0) : t3;
    return t4;
}
FAST_1(fast_loop_elu_1, fast_elu_1_one, 1)

MAYBE_UNUSED static inline double exact_gelu(double v0)
{
    const double t0 = ieee_normal_cdf(v0);
    const double t1 = v0 * t0;
    const double t2 = v0 < -40.0 ? -0.0 : t1;
    return t2;
}
CALLING_1(exact_loop_gelu, exact_gelu, 0)
MAYBE_UNUSED static inline double fast_gelu_one(double v0)
{
    const double t0 = fast_normal_cdf(v0);
    const double t1 = v0 * t0;
    const double t2 = v0 < -40.0 ? -0.0 : t1;
    return t2;
}
FAST_1(fast_loop_gelu, fast_gelu_one, 0)

MAYBE_UNUSED static inline double exact_gelu_0(double v1)
{
    const double t0 = ieee_normal_cdf(v1);
    const double t1 = ieee_exp_square(v1, -0.5);
    const double t2 = 0x1.9884533d43651p-2 /* 0.3989422804014327 */ * t1;
    const double t3 = v1 * t2;
    const double t4 = t0 + t3;
    const double t5 = v1 < -40.0 ? 0.0 : t4;
    const double t6 = v1 > 40.0 ? 1.0 : t5;
    return t6;
}
CALLING_1(exact_loop_gelu_0, exact_gelu_0, 1)
MAYBE_UNUSED static inline double fast_gelu_0_one(double v1)
{
    const double t0 = fast_normal_cdf(v1);
    const double t1 = fast_exp_square(v1, -0.5);
    const double t2 = 0x1.9884533d43651p-2 /* 0.3989422804014327 */ * t1;
    const double t3 = v1 * t2;
    const double t4 = t0 + t3;
    const double t5 = v1 < -40.0 ? 0.0 : t4;
    const double t6 = v1 > 40.0 ? 1.0 : t5;
    return t6;
}
FAST_1(fast_loop_gelu_0, fast_gelu_0_one, 1)

MAYBE_UNUSED static inline double exact_silu(double v0)
{
    const double t0 = -v0;
    const double t1 = v0 >= 0.0 ? v0 : t0;
    const double t2 = -t1;
    const double t3 = exp(t2);
    const double t4 = 1.0 + t3;
    const double t5 = t3 / t4;
    const double t6 = 1.0 - t5;
    const double t7 = t3 * t5;
    const double t8 = t3 - t7;
    const double t9 = v0 >= 0.0 ? t6 : t8;
    const double t10 = v0 * t9;
    const double t11 = v0 < -800.0 ? -0.0 : t10;
    return t11;
}
CALLING_1(exact_loop_silu, exact_silu, 0)
MAYBE_UNUSED static inline REAL fast_silu_one(REAL v0)
{
    const REAL t0 = -v0;
    const REAL t1 = v0 >= R(0.0) ? v0 : t0;
    const REAL t2 = -t1;
    const REAL t3 = REAL_FAST(exp)(t2);
    const REAL t4 = R(1.0) + t3;
    const REAL t5 = t3 / t4;
    const REAL t6 = R(1.0) - t5;
    const REAL t7 = t3 * t5;
    const REAL t8 = t3 - t7;
    const REAL t9 = v0 >= R(0.0) ? t6 : t8;
    const REAL t10 = v0 * t9;
    const REAL t11 = v0 < R(-800.0) ? R(-0.0) : t10;
    return t11;
}
FAST_1(fast_loop_silu, fast_silu_one, 0)

MAYBE_UNUSED static inline double exact_silu_0(double v1)
{
    const double t0 = -v1;
    const double t1 = v1 >= 0.0 ? v1 : t0;
    const double t2 = -t1;
    const double t3 = exp(t2);
    const double t4 = v1 >= 0.0 ? 1.0 : t3;
    const double t5 = v1 >= 0.0 ? t3 : 1.0;
    const double t6 = 1.0 + t3;
    const double t7 = v1 * t5;
    const double t8 = t6 + t7;
    const double t9 = t4 * t8;
    const double t10 = 2.0 + t3;
    const double t11 = t3 * t10;
    const double t12 = 1.0 + t11;
    const double t13 = t9 / t12;
    const double t14 = v1 < -800.0 ? -0.0 : t13;
    const double t15 = v1 > 800.0 ? 1.0 : t14;
    return t15;
}
CALLING_1(exact_loop_silu_0, exact_silu_0, 1)
MAYBE_UNUSED static inline REAL fast_silu_0_one(REAL v1)
{
    const REAL t0 = -v1;
    const REAL t1 = v1 >= R(0.0) ? v1 : t0;
    const REAL t2 = -t1;
    const REAL t3 = REAL_FAST(exp)(t2);
    const REAL t4 = v1 >= R(0.0) ? R(1.0) : t3;
    const REAL t5 = v1 >= R(0.0) ? t3 : R(1.0);
    const REAL t6 = R(1.0) + t3;
    const REAL t7 = v1 * t5;
    const REAL t8 = t6 + t7;
    const REAL t9 = t4 * t8;
    const REAL t10 = R(2.0) + t3;
    const REAL t11 = t3 * t10;
    const REAL t12 = R(1.0) + t11;
    const REAL t13 = t9 / t12;
    const REAL t14 = v1 < R(-800.0) ? R(-0.0) : t13;
    const REAL t15 = v1 > R(800.0) ? R(1.0) : t14;
    return t15;
}
FAST_1(fast_loop_silu_0, fast_silu_0_one, 1)

MAYBE_UNUSED static inline double exact_erf(double v0)
{
    const double t0 = erf(v0);
    return t0;
}
CALLING_1(exact_loop_erf, exact_erf, 0)
MAYBE_UNUSED static inline double fast_erf_one(double v0)
{
    const double t0 = fast_erf(v0);
    return t0;
}
FAST_1(fast_loop_erf, fast_erf_one, 0)

MAYBE_UNUSED static inline double exact_erf_0(double v1)
{
    const double t0 = ieee_exp_square(v1, -1.0);
    const double t1 = 0x1.20dd750429b6dp+0 /* 1.1283791670955126 */ * t0;
    return t1;
}
CALLING_1(exact_loop_erf_0, exact_erf_0, 1)
MAYBE_UNUSED static inline double fast_erf_0_one(double v1)
{
    const double t0 = fast_exp_square(v1, -1.0);
    const double t1 = 0x1.20dd750429b6dp+0 /* 1.1283791670955126 */ * t0;
    return t1;
}
FAST_1(fast_loop_erf_0, fast_erf_0_one, 1)

MAYBE_UNUSED static inline REAL one_maximum(REAL v0, REAL v1)
{
    const REAL t0 = v0 <= v1 ? v1 : R(NAN);
    const REAL t1 = v0 > v1 ? v0 : t0;
    return t1;
}
PLAIN_2(loop_maximum, one_maximum, 0, 1)

MAYBE_UNUSED static inline REAL one_maximum_0(REAL v1, REAL v2)
{
    const REAL t0 = v1 == v2 ? R(0.5) : R(NAN);
    const REAL t1 = v1 < v2 ? R(0.0) : t0;
    const REAL t2 = v1 > v2 ? R(1.0) : t1;
    return t2;
}
PLAIN_2(loop_maximum_0, one_maximum_0, 1, 2)

MAYBE_UNUSED static inline REAL one_maximum_1(REAL v1, REAL v2)
{
    const REAL t0 = v1 == v2 ? R(0.5) : R(NAN);
    const REAL t1 = v1 < v2 ? R(0.0) : t0;
    const REAL t2 = v1 > v2 ? R(1.0) : t1;
    const REAL t3 = R(1.0) - t2;
    return t3;
}
PLAIN_2(loop_maximum_1, one_maximum_1, 1, 2)

MAYBE_UNUSED static inline REAL one_minimum(REAL v0, REAL v1)
{
    const REAL t0 = v0 >= v1 ? v1 : R(NAN);
    const REAL t1 = v0 < v1 ? v0 : t0;
    return t1;
}
PLAIN_2(loop_minimum, one_minimum, 0, 1)

MAYBE_UNUSED static inline REAL one_minimum_0(REAL v1, REAL v2)
{
    const REAL t0 = v1 == v2 ? R(0.5) : R(NAN);
    const REAL t1 = v1 < v2 ? R(0.0) : t0;
    const REAL t2 = v1 > v2 ? R(1.0) : t1;
    const REAL t3 = R(1.0) - t2;
    return t3;
}
PLAIN_2(loop_minimum_0, one_minimum_0, 1, 2)

MAYBE_UNUSED static inline REAL one_minimum_1(REAL v1, REAL v2)
{
    const REAL t0 = v1 == v2 ? R(0.5) : R(NAN);
    const REAL t1 = v1 < v2 ? R(0.0) : t0;
    const REAL t2 = v1 > v2 ? R(1.0) : t1;
    return t2;
}
PLAIN_2(loop_minimum_1, one_minimum_1, 1, 2)

MAYBE_UNUSED static inline REAL one_clamp(REAL v0, REAL v1, REAL v2)
{
    const REAL t0 = v0 >= v1 ? v0 : R(NAN);
    const REAL t1 = v0 < v1 ? v1 : t0;
    const REAL t2 = t1 <= v2 ? t1 : R(NAN);
    const REAL t3 = t1 > v2 ? v2 : t2;
    return t3;
}
PLAIN_3(loop_clamp, one_clamp, 0, 1, 2)

MAYBE_UNUSED static inline REAL one_clamp_0(REAL v0, REAL v1, REAL v2, REAL v3)
{
    const REAL t0 = v0 == v0 ? R(0.0) : R(NAN);
    const int c1 = (v1 >= v2) & (v1 <= v3);
    const REAL t2 = c1 ? R(1.0) : t0;
    return t2;
}
PLAIN_4(loop_clamp_0, one_clamp_0, 0, 1, 2, 3)

MAYBE_UNUSED static inline REAL one_clamp_1(REAL v0, REAL v1, REAL v2, REAL v3)
{
    const REAL t0 = v0 == v0 ? R(0.0) : R(NAN);
    const int c3 = (v1 < v2) & (v2 < v3);
    const REAL t4 = c3 ? R(1.0) : t0;
    return t4;
}
PLAIN_4(loop_clamp_1, one_clamp_1, 0, 1, 2, 3)

MAYBE_UNUSED static inline REAL one_clamp_2(REAL v0, REAL v1, REAL v2, REAL v3)
{
    const REAL t0 = v0 == v0 ? R(0.0) : R(NAN);
    const int c5 = (v1 > v3) | (v2 > v3);
    const REAL t6 = c5 ? R(1.0) : t0;
    return t6;
}
PLAIN_4(loop_clamp_2, one_clamp_2, 0, 1, 2, 3)

MAYBE_UNUSED static inline REAL one_where(REAL v0, REAL v1, REAL v2)
{
    const REAL t0 = v0 == R(0.0) ? v2 : v1;
    return t0;
}
PLAIN_3(loop_where, one_where, 0, 1, 2)

MAYBE_UNUSED static inline REAL one_greater(REAL v0, REAL v1)
{
    const REAL t0 = v0 > v1 ? R(1.0) : R(0.0);
    return t0;
}
PLAIN_2(loop_greater, one_greater, 0, 1)

MAYBE_UNUSED static inline REAL one_greater_0(void)
{
    return R(0.0);
}
PLAIN_0(loop_greater_0, one_greater_0)

MAYBE_UNUSED static inline REAL one_greater_1(void)
{
    return R(0.0);
}
PLAIN_0(loop_greater_1, one_greater_1)

MAYBE_UNUSED static inline REAL one_greater_equal(REAL v0, REAL v1)
{
    const REAL t0 = v0 >= v1 ? R(1.0) : R(0.0);
    return t0;
}
PLAIN_2(loop_greater_equal, one_greater_equal, 0, 1)

MAYBE_UNUSED static inline REAL one_greater_equal_0(void)
{
    return R(0.0);
}
PLAIN_0(loop_greater_equal_0, one_greater_equal_0)

MAYBE_UNUSED static inline REAL one_greater_equal_1(void)
{
    return R(0.0);
}
PLAIN_0(loop_greater_equal_1, one_greater_equal_1)

MAYBE_UNUSED static inline REAL one_less(REAL v0, REAL v1)
{
    const REAL t0 = v0 < v1 ? R(1.0) : R(0.0);
    return t0;
}
PLAIN_2(loop_less, one_less, 0, 1)

MAYBE_UNUSED static inline REAL one_less_0(void)
{
    return R(0.0);
}
PLAIN_0(loop_less_0, one_less_0)

MAYBE_UNUSED static inline REAL one_less_1(void)
{
    return R(0.0);
}
PLAIN_0(loop_less_1, one_less_1)

MAYBE_UNUSED static inline REAL one_less_equal(REAL v0, REAL v1)
{
    const REAL t0 = v0 <= v1 ? R(1.0) : R(0.0);
    return t0;
}
PLAIN_2(loop_less_equal, one_less_equal, 0, 1)

MAYBE_UNUSED static inline REAL one_less_equal_0(void)
{
    return R(0.0);
}
PLAIN_0(loop_less_equal_0, one_less_equal_0)

MAYBE_UNUSED static inline REAL one_less_equal_1(void)
{
    return R(0.0);
}
PLAIN_0(loop_less_equal_1, one_less_equal_1)

MAYBE_UNUSED static inline REAL one_equal(REAL v0, REAL v1)
{
    const REAL t0 = v0 == v1 ? R(1.0) : R(0.0);
    return t0;
}
PLAIN_2(loop_equal, one_equal, 0, 1)

MAYBE_UNUSED static inline REAL one_match(REAL v0, REAL v1, REAL v2)
{
    const REAL t0 = v0 == v1 ? v2 : R(0.0);
    return t0;
}
PLAIN_3(loop_match, one_match, 0, 1, 2)

MAYBE_UNUSED static inline REAL one_gate(REAL v0, REAL v1)
{
    const REAL t0 = v0 == R(0.0) ? R(0.0) : v1;
    return t0;
}
PLAIN_2(loop_gate, one_gate, 0, 1)

#include "powers.h"

#if REAL_IS_FLOAT
#define EXACT(exact, fast) fast
#else
#define EXACT(exact, fast) exact
#endif

static const map_kernel map_exact[MAP_COUNT] = {
    EXACT(loop_add, loop_add),
    EXACT(loop_add_0, loop_add_0),
    EXACT(loop_add_1, loop_add_1),
    EXACT(loop_sub, loop_sub),
    EXACT(loop_sub_0, loop_sub_0),
    EXACT(loop_sub_1, loop_sub_1),
    EXACT(loop_mul, loop_mul),
    EXACT(loop_mul_0, loop_mul_0),
    EXACT(loop_mul_1, loop_mul_1),
    EXACT(loop_div, loop_div),
    EXACT(loop_div_1, loop_div_1),
    EXACT(exact_loop_pow, fast_loop_pow),
    EXACT(exact_loop_pow_0, fast_loop_pow_0),
    EXACT(exact_loop_pow_1, fast_loop_pow_1),
    EXACT(loop_neg, loop_neg),
    EXACT(loop_neg_0, loop_neg_0),
    EXACT(loop_abs, loop_abs),
    EXACT(loop_abs_0, loop_abs_0),
    EXACT(loop_sign, loop_sign),
    EXACT(loop_sign_0, loop_sign_0),
    EXACT(loop_square, loop_square),
    EXACT(loop_square_0, loop_square_0),
    EXACT(loop_reciprocal, loop_reciprocal),
    EXACT(loop_reciprocal_0, loop_reciprocal_0),
    EXACT(exact_loop_exp, fast_loop_exp),
    EXACT(loop_exp_0, loop_exp_0),
    EXACT(exact_loop_exp2, fast_loop_exp2),
    EXACT(exact_loop_exp2_0, fast_loop_exp2_0),
    EXACT(exact_loop_expm1, fast_loop_expm1),
    EXACT(exact_loop_expm1_0, fast_loop_expm1_0),
    EXACT(exact_loop_log, fast_loop_log),
    EXACT(loop_log_0, loop_log_0),
    EXACT(exact_loop_log2, fast_loop_log2),
    EXACT(loop_log2_0, loop_log2_0),
    EXACT(exact_loop_log10, fast_loop_log10),
    EXACT(loop_log10_0, loop_log10_0),
    EXACT(exact_loop_log1p, fast_loop_log1p),
    EXACT(loop_log1p_0, loop_log1p_0),
    EXACT(loop_sqrt, loop_sqrt),
    EXACT(loop_sqrt_0, loop_sqrt_0),
    EXACT(exact_loop_cbrt, exact_loop_cbrt),
    EXACT(loop_cbrt_0, loop_cbrt_0),
    EXACT(exact_loop_sin, fast_loop_sin),
    EXACT(exact_loop_sin_0, fast_loop_sin_0),
    EXACT(exact_loop_cos, fast_loop_cos),
    EXACT(exact_loop_cos_0, fast_loop_cos_0),
    EXACT(exact_loop_tan, fast_loop_tan),
    EXACT(loop_tan_0, loop_tan_0),
    EXACT(exact_loop_arcsin, exact_loop_arcsin),
    EXACT(loop_arcsin_0, loop_arcsin_0),
    EXACT(exact_loop_arccos, exact_loop_arccos),
    EXACT(loop_arccos_0, loop_arccos_0),
    EXACT(exact_loop_arctan, fast_loop_arctan),
    EXACT(loop_arctan_0, loop_arctan_0),
    EXACT(exact_loop_arctan2, exact_loop_arctan2),
    EXACT(exact_loop_arctan2_0, fast_loop_arctan2_0),
    EXACT(exact_loop_arctan2_1, fast_loop_arctan2_1),
    EXACT(exact_loop_hypot, fast_loop_hypot),
    EXACT(exact_loop_hypot_0, fast_loop_hypot_0),
    EXACT(exact_loop_hypot_1, fast_loop_hypot_1),
    EXACT(exact_loop_sinh, fast_loop_sinh),
    EXACT(exact_loop_sinh_0, fast_loop_sinh_0),
    EXACT(exact_loop_cosh, fast_loop_cosh),
    EXACT(exact_loop_cosh_0, fast_loop_cosh_0),
    EXACT(exact_loop_tanh, fast_loop_tanh),
    EXACT(exact_loop_tanh_0, fast_loop_tanh_0),
    EXACT(exact_loop_arcsinh, exact_loop_arcsinh),
    EXACT(exact_loop_arcsinh_0, fast_loop_arcsinh_0),
    EXACT(exact_loop_arccosh, exact_loop_arccosh),
    EXACT(loop_arccosh_0, loop_arccosh_0),
    EXACT(exact_loop_arctanh, exact_loop_arctanh),
    EXACT(loop_arctanh_0, loop_arctanh_0),
    EXACT(exact_loop_sigmoid, fast_loop_sigmoid),
    EXACT(exact_loop_sigmoid_0, fast_loop_sigmoid_0),
    EXACT(exact_loop_softplus, fast_loop_softplus),
    EXACT(exact_loop_softplus_0, fast_loop_softplus_0),
    EXACT(loop_relu, loop_relu),
    EXACT(loop_relu_0, loop_relu_0),
    EXACT(loop_leaky_relu, loop_leaky_relu),
    EXACT(loop_leaky_relu_0, loop_leaky_relu_0),
    EXACT(loop_leaky_relu_1, loop_leaky_relu_1),
    EXACT(exact_loop_elu, fast_loop_elu),
    EXACT(exact_loop_elu_0, fast_loop_elu_0),
    EXACT(exact_loop_elu_1, fast_loop_elu_1),
    EXACT(exact_loop_gelu, fast_loop_gelu),
    EXACT(exact_loop_gelu_0, fast_loop_gelu_0),
    EXACT(exact_loop_silu, fast_loop_silu),
    EXACT(exact_loop_silu_0, fast_loop_silu_0),
    EXACT(exact_loop_erf, fast_loop_erf),
    EXACT(exact_loop_erf_0, fast_loop_erf_0),
    EXACT(loop_maximum, loop_maximum),
    EXACT(loop_maximum_0, loop_maximum_0),
    EXACT(loop_maximum_1, loop_maximum_1),
    EXACT(loop_minimum, loop_minimum),
    EXACT(loop_minimum_0, loop_minimum_0),
    EXACT(loop_minimum_1, loop_minimum_1),
    EXACT(loop_clamp, loop_clamp),
    EXACT(loop_clamp_0, loop_clamp_0),
    EXACT(loop_clamp_1, loop_clamp_1),
    EXACT(loop_clamp_2, loop_clamp_2),
    EXACT(loop_where, loop_where),
    EXACT(loop_greater, loop_greater),
    EXACT(loop_greater_0, loop_greater_0),
    EXACT(loop_greater_1, loop_greater_1),
    EXACT(loop_greater_equal, loop_greater_equal),
    EXACT(loop_greater_equal_0, loop_greater_equal_0),
    EXACT(loop_greater_equal_1, loop_greater_equal_1),
    EXACT(loop_less, loop_less),
    EXACT(loop_less_0, loop_less_0),
    EXACT(loop_less_1, loop_less_1),
    EXACT(loop_less_equal, loop_less_equal),
    EXACT(loop_less_equal_0, loop_less_equal_0),
    EXACT(loop_less_equal_1, loop_less_equal_1),
    EXACT(loop_equal, loop_equal),
    EXACT(loop_match, loop_match),
    EXACT(loop_gate, loop_gate),
};

static const map_kernel map_fast[MAP_COUNT] = {
    loop_add,
    loop_add_0,
    loop_add_1,
    loop_sub,
    loop_sub_0,
    loop_sub_1,
    loop_mul,
    loop_mul_0,
    loop_mul_1,
    loop_div,
    loop_div_1,
    fast_loop_pow,
    fast_loop_pow_0,
    fast_loop_pow_1,
    loop_neg,
    loop_neg_0,
    loop_abs,
    loop_abs_0,
    loop_sign,
    loop_sign_0,
    loop_square,
    loop_square_0,
    loop_reciprocal,
    loop_reciprocal_0,
    fast_loop_exp,
    loop_exp_0,
    fast_loop_exp2,
    fast_loop_exp2_0,
    fast_loop_expm1,
    fast_loop_expm1_0,
    fast_loop_log,
    loop_log_0,
    fast_loop_log2,
    loop_log2_0,
    fast_loop_log10,
    loop_log10_0,
    fast_loop_log1p,
    loop_log1p_0,
    loop_sqrt,
    loop_sqrt_0,
    exact_loop_cbrt,
    loop_cbrt_0,
    fast_loop_sin,
    fast_loop_sin_0,
    fast_loop_cos,
    fast_loop_cos_0,
    fast_loop_tan,
    loop_tan_0,
    exact_loop_arcsin,
    loop_arcsin_0,
    exact_loop_arccos,
    loop_arccos_0,
    fast_loop_arctan,
    loop_arctan_0,
    exact_loop_arctan2,
    fast_loop_arctan2_0,
    fast_loop_arctan2_1,
    fast_loop_hypot,
    fast_loop_hypot_0,
    fast_loop_hypot_1,
    fast_loop_sinh,
    fast_loop_sinh_0,
    fast_loop_cosh,
    fast_loop_cosh_0,
    fast_loop_tanh,
    fast_loop_tanh_0,
    exact_loop_arcsinh,
    fast_loop_arcsinh_0,
    exact_loop_arccosh,
    loop_arccosh_0,
    exact_loop_arctanh,
    loop_arctanh_0,
    fast_loop_sigmoid,
    fast_loop_sigmoid_0,
    fast_loop_softplus,
    fast_loop_softplus_0,
    loop_relu,
    loop_relu_0,
    loop_leaky_relu,
    loop_leaky_relu_0,
    loop_leaky_relu_1,
    fast_loop_elu,
    fast_loop_elu_0,
    fast_loop_elu_1,
    fast_loop_gelu,
    fast_loop_gelu_0,
    fast_loop_silu,
    fast_loop_silu_0,
    fast_loop_erf,
    fast_loop_erf_0,
    loop_maximum,
    loop_maximum_0,
    loop_maximum_1,
    loop_minimum,
    loop_minimum_0,
    loop_minimum_1,
    loop_clamp,
    loop_clamp_0,
    loop_clamp_1,
    loop_clamp_2,
    loop_where,
    loop_greater,
    loop_greater_0,
    loop_greater_1,
    loop_greater_equal,
    loop_greater_equal_0,
    loop_greater_equal_1,
    loop_less,
    loop_less_0,
    loop_less_1,
    loop_less_equal,
    loop_less_equal_0,
    loop_less_equal_1,
    loop_equal,
    loop_match,
    loop_gate,
};

#endif
