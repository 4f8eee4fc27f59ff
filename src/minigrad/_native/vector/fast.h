/* Vector functions of exact=False: doubles, without a branch, a table or a call, so that a loop over them
   becomes SIMD instructions.

   Contract: the bits depend on the argument alone, not on its neighbours, the instruction set or the
   compiler: sums and products are those of IEEE 754, each rounded, none fused.  Zeros keep their sign;
   infinities, NaNs, subnormals and overflow are what ieee.py says.  How many ulp each function may be off
   stands in BOUNDS of tests/minigrad/_native/test_vector_kernels.py, which measures it.  fast_sin, fast_cos and fast_tan
   hold for |x| < FAST_TURN_LIMIT, fast_pow where fast_pow_holds: elsewhere the loops call the C library.

   The reductions are the classical ones (Cody and Waite; s = f / (2 + f) for the logarithm; (x - 4) / (x + 4)
   for erfc); the polynomials go through the function at Chebyshev points, worked out with 60 digits. */

#ifndef MINIGRAD_FAST_H
#define MINIGRAD_FAST_H

#include "../ieee.h"

#define FAST MAYBE_UNUSED static inline double

static const double FAST_ROUND = 0x1.8p52; /* added and subtracted, it rounds to an integer */
static const double FAST_LN2_HIGH = 0x1.62e42fefap-1, FAST_LN2_LOW = 0x1.cf79abc9e3b3ap-40;
static const double FAST_LN2 = 0x1.62e42fefa39efp-1, FAST_LOG2_E = 0x1.71547652b82fep0;
#define FAST_TURN_LIMIT 1e6

static inline uint64_t fast_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

