/* The rest of fast.h, by which it is included: circular functions, the error function, lengths. */

/* ---- sine, cosine, tangent: |x| < FAST_TURN_LIMIT -------------------------------------------- */

/* x - k * pi/2 for the nearest integer k, in two parts; k is in the last bits of *turns, and *odd tells
   whether it is odd in a way that every instruction set can choose by. */
FAST fast_turned(double x, double *tail, uint64_t *turns, int *odd)
{
    const double shifted = x * 0x1.45f306dc9c883p-1 + FAST_ROUND, k = shifted - FAST_ROUND;
    const double a = x - k * 0x1.921fb544p0; /* 33 bits of pi/2, then 33 more, and more: exact */
    const double b = k * 0x1.0b4611a6p-34, ab = a - b, b_back = ab - a;
    const double c = k * 0x1.3198a2ep-69, abc = ab - c, c_back = abc - ab;
    const double b_lost = (a - (ab - b_back)) - (b + b_back), c_lost = (ab - (abc - c_back)) - (c + c_back);
    const double low = (b_lost + c_lost) - k * 0x1.b839a252049c1p-104;
    const double r = abc + low;
    *tail = (abc - r) + low;
    *turns = fast_bits(shifted);
    *odd = (k * 0.5 + FAST_ROUND) - FAST_ROUND != k * 0.5;
    return r;
}

FAST fast_small_sin(double r, double tail)
{
    const double z = r * r, cube = z * r;
    const double series =
        0x1.1111111110ba5p-7
        + z
              * (-0x1.a01a019e80693p-13
                 + z * (0x1.71de379252004p-19 + z * (-0x1.ae60069e53ef1p-26 + z * 0x1.5e098556d302ep-33)));
    return r - ((z * (0.5 * tail - cube * series) - tail) - cube * -0x1.5555555555555p-3);
}

FAST fast_small_cos(double r, double tail)
{
    const double z = r * r, half = 0.5 * z, near = 1.0 - half;
    const double series =
        0x1.5555555555555p-5
        + z
              * (-0x1.6c16c16c1696p-10
                 + z
                       * (0x1.a01a019f4d0edp-16
                          + z
                                * (-0x1.27e4fa15bd814p-22
                                   + z * (0x1.1eeb66b683028p-29 + z * -0x1.907c0e63adbb6p-37))));
    return near + (((1.0 - near) - half) + (z * z * series - r * tail));
}

FAST fast_sin(double x)
{
    uint64_t turns;
    double tail;
    int odd;
    const double r = fast_turned(x, &tail, &turns, &odd);
    const double y = odd ? fast_small_cos(r, tail) : fast_small_sin(r, tail);
    return x == 0.0 ? x : fast_double(fast_bits(y) ^ ((turns & 2) << 62));
}

FAST fast_cos(double x)
{
    uint64_t turns;
    double tail;
    int odd;
    const double r = fast_turned(x, &tail, &turns, &odd);
    const double y = odd ? fast_small_sin(r, tail) : fast_small_cos(r, tail);
    return fast_double(fast_bits(y) ^ (((turns + 1) & 2) << 62));
}

FAST fast_tan(double x)
{
    uint64_t turns;
    double tail;
    int odd;
    const double r = fast_turned(x, &tail, &turns, &odd);
    const double sine = fast_small_sin(r, tail), cosine = fast_small_cos(r, tail);
    const double y = odd ? -cosine / sine : sine / cosine;
    (void)turns;
    return x == 0.0 ? x : y;
}

FAST fast_arctan(double x)
{
    const double size = fabs(x);
    const int large = size > 2.414213562373095, middle = size > 0.41421356237309503;
    const double above = large ? -1.0 : middle ? size - 1.0 : size;
    const double below = large ? size : middle ? size + 1.0 : 1.0;
    const double t = above / below, z = t * t, w = z * z;
    const double even =
        -0x1.5555555555555p-2
        + w
              * (-0x1.2492492436016p-3
                 + w
                       * (-0x1.745d0b25982f3p-4
                          + w
                                * (-0x1.10fa73c8057afp-4
                                   + w * (-0x1.a09838b71a7cfp-5 + w * -0x1.3a27dd63af0a7p-6))));
    const double odd =
        0x1.9999999999349p-3
        + w
              * (0x1.c71c71852a359p-4
                 + w * (0x1.3b1262bf324fdp-4 + w * (0x1.dfe60585956a5p-5 + w * 0x1.415ebcba15fd3p-5)));
    const double angle = large ? 0x1.921fb54442d18p0 : middle ? 0x1.921fb54442d18p-1 : 0.0;
    const double angle_rest = large ? 0x1.1a62633145c07p-54 : middle ? 0x1.1a62633145c07p-55 : 0.0;
    return fast_with_sign(angle + (t + (t * (z * (even + z * odd)) + angle_rest)), x);
}

