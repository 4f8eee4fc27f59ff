/* The kernels of `pow` for maps.h, by which this is included: its value, and its slopes in base and exponent.

   A program has most often one exponent for a whole vector, and that one is 2, 0.5, -1 or 3.  What an
   exponent means is said once per table, in exact_power and fast_power, for any element; the loops only
   find out whether a quicker way to the same bits is open to a whole stretch. */

static inline double exact_power(double x, double p) { return ieee_pow(x, p); }

/* One operation does it, and the C library is not asked, in both tables. */
static inline int is_short(double p) { return (p == 2.0) | (p == 1.0) | (p == 0.5) | (p == -1.0); }

/* The fast table has three more such exponents, where two roundings are enough. */
static inline int is_short_in_fast(double p) { return is_short(p) | (p == 3.0) | (p == -0.5) | (p == 0.0); }

static inline double inverse_root(double x) { return x == -INFINITY ? 0.0 : 1.0 / sqrt(x + 0.0); }

static inline double fast_power(double x, double p)
{
    if (p == 3.0)
        return x * x * x;
    if (p == -0.5)
        return inverse_root(x);
    return is_short(p) || !fast_pow_holds(x, p) ? ieee_pow(x, p) : fast_pow(x, p);
}

/* Is the slope right as p * x**(p-1), without the care that formulas.py takes at the ends of the range? */
static inline int is_plain(double slope, double p)
{
    const double q = p - 1.0, size = fabs(slope);
    return (1e-290 < size) & (size < INFINITY) & (q + 1.0 == p) & (p - q == 1.0);
}

static inline double exact_slope(double x, double p)
{
    const double slope = p * exact_power(x, p - 1.0);
    return is_plain(slope, p) ? slope : exact_pow_0(x, p);
}

/* y * log(x) is the slope in the exponent where y has all its bits and x is no zero. */
static inline int has_logarithm(double y, double x)
{
    const double size = fabs(y);
    return (1e-290 < size) & (size < INFINITY) & (x != 0.0);
}

static inline double exact_log_slope(double y, double x, double p)
{
    return has_logarithm(y, x) ? y * log(x) : exact_pow_1(y, x, p);
}

/* ---- exact ----------------------------------------------------------------------------------- */

CALLING_2(exact_loop_of_powers, exact_power, 0, 1)
CALLING_2(exact_loop_of_slopes, exact_slope, 1, 2)
CALLING_3(exact_loop_pow_1, exact_log_slope, 0, 1, 2)

/* Powers by one operation per element, for a fixed exponent and a vector of bases. */
static void short_powers(size_t n, REAL *out, const REAL *a, REAL p)
{
    if (p == R(2.0)) {
        EACH(n, out, a[i] * a[i]);
    } else if (p == R(1.0)) {
        EACH(n, out, a[i]);
    } else if (p == R(0.5)) {
        EACH(n, out, a[i] == R(-INFINITY) ? R(INFINITY) : REAL_SQRT(a[i] + R(0.0)));
    } else {
        EACH(n, out, R(1.0) / a[i]);
    }
}

/* The slopes of a square and of x itself, likewise. */
static void short_slopes(size_t n, REAL *out, const REAL *a, REAL p)
{
    if (p == R(2.0)) {
        EACH(n, out, R(2.0) * a[i]);
    } else {
        EACH(n, out, R(1.0));
    }
}

KERNEL(exact_loop_pow)
{
    if (n && step[0] && !step[1] && is_short(in[1][0]))
        short_powers(n, out, in[0], in[1][0]);
    else
        exact_loop_of_powers(n, out, in, step);
}

KERNEL(exact_loop_pow_0)
{
    if (n && step[1] && !step[2] && (in[2][0] == R(2.0) || in[2][0] == R(1.0)))
        short_slopes(n, out, in[1], in[2][0]);
    else
        exact_loop_of_slopes(n, out, in, step);
}

/* ---- fast ------------------------------------------------------------------------------------ */

