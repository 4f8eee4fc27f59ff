/* The functions of fast.h that are worth having in single precision too, under the same contract.

   What is not here is computed in double precision and rounded, which is nearly always right to the bit. */

#ifndef MINIGRAD_FAST_FLOAT_H
#define MINIGRAD_FAST_FLOAT_H

#include "fast.h"

#define FAST_FLOAT MAYBE_UNUSED static inline float

static const float FAST_ROUND_FLOAT = 0x1.8p23f;
static const float FAST_LN2_HIGH_FLOAT = 0x1.62e8p-1f, FAST_LN2_LOW_FLOAT = -0x1.e8082ep-16f;

static inline uint32_t fast_float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

FAST_FLOAT fast_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

FAST_FLOAT fast_float_power_of_two(float k)
{
    return fast_float((fast_float_bits(k + FAST_ROUND_FLOAT) + 127) << 23);
}

FAST_FLOAT fast_float_scaled(float y, float k)
{
    const float half = (k * 0.5f + FAST_ROUND_FLOAT) - FAST_ROUND_FLOAT;
    return y * fast_float_power_of_two(half) * fast_float_power_of_two(k - half);
}

FAST_FLOAT fast_float_exp_parts(float x, float *k)
{
    *k = (x * 0x1.715476p0f + FAST_ROUND_FLOAT) - FAST_ROUND_FLOAT;
    const float high = x - *k * FAST_LN2_HIGH_FLOAT, low = *k * FAST_LN2_LOW_FLOAT;
    const float r = high - low, rest = (high - r) - low;
    const float series =
        0x1p-1f + r * (0x1.5554dcp-3f + r * (0x1.555518p-5f + r * (0x1.120cbap-7f + r * 0x1.6d1254p-10f)));
    return r + (r * r * series + rest);
}

FAST_FLOAT fast_exp_float(float x)
{
    float k;
    const float above = x > 90.0f ? 90.0f : x;
    const float q = fast_float_exp_parts(above < -105.0f ? -105.0f : above, &k);
    return fast_float_scaled(1.0f + q, k);
}

/* The same for |x| < FAST_EXP_LIMIT_FLOAT. */
#define FAST_EXP_LIMIT_FLOAT 87.0f
FAST_FLOAT fast_exp_middle_float(float x)
{
    float k;
    const float y = 1.0f + fast_float_exp_parts(x, &k);
    return fast_float(fast_float_bits(y) + (fast_float_bits(k + FAST_ROUND_FLOAT) << 23));
}

FAST_FLOAT fast_expm1_float(float x)
{
    float k;
    const float above = x > 90.0f ? 90.0f : x;
    const float q = fast_float_exp_parts(above < -30.0f ? -30.0f : above, &k);
    const float power = fast_float_power_of_two(k > 100.0f ? 100.0f : k);
    const float y = x > 30.0f ? fast_float_scaled(1.0f + q, k) : power * q + (power - 1.0f);
    return x == 0.0f ? x : y;
}

FAST_FLOAT fast_tanh_float(float x)
{
    const float size = fabsf(x), z = x * x;
    const float series =
        -0x1.555552p-2f
        + z * (0x1.110e1p-3f + z * (-0x1.b92262p-5f + z * (0x1.57e6a2p-6f + z * -0x1.8ee028p-8f)));
    const float twice = size > 10.0f ? 20.0f : 2.0f * size,
                far = 1.0f - 2.0f / (fast_exp_middle_float(twice) + 1.0f);
    const float y = size < 0.625f ? size + size * (z * series) : far;
    const uint32_t mask = UINT32_C(1) << 31;
    return fast_float((fast_float_bits(y) & ~mask) | (fast_float_bits(x) & mask));
}

FAST_FLOAT fast_float_split(float x, float *k)
{
    const uint32_t root_half = UINT32_C(0x3f3504f3), one = UINT32_C(0x3f800000);
    const float normal = x < 0x1p-126f ? x * 0x1p24f : x;
    const uint32_t bits = fast_float_bits(normal) + (one - root_half);
    const float biased = fast_float((bits >> 23) | UINT32_C(0x4b000000)); /* 2**23 + it */
    *k = biased - (x < 0x1p-126f ? 0x1p23f + 151.0f : 0x1p23f + 127.0f);
    return fast_float((bits & UINT32_C(0x007fffff)) + root_half);
}

/* log(1 + f) + rest and k * log(2) */
FAST_FLOAT fast_float_log_of(float f, float k, float rest)
{
    const float half_square = 0.5f * f * f, s = f / (2.0f + f), z = s * s;
    const float series = z * (0x1.55555cp-1f + z * (0x1.997c2ap-2f + z * 0x1.2ee73ep-2f));
    const float small = s * (half_square + series) + (k * FAST_LN2_LOW_FLOAT + rest);
    return k * FAST_LN2_HIGH_FLOAT - ((half_square - small) - f);
}

FAST_FLOAT fast_log_float(float x)
{
    float k;
    const float f = fast_float_split(x, &k) - 1.0f, y = fast_float_log_of(f, k, 0.0f);
    return x > 0.0f ? (x < INFINITY ? y : x) : x == 0.0f ? -INFINITY : NAN;
}

FAST_FLOAT fast_log1p_float(float x)
{
    float k;
    const float u = 1.0f + x, m = fast_float_split(u, &k);
    const float lost = (x > 1.0f ? 1.0f - (u - x) : x - (u - 1.0f)) / u; /* by rounding 1 + x */
    const float y = fast_float_log_of(k == 0.0f ? x : m - 1.0f, k, k == 0.0f ? 0.0f : lost);
    const float whole = u > 0.0f ? (u < INFINITY ? y : u) : u == 0.0f ? -INFINITY : NAN;
    return x == 0.0f ? x : whole;
}

#endif
