/* The ops that take a list.

   Contract: each loop is one row of ops.py, run over ieee.py: the same value and the same n
   local derivatives, bit for bit, for every n >= 1 (n even for dot).  The rows are short and
   the loops are not, so no emitter writes them; tests/minigrad/_native/test_kernels.py holds them to the rows.

   `local` has n entries, which are scratch until the answer is written there. */

#ifndef MINIGRAD_REDUCTIONS_H
#define MINIGRAD_REDUCTIONS_H

#include <stddef.h>

#include "ieee.h"

/* ---- sums, rounded once ------------------------------------------------------------------ */

/* A running sum without error, as in CPython's math.fsum (Shewchuk's partials): the sum so
   far is exactly that of the partials, which grow in size and have no bit in common.  A
   double has bits at 2098 places, from 2**-1074 to 2**1023, so there is room for any list. */
#define MOST_PARTIALS 2098

typedef struct {
    double partials[MOST_PARTIALS];
    int count;
    int overflowed;    /* the sum of some first terms is beyond the largest double */
    double not_finite; /* the sum of the terms that are infinite or NaN */
} exact_sum;

static inline void sum_start(exact_sum *sum)
{
    sum->count = 0;
    sum->overflowed = 0;
    sum->not_finite = 0.0;
}

static inline void sum_add(exact_sum *sum, double x)
{
    if (!isfinite(x)) {
        sum->not_finite += x;
        return;
    }
    int kept = 0;
    for (int i = 0; i < sum->count; i++) {
        double y = sum->partials[i];
        if (fabs(x) < fabs(y)) {
            const double larger = y;
            y = x;
            x = larger;
        }
        const double high = x + y;
        const double low = y - (high - x);
        if (low != 0.0)
            sum->partials[kept++] = low;
        x = high;
    }
    if (!isfinite(x)) {
        sum->overflowed = 1;
        kept = 0;
    } else if (x != 0.0) {
        sum->partials[kept++] = x;
    }
    sum->count = kept;
}

/* The sum so far, rounded to even; more can be added after it. */
static inline double sum_rounded(const exact_sum *sum)
{
    if (sum->not_finite != 0.0)
        return sum->not_finite;
    int i = sum->count;
    if (i == 0)
        return 0.0;
    double high = sum->partials[--i], low = 0.0;
    while (i > 0 && low == 0.0) {
        const double x = high, y = sum->partials[--i];
        high = x + y;
        low = y - (high - x);
    }
    /* A tie was rounded to even, but the partials below say on which side of it the sum is. */
    if (i > 0 && ((low < 0.0 && sum->partials[i - 1] < 0.0) || (low > 0.0 && sum->partials[i - 1] > 0.0))) {
        const double twice = low * 2.0, other = high + twice;
        if (twice == other - high)
            high = other;
    }
    return high;
}

/* ieee.fsum */
MAYBE_UNUSED static double ieee_fsum(const double *xs, ptrdiff_t n)
{
    exact_sum sum;
    sum_start(&sum);
    for (ptrdiff_t i = 0; i < n; i++)
        sum_add(&sum, xs[i]);
    if (!sum.overflowed)
        return sum_rounded(&sum);
    sum_start(&sum); /* add at a smaller scale */
    for (ptrdiff_t i = 0; i < n; i++)
        sum_add(&sum, xs[i] * 0x1p-64);
    return sum_rounded(&sum) * 0x1p+64;
}

/* ---- the rows ---------------------------------------------------------------------------- */

MAYBE_UNUSED static double nary_sum(const double *xs, ptrdiff_t n, double *local)
{
    for (ptrdiff_t i = 0; i < n; i++)
        local[i] = 1.0;
    return ieee_fsum(xs, n);
}