/* fast_power(x, p - less) of at most a CHUNK */
static void fast_powers(size_t n, double *out, const REAL *x, const REAL *p, int fixed, double less)
{
    const double q = p[0] - less;
    if (fixed && q == 2.0) {
        for (size_t i = 0; i < n; i++)
            out[i] = (double)x[i] * x[i];
        return;
    }
    if (fixed && q == 3.0) {
        for (size_t i = 0; i < n; i++)
            out[i] = (double)x[i] * x[i] * x[i];
        return;
    }
    if (fixed && q == -0.5) {
        for (size_t i = 0; i < n; i++)
            out[i] = inverse_root(x[i]);
        return;
    }
    if (fixed && is_short_in_fast(q)) {
        for (size_t i = 0; i < n; i++)
            out[i] = fast_power(x[i], q);
        return;
    }
    int otherwise = 0;
    for (size_t i = 0; i < n; i++)
        out[i] = fast_pow(x[i], p[i] - less);
    for (size_t i = 0; i < n; i++)
        otherwise |= !fast_pow_holds(x[i], p[i] - less);
    for (size_t i = 0; !fixed && i < n; i++)
        otherwise |= is_short_in_fast(p[i] - less);
    for (size_t i = 0; otherwise && i < n; i++)
        if (is_short_in_fast(p[i] - less) || !fast_pow_holds(x[i], p[i] - less))
            out[i] = fast_power(x[i], p[i] - less);
}

KERNEL(fast_loop_pow)
{
    REAL rooms[2][CHUNK];
    double powers[CHUNK];
    if (n && step[0] && !step[1] && is_short(in[1][0])) {
        short_powers(n, out, in[0], in[1][0]);
        return;
    }
    BY_CHUNKS
    {
        START_CHUNK;
        const REAL *const a = chunk_of(rooms[0], in[0], at, count, step[0]);
        const REAL *const b = chunk_of(rooms[1], in[1], at, count, step[1]);
        fast_powers(full, powers, a, b, !step[1], 0.0);
        EACH(full, to, powers[i]);
        END_CHUNK;
    }
}

KERNEL(fast_loop_pow_0)
{
    REAL rooms[2][CHUNK];
    double slopes[CHUNK];
    if (n && step[1] && !step[2] && (in[2][0] == R(2.0) || in[2][0] == R(1.0))) {
        short_slopes(n, out, in[1], in[2][0]);
        return;
    }
    BY_CHUNKS
    {
        START_CHUNK;
        const REAL *const a = chunk_of(rooms[0], in[1], at, count, step[1]);
        const REAL *const b = chunk_of(rooms[1], in[2], at, count, step[2]);
        int otherwise = 0;
        fast_powers(full, slopes, a, b, !step[2], 1.0);
        for (size_t i = 0; i < full; i++)
            slopes[i] = b[i] * slopes[i];
        for (size_t i = 0; i < full; i++)
            otherwise |= !is_plain(slopes[i], b[i]);
        for (size_t i = 0; otherwise && i < count; i++)
            if (!is_plain(slopes[i], b[i]))
                slopes[i] = exact_pow_0(a[i], b[i]);
        EACH(full, to, slopes[i]);
        END_CHUNK;
    }
}

KERNEL(fast_loop_pow_1)
{
    REAL rooms[3][CHUNK];
    double slopes[CHUNK];
    BY_CHUNKS
    {
        START_CHUNK;
        const REAL *const y = chunk_of(rooms[0], in[0], at, count, step[0]);
        const REAL *const a = chunk_of(rooms[1], in[1], at, count, step[1]);
        const REAL *const b = chunk_of(rooms[2], in[2], at, count, step[2]);
        int otherwise = 0;
        for (size_t i = 0; i < full; i++)
            otherwise |= !has_logarithm(y[i], a[i]);
        for (size_t i = 0; i < full; i++)
            slopes[i] = y[i] * fast_log(a[i]);
        for (size_t i = 0; otherwise && i < count; i++)
            if (!has_logarithm(y[i], a[i]))
                slopes[i] = exact_pow_1(y[i], a[i], b[i]);
        EACH(full, to, slopes[i]);
        END_CHUNK;
    }
}
