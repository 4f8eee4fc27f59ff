/* Loops by which a kernel of maps.h goes through its operands; REAL is double or float.

   A kernel computes out[0..n) from operands of which each is a vector (step 1) or one number for
   all (step 0).  `out` may be exactly one of the operands; there is no other overlap.  Operands that the
   formula does not use are not read.  What is computed for an element depends on that element alone, so
   its bits are the same in every batch, block and instruction set. */

#include <stddef.h>

#include "fast_float.h"

typedef void (*map_kernel)(size_t n, REAL *out, const REAL *const *in, const unsigned char *step);

/* ---- the words of the formulas that need no call --------------------------------------------- */

#if REAL_IS_FLOAT
#define R(x) ((float)(x))
#define REAL_ABS fabsf
#define REAL_SQRT sqrtf
#define REAL_FAST(name) fast_##name##_float
#define REAL_BITS fast_float_bits
#define REAL_WORD uint32_t
#define EXP_LIMIT FAST_EXP_LIMIT_FLOAT
#else
#define R(x) (x)
#define REAL_ABS fabs
#define REAL_SQRT sqrt
#define REAL_FAST(name) fast_##name
#define REAL_BITS fast_bits
#define REAL_WORD uint64_t
#define EXP_LIMIT FAST_EXP_LIMIT
#endif

MAYBE_UNUSED static inline REAL REAL_SIGN(REAL x)
{
    return x > R(0.0) ? R(1.0) : x < R(0.0) ? R(-1.0) : x == R(0.0) ? R(0.0) : R(NAN);
}

/* ---- loops ----------------------------------------------------------------------------------- */

#if defined(__clang__)
#define APART _Pragma("clang loop vectorize(assume_safety)") /* elements do not depend on each other */
#elif defined(__GNUC__)
#define APART _Pragma("GCC ivdep")
#else
#define APART
#endif

#define KERNEL(name) \
    MAYBE_UNUSED static void name(size_t n, REAL *out, const REAL *const *in, const unsigned char *step)
#define EACH(n, to, answer)          \
    APART                            \
    for (size_t i = 0; i < (n); i++) \
    (to)[i] = (REAL)(answer)

#define IN_TURN(n, to, answer)       \
    for (size_t i = 0; i < (n); i++) \
    (to)[i] = (REAL)(answer)

/* Nothing is called: one loop for each way that operands can be fixed. */
#define PLAIN_0(name, f)         \
    KERNEL(name)                 \
    {                            \
        (void)in, (void)step;    \
        const REAL answer = f(); \
        EACH(n, out, answer);    \
    }
#define PLAIN_1(name, f, p)              \
    KERNEL(name)                         \
    {                                    \
        const REAL *const a = in[p];     \
        if (step[p]) {                   \
            EACH(n, out, f(a[i]));       \
        } else if (n) {                  \
            const REAL answer = f(a[0]); \
            EACH(n, out, answer);        \
        }                                \
    }
#define PLAIN_2(name, f, p, q)                         \
    KERNEL(name)                                       \
    {                                                  \
        const REAL *const a = in[p], *const b = in[q]; \
        if (n == 0)                                    \
            return;                                    \
        const REAL x = a[0], y = b[0];                 \
        if (step[p] && step[q]) {                      \
            EACH(n, out, f(a[i], b[i]));               \
        } else if (step[p]) {                          \
            EACH(n, out, f(a[i], y));                  \
        } else if (step[q]) {                          \
            EACH(n, out, f(x, b[i]));                  \
        } else {                                       \
            const REAL answer = f(x, y);               \
            EACH(n, out, answer);                      \
        }                                              \
    }
#define PLAIN_3(name, f, p, q, r) FAST_3(name, f, p, q, r)
#define PLAIN_4(name, f, p, q, r, s) FAST_4(name, f, p, q, r, s)

/* The C library is called: no loop of these becomes SIMD, so one is enough. */
#define CALLING_1(name, f, p)                  \
    KERNEL(name)                               \
    {                                          \
        const REAL *const a = in[p];           \
        if (step[p]) {                         \
            IN_TURN(n, out, f(a[i]));          \
        } else if (n) {                        \
            const REAL answer = (REAL)f(a[0]); \
            IN_TURN(n, out, answer);           \
        }                                      \
    }
#define CALLING_2(name, f, p, q)                                 \
    KERNEL(name)                                                 \
    {                                                            \
        const REAL *const a = in[p], *const b = in[q];           \
        const size_t sa = step[p], sb = step[q];                 \
        const REAL x = n ? a[0] : R(0.0), y = n ? b[0] : R(0.0); \
        IN_TURN(n, out, f(sa ? a[i] : x, sb ? b[i] : y));        \
    }
#define CALLING_3(name, f, p, q, r)                                                     \
    KERNEL(name)                                                                        \
    {                                                                                   \
        const REAL *const a = in[p], *const b = in[q], *const c = in[r];                \
        const size_t sa = step[p], sb = step[q], sc = step[r];                          \
        const REAL x = n ? a[0] : R(0.0), y = n ? b[0] : R(0.0), z = n ? c[0] : R(0.0); \
        IN_TURN(n, out, f(sa ? a[i] : x, sb ? b[i] : y, sc ? c[i] : z));                \
    }

