/* A call option by Monte Carlo with its five slopes, derived and vectorised by hand: what a core can do.
 *
 * A path ends at S e^(a + b z), with a = (r - sigma^2/2) T and b = sigma root(T), and pays e^(-rT) (end - K)
 * where that is positive.  All five slopes follow from four sums over the paths that pay: of 1, of e^x, of
 * z e^x, and of end - K.  Eight paths are computed at a time; a root, a power and a division are there once
 * for all paths.
 *
 * `read_all` only adds the numbers up: how quickly they come from memory.
 */
#include <math.h>
#include <string.h>

enum { LANES = 8, APART = 4 }; /* numbers of a vector; vectors that are under way at once */
typedef double Vector __attribute__((vector_size(LANES * sizeof(double))));
typedef long long Whole __attribute__((vector_size(LANES * sizeof(long long))));

/* e^x for |x| < 700, to about one unit in the last place: 2^n e^r with |r| <= ln(2)/2, and a polynomial. */
static inline Vector exponential(Vector x)
{
    const double shift = 0x1.8p52; /* adding it rounds to a whole number, which is in the lowest bits */
    Vector shifted = x * 0x1.71547652b82fep0 + shift;
    Whole bits;
    memcpy(&bits, &shifted, sizeof bits);
    Vector n = shifted - shift;
    Vector r = x - n * 0x1.62e42fefa39efp-1 - n * 0x1.abc9e3b39803fp-56;
    Vector r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
    Vector low = (1.0 + r) + r2 * (1.0 / 2 + r * (1.0 / 6));
    Vector middle = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040));
    Vector high = (1.0 / 40320 + r * (1.0 / 362880)) + r2 * (1.0 / 3628800 + r * (1.0 / 39916800));
    Vector sum = low + r4 * middle + r8 * high;
    Whole result;
    memcpy(&result, &sum, sizeof result);
    result += bits << 52;
    memcpy(&sum, &result, sizeof sum);
    return sum;
}

static double across(Vector x)
{
    double sum = 0.0;
    for (int i = 0; i < LANES; i++)
        sum += x[i];
    return sum;
}

/* given: S, K, r, sigma, T.  found: the price, and its slopes in this order.  count: a multiple of 32. */
void price_and_slopes(const double *z, long count, const double *given, double *found)
{
    double s = given[0], k = given[1], r = given[2], sigma = given[3], t = given[4];
    double root = sqrt(t), a = (r - 0.5 * sigma * sigma) * t, b = sigma * root, discount = exp(-r * t);
    Vector paid[APART] = {{0.0}}, powers[APART] = {{0.0}}, moved[APART] = {{0.0}};
    Whole times[APART] = {{0}};
    for (long i = 0; i < count; i += LANES * APART)
        for (int k4 = 0; k4 < APART; k4++) {
            Vector x;
            memcpy(&x, z + i + k4 * LANES, sizeof x);
            Vector power = exponential(a + b * x), above = s * power - k;
            Whole pays = above > 0.0;
            times[k4] -= pays; /* true is -1 */
            power = (Vector)((Whole)power & pays);
            paid[k4] += (Vector)((Whole)above & pays);
            powers[k4] += power;
            moved[k4] += x * power;
        }
    double all[4] = {0.0};
    for (int k4 = 0; k4 < APART; k4++) {
        all[0] += across(paid[k4]);
        all[1] += across(powers[k4]);
        all[2] += across(moved[k4]);
        for (int i = 0; i < LANES; i++)
            all[3] += (double)times[k4][i];
    }
    double share = discount / (double)count;
    found[0] = share * all[0];
    found[1] = share * all[1];
    found[2] = -share * all[3];
    found[3] = t * (share * s * all[1] - found[0]);
    found[4] = share * s * (root * all[2] - sigma * t * all[1]);
    found[5] = share * s * ((r - 0.5 * sigma * sigma) * all[1] + 0.5 * sigma / root * all[2]) - r * found[0];
}

double read_all(const double *z, long count)
{
    Vector sums[LANES] = {{0.0}};
    for (long i = 0; i < count; i += LANES * LANES)
        for (int k = 0; k < LANES; k++) {
            Vector x;
            memcpy(&x, z + i + k * LANES, sizeof x);
            sums[k] += x;
        }
    double sum = 0.0;
    for (int k = 0; k < LANES; k++)
        sum += across(sums[k]);
    return sum;
}
