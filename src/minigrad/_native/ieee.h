/* ieee.py in C: floats on which no function raises.

   Contract: for every double, each function here gives the bits that its namesake in
   ieee.py gives; only the sign and payload of a NaN are free.  What is missing here is the
   C library's function itself, which already is total by IEEE 754: exp, exp2, expm1, log,
   log2, log10, log1p, sqrt, hypot, erf, fabs, and the (inverse) circular and hyperbolic
   functions.  Division is `/`.

   It holds where a double is computed as a double: no -ffast-math, no fused multiply-add
   (-ffp-contract=off), no x87.  -fno-math-errno is welcome: nobody reads errno. */

#ifndef MINIGRAD_IEEE_H
#define MINIGRAD_IEEE_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__FAST_MATH__) || (defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0)
#error "minigrad needs IEEE 754 doubles: no -ffast-math, and SSE2 instead of x87 (-mfpmath=sse)"
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

#if defined(__GNUC__)
#define MAYBE_UNUSED __attribute__((unused))
#else
#define MAYBE_UNUSED
#endif

/* ---- the local derivative of a slot that sends no message: None in Python --------------- */

#define SILENT_BITS UINT64_C(0x7ff86d696e696772) /* a quiet NaN that no arithmetic makes */

MAYBE_UNUSED static inline double silent(void)
{
    const uint64_t bits = SILENT_BITS;
    double local;
    memcpy(&local, &bits, sizeof local);
    return local;
}

MAYBE_UNUSED static inline int is_silent(double local)
{
    uint64_t bits;
    memcpy(&bits, &local, sizeof bits);
    return bits == SILENT_BITS;
}

/* ---- what the C library lacks ------------------------------------------------------------ */

MAYBE_UNUSED static inline double ieee_sign(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x == 0.0 ? 0.0 : NAN;
}

/* C's pow; the commonest exponents take one operation, which rounds correctly and is far faster. */
MAYBE_UNUSED static inline double ieee_pow(double x, double y)
{
    if (y == 2.0)
        return x * x;
    if (y == 1.0)
        return x;
    if (y == 0.5)
        return x == -INFINITY ? INFINITY : sqrt(x + 0.0); /* pow forgets the sign of a zero, sqrt does not */
    if (y == -1.0)
        return 1.0 / x;
    return pow(x, y);
}

/* x as a head of 26 bits and a tail, so that a product of two such halves is exact. */
static inline double ieee_head(double x)
{
    const double scaled = 134217729.0 * x; /* 2**27 + 1 */
    return scaled - (scaled - x);
}

/* What was rounded away from x * y. */
static inline double ieee_product_rounding(double x, double y, double product)
{
    const double a = ieee_head(x), b = x - a;
    const double c = ieee_head(y), d = y - c;
    return a * c - product + a * d + b * c + b * d;
}

/* The C library's cube root is several ulp off; one Newton step on it is not. */
MAYBE_UNUSED static double ieee_cbrt(double x)
{
    int exponent;
    if (x == 0.0 || !isfinite(x))
        return x;
    double fraction = frexp(x, &exponent);
    const int thirds = exponent >= 0 ? exponent / 3 : -((2 - exponent) / 3); /* rounded down */
    fraction = ldexp(fraction, exponent - 3 * thirds);
    const double root = cbrt(fraction);
    const double square = root * root;
    const double cube = square * root;
    double excess = cube - fraction + ieee_product_rounding(square, root, cube);
    excess += ieee_product_rounding(root, root, square) * root;
    return ldexp(root - excess / (3.0 * square), thirds);
}

/* exp(factor * x * x) for a factor that is a negative power of two, with x * x exact. */
MAYBE_UNUSED static double ieee_exp_square(double x, double factor)
{
    if (!(-64.0 < x && x < 64.0))
        return x != x ? NAN : 0.0;
    const double head = ieee_head(x), tail = x - head;
    return exp(factor * head * head) * exp(factor * tail * (x + head));
}

/* The normal distribution function, right in relative terms far into the left tail. */
MAYBE_UNUSED static double ieee_normal_cdf(double x)
{
    const double root_half = 0x1.6a09e667f3bcdp-1;
    const double root_half_rest = -0x1.bdd3413b26456p-55; /* what no double near sqrt(1/2) can hold of it */
    const double root_of_inverse_pi = 0x1.20dd750429b6dp-1;
    if (x < -40.0)
        return 0.0;
    if (x > 10.0 || x != x)
        return x != x ? NAN : 1.0;
    const double z = x * root_half;
    const double rounding = ieee_product_rounding(x, root_half, z) + x * root_half_rest;
    return 0.5 * erfc(-z) + rounding * root_of_inverse_pi * ieee_exp_square(z, -1.0);
}

#endif