/* Longer bodies go by chunks.  One that is not a whole number of the widest vectors is padded with copies of
   its first element, so that there is no rest to do one by one; a fixed operand becomes a vector of its own. */
#define CHUNK 128
#define WIDTH (64 / sizeof(REAL))
#define PADDED(count) (((count) + WIDTH - 1) / WIDTH * WIDTH)

static inline const REAL *chunk_of(REAL *room, const REAL *a, size_t at, size_t count, int step)
{
    if (step) {
        a += at;
        if (count == PADDED(count))
            return a;
        memcpy(room, a, count * sizeof *a);
    } else if (at) {
        return room;
    }
    const REAL x = a[0];
    for (size_t i = step ? count : 0; i < PADDED(count); i++)
        room[i] = x;
    return room;
}

#define BY_CHUNKS     \
    REAL last[CHUNK]; \
    for (size_t at = 0, count; at < n; at += count)
#define START_CHUNK                          \
    count = n - at < CHUNK ? n - at : CHUNK; \
    const size_t full = PADDED(count);       \
    REAL *const to = full == count ? out + at : last
#define END_CHUNK   \
    if (to == last) \
    memcpy(out + at, last, count * sizeof *out)

#define ROOM(a, number, p) const REAL *const a = chunk_of(rooms[number], in[p], at, count, step[p]);
#define FAST_OF(name, many, ROOMS, answer) \
    KERNEL(name)                           \
    {                                      \
        REAL rooms[many][CHUNK];           \
        BY_CHUNKS                          \
        {                                  \
            START_CHUNK;                   \
            ROOMS                          \
            EACH(full, to, answer);        \
            END_CHUNK;                     \
        }                                  \
    }
#define FAST_1(name, f, p) FAST_OF(name, 1, ROOM(a, 0, p), f(a[i]))
#define FAST_2(name, f, p, q) FAST_OF(name, 2, ROOM(a, 0, p) ROOM(b, 1, q), f(a[i], b[i]))
#define FAST_3(name, f, p, q, r) \
    FAST_OF(name, 3, ROOM(a, 0, p) ROOM(b, 1, q) ROOM(c, 2, r), f(a[i], b[i], c[i]))
#define FAST_4(name, f, p, q, r, s) \
    FAST_OF(name, 4, ROOM(a, 0, p) ROOM(b, 1, q) ROOM(c, 2, r) ROOM(d, 3, s), f(a[i], b[i], c[i], d[i]))

/* The first bit of it says that |x| is above a limit.  (A NaN is not, and need not be: it stays one.) */
#define BEYOND(x, limit) REAL_BITS((limit) - REAL_ABS(x))
#define IS_BEYOND(bits) ((bits) >> (8 * sizeof(bits) - 1))

static inline REAL_WORD beyond(const REAL *a, size_t n, REAL limit)
{
    REAL_WORD bits = 0;
    for (size_t i = 0; i < n; i++)
        bits |= BEYOND(a[i], limit);
    return bits;
}

/* `f` holds up to a limit, and `g` is the C library's, which is called for what is above it. */
#define NEAR_1(name, f, g, limit, p)                                                       \
    KERNEL(name)                                                                           \
    {                                                                                      \
        REAL rooms[1][CHUNK];                                                              \
        BY_CHUNKS                                                                          \
        {                                                                                  \
            START_CHUNK;                                                                   \
            const REAL *a = chunk_of(rooms[0], in[p], at, count, step[p]);                 \
            const REAL_WORD far = beyond(a, full, limit);                                  \
            if (IS_BEYOND(far) && a != rooms[0])                                           \
                a = memcpy(rooms[0], a, count * sizeof *a); /* `to` may be in its place */ \
            EACH(full, to, f(a[i]));                                                       \
            for (size_t i = 0; IS_BEYOND(far) && i < count; i++)                           \
                if (REAL_ABS(a[i]) > (limit))                                              \
                    to[i] = (REAL)g(a[i]);                                                 \
            END_CHUNK;                                                                     \
        }                                                                                  \
    }

/* `f` gives the bits of `g` up to a limit, and sooner.  Elsewhere than in place it is tried at once. */
#define MIDDLE_1(name, f, g, limit, p)                                           \
    KERNEL(name)                                                                 \
    {                                                                            \
        REAL rooms[1][CHUNK];                                                    \
        BY_CHUNKS                                                                \
        {                                                                        \
            START_CHUNK;                                                         \
            const REAL *const a = chunk_of(rooms[0], in[p], at, count, step[p]); \
            REAL_WORD far = a == to ? beyond(a, full, limit) : 0;                \
            if (!IS_BEYOND(far)) {                                               \
                APART                                                            \
                for (size_t i = 0; i < full; i++) {                              \
                    const REAL x = a[i];                                         \
                    far |= BEYOND(x, limit);                                     \
                    to[i] = f(x);                                                \
                }                                                                \
            }                                                                    \
            if (IS_BEYOND(far)) {                                                \
                EACH(full, to, g(a[i]));                                         \
            }                                                                    \
            END_CHUNK;                                                           \
        }                                                                        \
    }