MAYBE_UNUSED static double nary_mean(const double *xs, ptrdiff_t n, double *local)
{
    const double total = ieee_fsum(xs, n);
    double mean = total / (double)n;
    if (!(fabs(total) < INFINITY)) { /* the sum may be beyond the largest double, and the mean is not */
        for (ptrdiff_t i = 0; i < n; i++)
            local[i] = xs[i] * 0x1p-64;
        mean = ieee_fsum(local, n) / (double)n * 0x1p+64;
    }
    for (ptrdiff_t i = 0; i < n; i++)
        local[i] = 1.0 / (double)n;
    return mean;
}

MAYBE_UNUSED static double nary_prod(const double *xs, ptrdiff_t n, double *local)
{
    double before = 1.0, after = 1.0;
    for (ptrdiff_t i = 0; i < n; i++) {
        local[i] = before;
        before *= xs[i];
    }
    for (ptrdiff_t i = n - 1; i >= 0; i--) {
        local[i] *= after;
        after *= xs[i];
    }
    return before;
}

MAYBE_UNUSED static double nary_dot(const double *xs, ptrdiff_t n, double *local)
{
    const ptrdiff_t half = n / 2;
    for (ptrdiff_t i = 0; i < half; i++)
        local[i] = xs[i] * xs[half + i];
    const double y = ieee_fsum(local, half);
    for (ptrdiff_t i = 0; i < half; i++) {
        local[i] = xs[half + i];
        local[half + i] = xs[i];
    }
    return y;
}

/* The first of the largest; NaN if any is NaN. */
static inline double ieee_max(const double *xs, ptrdiff_t n)
{
    double y = xs[0];
    for (ptrdiff_t i = 0; i < n; i++) {
        if (xs[i] != xs[i])
            return NAN;
        if (xs[i] > y)
            y = xs[i];
    }
    return y;
}

/* The first of the smallest, likewise: the row says -max(-x). */
static inline double ieee_min(const double *xs, ptrdiff_t n)
{
    double y = xs[0];
    for (ptrdiff_t i = 0; i < n; i++) {
        if (xs[i] != xs[i])
            return NAN;
        if (xs[i] < y)
            y = xs[i];
    }
    return y;
}

/* The upstream gradient is shared by those that are equal to y. */
static inline double share_extreme(double y, const double *xs, ptrdiff_t n, double *local)
{
    ptrdiff_t ties = 0;
    for (ptrdiff_t i = 0; i < n; i++)
        ties += xs[i] == y;
    const double share = 1.0 / (double)ties, none = y == y ? 0.0 : NAN;
    for (ptrdiff_t i = 0; i < n; i++)
        local[i] = xs[i] == y ? share : none;
    return y;
}

MAYBE_UNUSED static double nary_max(const double *xs, ptrdiff_t n, double *local)
{
    return share_extreme(ieee_max(xs, n), xs, n, local);
}

MAYBE_UNUSED static double nary_min(const double *xs, ptrdiff_t n, double *local)
{
    return share_extreme(ieee_min(xs, n), xs, n, local);
}

/* exp(x - y), which would multiply the rounding of x - y by |x - y|: that is put back. */
static inline double exp_difference(double x, double y)
{
    const double d = x - y;
    const double z = d - x;
    const double rounding = (x - (d - z)) - (y + z);
    const double e = exp(d);
    return fabs(d) < 1000.0 ? e + e * rounding : e;
}

MAYBE_UNUSED static double nary_logsumexp(const double *xs, ptrdiff_t n, double *local)
{
    const double top = ieee_max(xs, n);
    const double shift = top == INFINITY ? DBL_MAX : top == -INFINITY ? 0.0 : top;
    exact_sum sum; /* of shares of at most 1, or infinite ones: none of the sums overflows */
    sum_start(&sum);
    for (ptrdiff_t i = 0; i < n; i++) {
        local[i] = exp_difference(xs[i], shift);
        sum_add(&sum, local[i]);
    }
    const double total = sum_rounded(&sum);
    for (ptrdiff_t i = 0; i < n; i++)
        local[i] /= total;
    sum_add(&sum, -1.0); /* the largest share is the 1 of log1p */
    return shift + log1p(sum_rounded(&sum));
}

#endif