/* ---- the error function ---------------------------------------------------------------------- */

/* exp(x*x) * erfc(x) for 0 <= x <= 28.5 */
FAST fast_erfcx(double x)
{
    const double t = (x - 4.0) / (x + 4.0), w = t * t;
    const double even =
        0x1.3ba5916e9fd7fp0
        + w
              * (0x1.f7f5df66fd69ep-7
                 + w
                       * (-0x1.9ddb23c3e8836p-4
                          + w
                                * (-0x1.0fb06dfe56609p-4
                                   + w
                                         * (-0x1.09623882815eap-6
                                            + w
                                                  * (-0x1.8d4a9c429821ap-11
                                                     + w
                                                           * (0x1.3be0686533157p-13
                                                              + w
                                                                    * (-0x1.788c8ea2a4995p-17
                                                                       + w
                                                                             * (0x1.3b661a73d331bp-22
                                                                                + w
                                                                                      * (0x1.413f7330a6736p-24
                                                                                         + w
                                                                                               * (-0x1.367e4ccf51918p-26
                                                                                                  + w * 0x1.04be156d75b5p-29))))))))));
    const double odd =
        -0x1.1df1ad154a28fp-3
        + w
              * (0x1.16ecefcfa53fdp-4
                 + w
                       * (0x1.7fee004e1154p-4
                          + w
                                * (0x1.3079edf6a5122p-5
                                   + w
                                         * (0x1.49c6727c83b9dp-8
                                            + w
                                                  * (-0x1.a1df1f44e1709p-13
                                                     + w
                                                           * (-0x1.9959d57dcbe2dp-16
                                                              + w
                                                                    * (0x1.7f2c46c89f718p-18
                                                                       + w
                                                                             * (-0x1.bb208dd3a5f1p-21
                                                                                + w
                                                                                      * (0x1.d87c1b562bbb4p-24
                                                                                         + w
                                                                                               * (-0x1.e41cfc7ab2412p-27
                                                                                                  + w * 0x1.5decf70f31f43p-30))))))))));
    return (even + t * odd) / (1.0 + 2.0 * x);
}

FAST fast_erf(double x)
{
    const double size = fabs(x), z = x * x;
    const double series =
        0x1.06eba8214db69p-3
        + z
              * (-0x1.812746b0379e5p-2
                 + z
                       * (0x1.ce2f21a04295ap-4
                          + z
                                * (-0x1.b82ce31274ee7p-6
                                   + z
                                         * (0x1.565bcd0975aa5p-8
                                            + z
                                                  * (-0x1.c02db28ceff1ep-11
                                                     + z
                                                           * (0x1.f9a2e31f336cbp-14
                                                              + z
                                                                    * (-0x1.f4ca60dd2a957p-17
                                                                       + z
                                                                             * (0x1.b94bbd17b8a19p-20
                                                                                + z
                                                                                      * (-0x1.5816992332a2ep-23
                                                                                         + z * 0x1.9576656d5cb4ep-27)))))))));
    const double near = size > 7.0 ? 7.0 : size;
    const double far = 1.0 - fast_erfcx(near) * fast_exp_square(near, -1.0);
    return fast_with_sign(size < 0.7 ? size + size * series : far, x);
}

/* The normal distribution function, right in relative terms far into the left tail. */
FAST fast_normal_cdf(double x)
{
    const double size = fabs(x), near = size > 40.0 ? 40.0 : size;
    const double tail = 0.5 * fast_erfcx(near * 0x1.6a09e667f3bcdp-1) * fast_exp_square(near, -0.5);
    return x != x ? x : x < -40.0 ? 0.0 : x < 0.0 ? tail : 1.0 - tail;
}

/* ---- lengths --------------------------------------------------------------------------------- */

FAST fast_hypot(double x, double y)
{
    const double a = fabs(x), b = fabs(y), larger = a > b ? a : b;
    const double scale = larger > 0x1p500 ? 0x1p-600 : larger < 0x1p-400 ? 0x1p600 : 1.0;
    const double back = larger > 0x1p500 ? 0x1p600 : larger < 0x1p-400 ? 0x1p-600 : 1.0;
    const double p = a * scale, q = b * scale, length = sqrt(p * p + q * q) * back;
    return (a == INFINITY) | (b == INFINITY) ? INFINITY : length;
}