FAST fast_double(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The first 21 bits of x: a product of two such numbers, or of one with 32 bits, is exact. */
FAST fast_head(double x) { return fast_double(fast_bits(x) & UINT64_C(0xffffffff00000000)); }

FAST fast_with_sign(double size, double sign)
{
    const uint64_t mask = UINT64_C(1) << 63;
    return fast_double((fast_bits(size) & ~mask) | (fast_bits(sign) & mask));
}

/* ---- exponentials ---------------------------------------------------------------------------- */

/* An integer k comes as FAST_ROUND + k, which has it in its last bits: in whole, and where it is shifted to
   the place of an exponent.  2**k for -1022 <= k <= 1023: */
FAST fast_power_of_two(double k_rounded) { return fast_double((fast_bits(k_rounded) + 1023) << 52); }

/* y * 2**(k + more), rounded once, for a y near 1 and every power that matters: in two factors. */
FAST fast_scaled(double y, double k_rounded, int more)
{
    const uint64_t biased = fast_bits(k_rounded) + (uint64_t)(2046 + more), half = biased >> 1;
    return y * fast_double(half << 52) * fast_double((biased - half) << 52);
}

/* exp(r - rest) - 1 for |r| <= 0.3467 and a rest that r has no bits for */
FAST fast_exp_near_zero(double r, double rest)
{
    const double z = r * r;
    const double even =
        0x1.000000000000ap-1
        + z
              * (0x1.555555555086ap-5
                 + z * (0x1.6c16c1842e72ep-10 + z * (0x1.a01999ffc9dcp-16 + z * 0x1.28ad7f0da6951p-22)));
    const double odd =
        0x1.55555555554fap-3
        + z
              * (0x1.1111111127c36p-7
                 + z * (0x1.a01a012a44732p-13 + z * (0x1.71df256ac7c21p-19 + z * 0x1.ad7f6636d1fbep-26)));
    return r + (z * (even + r * odd) - rest);
}

/* q and k so that exp(x) is (1 + q) * 2**k */
FAST fast_exp_parts(double x, double *k_rounded)
{
    *k_rounded = x * FAST_LOG2_E + FAST_ROUND;
    const double k = *k_rounded - FAST_ROUND;
    const double high = x - k * FAST_LN2_HIGH, low = k * FAST_LN2_LOW;
    const double r = high - low;
    return fast_exp_near_zero(r, low - (high - r));
}

FAST fast_within(double x, double least, double most) /* a NaN stays */
{
    const double below = x > most ? most : x;
    return below < least ? least : below;
}

/* exp(x) * 2**more */
FAST fast_exp_times(double x, int more)
{
    double k;
    const double q = fast_exp_parts(fast_within(x, -748.0, 712.0), &k);
    return fast_scaled(1.0 + q, k, more);
}

FAST fast_exp(double x) { return fast_exp_times(x, 0); }

/* The same for |x| < FAST_EXP_LIMIT, where a power of two is simply added to the exponent. */
#define FAST_EXP_LIMIT 708.0
FAST fast_exp_middle(double x)
{
    double k;
    const double q = fast_exp_parts(x, &k);
    return fast_double(fast_bits(1.0 + q) + (fast_bits(k) << 52));
}

FAST fast_exp2(double x)
{
    const double y = fast_within(x, -1078.0, 1025.0), k = y + FAST_ROUND;
    const double f = y - (k - FAST_ROUND), head = fast_head(f); /* f * log(2), and what that product loses */
    const double high = head * 0x1.62e43p-1, low = head * -0x1.05c610ca86c39p-29 + (f - head) * FAST_LN2;
    const double r = high + low;
    return fast_scaled(1.0 + fast_exp_near_zero(r, (r - high) - low), k, 0);
}

FAST fast_expm1(double x)
{
    double k;
    const double q = fast_exp_parts(fast_within(x, -50.0, 712.0), &k);
    const double power = fast_power_of_two(k); /* 2**k, where it is used */
    const double y = x > 50.0 ? fast_scaled(1.0 + q, k, 0) : power * q + (power - 1.0);
    return x == 0.0 ? x : y;
}

/* exp(factor * x * x) for a factor that is a negative power of two, with x * x exact. */
FAST fast_exp_square(double x, double factor)
{
    const double head = ieee_head(x), u = factor * (x - head) * (x + head); /* u is small */
    const double y = fast_exp(factor * head * head);
    const double near = y + y * (u + u * u * (0.5 + u * (0.16666666666666666 + u * 0.041666666666666664)));
    return x != x ? x : (-64.0 < x) & (x < 64.0) ? near : 0.0;
}

/* ---- hyperbolic ------------------------------------------------------------------------------ */

FAST fast_cosh(double x)
{
    const double half = fast_exp_times(fabs(x), -1);
    return half + 0.25 / half;
}

FAST fast_sinh(double x)
{
    const double size = fabs(x), half = fast_exp_times(size, -1), z = x * x;
    const double series =
        0x1.5555555555555p-3
        + z
              * (0x1.11111111110fcp-7
                 + z
                       * (0x1.a01a01a01f271p-13
                          + z
                                * (0x1.71de3a4dc8729p-19
                                   + z
                                         * (0x1.ae64614c752dep-26
                                            + z * (0x1.611c8b81f9143p-33 + z * 0x1.b4208ec7de2abp-41)))));
    return fast_with_sign(size < 1.0 ? size + size * z * series : half - 0.25 / half, x);
}

FAST fast_tanh(double x)
{
    const double size = fabs(x), z = x * x, w = z * z;
    const double even =
        -0x1.5555555555555p-2
        + w
              * (-0x1.ba1ba1ba0e825p-5
                 + w
                       * (-0x1.226e346bad1a5p-7
                          + w
                                * (-0x1.7d9f55a1dc28p-10
                                   + w * (-0x1.f2368c5a9947dp-13 + w * -0x1.054716147cf79p-15))));
    const double odd =
        0x1.11111111110a3p-3
        + w
              * (0x1.664f487dda656p-6
                 + w
                       * (0x1.d6d39944b1a94p-9
                          + w
                                * (0x1.3525e8e6f0471p-11
                                   + w * (0x1.8411b7ca7e68fp-14 + w * 0x1.b170a2a64d51cp-18))));
    const double twice = size > 20.0 ? 40.0 : 2.0 * size, far = 1.0 - 2.0 / (fast_exp_middle(twice) + 1.0);
    return fast_with_sign(size < 0.625 ? size + size * (z * (even + z * odd)) : far, x);
}

/* ---- logarithms ------------------------------------------------------------------------------ */

/* m from sqrt(1/2) to sqrt(2), and k, so that x is m * 2**k; x is positive and finite. */
FAST fast_split(double x, double *k)
{
    const uint64_t root_half = UINT64_C(0x3fe6a09e667f3bcd), one = UINT64_C(0x3ff0000000000000);
    const double normal = x < 0x1p-1022 ? x * 0x1p54 : x;
    const uint64_t bits = fast_bits(normal) + (one - root_half);
    const double biased = fast_double((bits >> 52) | UINT64_C(0x4330000000000000)); /* 2**52 + it */
    *k = biased - (x < 0x1p-1022 ? 0x1p52 + 1077.0 : 0x1p52 + 1023.0);
    return fast_double((bits & UINT64_C(0x000fffffffffffff)) + root_half);
}

/* log(1 + f) - f + f*f/2 for sqrt(1/2) - 1 <= f <= sqrt(2) - 1 */
FAST fast_log_rest(double f, double half_square)
{
    const double s = f / (2.0 + f), z = s * s, w = z * z;
    const double even =
        w
        * (0x1.9999999999a38p-2
           + w * (0x1.c71c72017a15cp-3 + w * (0x1.3b1c38474d3eep-3 + w * 0x1.0c06cf14c641bp-3)));
    const double odd =
        z
        * (0x1.5555555555555p-1
           + w * (0x1.2492492476ba1p-2 + w * (0x1.745cf8f6c9119p-3 + w * 0x1.0fbe478772696p-3)));
    return s * (half_square + (even + odd));
}

/* What the logarithm of x is where the formulas do not hold. */
FAST fast_logarithm(double x, double y)
{
    return x > 0.0 ? (x < INFINITY ? y : x) : x == 0.0 ? -INFINITY : NAN;
}

FAST fast_log(double x)
{
    double k;
    const double f = fast_split(x, &k) - 1.0, half_square = 0.5 * f * f;
    const double rest = fast_log_rest(f, half_square) + k * FAST_LN2_LOW;
    return fast_logarithm(x, k * FAST_LN2_HIGH - ((half_square - rest) - f));
}

/* (whole + log(1 + f) * (high + low)), where the products with high are exact */
FAST fast_log_times(double f, double high, double low, double whole, double whole_rest)
{
    const double half_square = 0.5 * f * f, head = fast_head(f - half_square);
    const double tail = ((f - head) - half_square) + fast_log_rest(f, half_square);
    const double first = head * high;
    const double sum = whole + first;
    return sum + (((whole - sum) + first) + (whole_rest + (tail + head) * low + tail * high));
}

FAST fast_log2(double x)
{
    double k;
    const double f = fast_split(x, &k) - 1.0;
    return fast_logarithm(x, fast_log_times(f, 0x1.7154768p0, -0x1.6a3e80f444178p-27, k, 0.0));
}

FAST fast_log10(double x)
{
    double k;
    const double f = fast_split(x, &k) - 1.0, whole = k * 0x1.34413509f8p-2; /* exact */
    const double y =
        fast_log_times(f, 0x1.bcb7b18p-2, -0x1.6c8d78e6acaa4p-29, whole, k * -0x1.80433b83b532ap-44);
    return fast_logarithm(x, y);
}

FAST fast_log1p(double x)
{
    double k;
    const double u = 1.0 + x, m = fast_split(u, &k);
    const double lost = (x > 1.0 ? 1.0 - (u - x) : x - (u - 1.0)) / u; /* by rounding 1 + x */
    const double f = k == 0.0 ? x : m - 1.0, half_square = 0.5 * f * f;
    const double rest = fast_log_rest(f, half_square) + (k * FAST_LN2_LOW + (k == 0.0 ? 0.0 : lost));
    const double y = fast_logarithm(u, k * FAST_LN2_HIGH - ((half_square - rest) - f));
    return x == 0.0 ? x : y;
}

/* ---- powers: x**y where fast_pow_holds ------------------------------------------------------- */

static inline int fast_pow_holds(double x, double y)
{
    double k;
    fast_split(x, &k);
    return (x >= 0x1p-1022) & (x < INFINITY) & (fabs(y) * (fabs(k) + 0.5) < 1020.0);
}

/* 2**(y * log2(x)), where log2(x) and the product have 20 bits more than a double. */
FAST fast_pow(double x, double y)
{
    double n;
    const double m = fast_split(x, &n), f = m - 1.0, below = 1.0 / (2.0 + f), s = f * below;
    const double s_head = fast_head(s), sum_head = fast_head(2.0 + f), sum_tail = f - (sum_head - 2.0);
    const double s_tail = below * ((f - s_head * sum_head) - s_head * sum_tail);
    const double z = s * s; /* 3 * log(m) is 2 * s * (3 + s*s + z*z * series) */
    const double series =
        0x1.3333333333333p-1
        + z
              * (0x1.b6db6db6db7b3p-2
                 + z
                       * (0x1.555555552fe55p-2
                          + z
                                * (0x1.1745d19c01c1fp-2
                                   + z
                                         * (0x1.d89d60acc1b3p-3
                                            + z
                                                  * (0x1.99a52ee5894f6p-3
                                                     + z
                                                           * (0x1.679d44d5d580bp-3
                                                              + z * 0x1.68262ba2328f9p-3))))));
    const double more = z * z * series + s_tail * (s_head + s), square = s_head * s_head;
    const double factor = fast_head(3.0 + square + more), factor_tail = more - ((factor - 3.0) - square);
    const double product = s_head * factor, product_tail = s_tail * factor + factor_tail * s;
    const double log_head = fast_head(product + product_tail);
    const double log_tail = product_tail - (log_head - product);
    const double high = log_head * 0x1.ec709ep-1;
    const double low = log_head * -0x1.e2fe0145b01f5p-28 + log_tail * 0x1.ec709dc3a03fdp-1;
    const double log2_head = fast_head((high + low) + n), log2_tail = low - ((log2_head - n) - high);

    const double y_head = fast_head(y), first = y_head * log2_head;
    const double second = (y - y_head) * log2_head + y * log2_tail;
    const double k = (first + second) + FAST_ROUND, above = first - (k - FAST_ROUND);
    const double e = above + second, e_tail = second - (e - above), e_head = fast_head(e);
    const double power = e_head * 0x1.62e43p-1;
    const double power_tail = e_head * -0x1.05c610ca86c39p-29 + ((e - e_head) + e_tail) * FAST_LN2;
    const double r = power + power_tail;
    return fast_scaled(1.0 + fast_exp_near_zero(r, (r - power) - power_tail), k, 0);
}

#include "fast_angles.h"

#endif
