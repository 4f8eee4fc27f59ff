/* A machine: what runs a program, for one instruction set and one type of number.

   Included once by each of the small files beside it, which define

     REAL, REAL_IS_FLOAT   the type of number
     MACHINE, MACHINE_NAME the name of what is defined here, and of the instruction set
     VECTOR_BYTES          how long a vector is

   Contract: every machine of one type gives the same bits for the same program, whatever the batch, the block
   and the number of threads.  So nothing here adds in another order, and no product and sum are rounded
   together (-ffp-contract=off). */

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../ieee.h"
#include "../reductions.h"
#include "vector.h"

#if defined(__GNUC__)
typedef REAL vec __attribute__((vector_size(VECTOR_BYTES)));
typedef REAL loose __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(REAL)), may_alias));
#define SPAN ((size_t)(VECTOR_BYTES / sizeof(REAL)))
#define SPLAT(x) ((x) - (vec){0})
#define UNROLL _Pragma("GCC unroll 8")
#define APART_FROM_ITS_CALLERS __attribute__((noinline))
#define INTO_ITS_CALLERS __attribute__((always_inline))
static inline vec load(const REAL *at) { return *(const loose *)at; }
static inline void store(REAL *at, vec x) { *(loose *)at = x; }
#if REAL_IS_FLOAT
typedef int32_t bits __attribute__((vector_size(VECTOR_BYTES)));
#define ABSOLUTE(x) ((vec)((bits)(x) & INT32_MAX))
#else
typedef int64_t bits __attribute__((vector_size(VECTOR_BYTES)));
#define ABSOLUTE(x) ((vec)((bits)(x) & INT64_MAX))
#endif
#else /* one number at a time */
typedef REAL vec;
#define SPAN ((size_t)1)
#define SPLAT(x) (x)
#define UNROLL
#define APART_FROM_ITS_CALLERS
#define INTO_ITS_CALLERS
#define ABSOLUTE(x) ((REAL)fabs((double)(x)))
static inline vec load(const REAL *at) { return *at; }
static inline void store(REAL *at, vec x) { *at = x; }
#endif

#include "maps.h"
#include "chains.h"
#include "plain.h"
#include "outer.h"
#include "elements.h"

static const char *kernel_of(int id, int *arity)
{
#define ROW(name, text, operands) {text, operands},
    static const struct {
        const char *text;
        int operands;
    } rows[] = {MAP_LIST(ROW)};
#undef ROW
    *arity = rows[id].operands;
    return rows[id].text;
}

/* ---- numbers in and out ----------------------------------------------------------------------- */

static void get(REAL *restrict to, const column *from, int64_t first, int64_t count)
{
    const char *at = from->data + first * from->stride;
    if (from->single)
        for (int64_t i = 0; i < count; i++)
            to[i] = (REAL) * (const float *)(at + i * from->stride);
    else if (from->stride == (ptrdiff_t)sizeof(double))
        for (int64_t i = 0; i < count; i++)
            to[i] = (REAL)((const double *)at)[i];
    else
        for (int64_t i = 0; i < count; i++)
            to[i] = (REAL) * (const double *)(at + i * from->stride);
}

static void give(const column *to, int64_t first, const REAL *restrict from, int64_t count)
{
    char *at = to->data + first * to->stride;
    if (to->single)
        for (int64_t i = 0; i < count; i++)
            *(float *)(at + i * to->stride) = (float)from[i];
    else if (to->stride == (ptrdiff_t)sizeof(double))
        for (int64_t i = 0; i < count; i++)
            ((double *)at)[i] = (double)from[i];
    else
        for (int64_t i = 0; i < count; i++)
            *(double *)(at + i * to->stride) = (double)from[i];
}

static int broken(double x, double expected)
{
    return expected == expected && x != expected;
} /* NaN: no guard */

/* ---- running ------------------------------------------------------------------------------------ */

static void run_one(const program *p, const instruction *ins, const block *b, const desk *desk)
{
    const size_t lanes = b->lanes;
    REAL *const out =
        ins->space == LANES && ins->op != LANE_SUM ? lane_cell(b, ins->out) : b->cells[SHARED] + ins->out;
    REAL *const to = ins->aside ? desk->scratch : out;
    const REAL *const from[SPACES] = {b->cells[SHARED], b->cells[LANES]};
    switch (ins->op) {
    case MAP:
        run_map(p, ins, b, desk, to);
        break;
    case TAKE:
        run_take(ins, from, lanes, to);
        break;
    case LEAN:
        run_lean(p, ins, b->cells[SHARED]);
        return;
    case PUT:
        run_put(ins, b, to);
        break;
    case LANE_SUM:
        run_lane_sum(ins, b);
        return;
    default:
        if (ins->plain != NULL)
            run_plain(ins, b, to);
        else if (ins->outer)
            run_outer(ins, b, desk, to);
        else
            run_chain(ins, b, desk, to);
    }
    if (ins->aside)
        memcpy(out, to, (size_t)ins->members * lanes * sizeof *out);
}

static void run_part(const program *p, int part, workspace *w)
{
    const block b = {.cells = {w->shared, NULL}, .lanes = 1, .valid = 1};
    for (int64_t i = 0; i < p->counts[part]; i++)
        run_one(p, &p->instructions[part][i], &b, &w->desk[0]);
}

/* Whether two columns have memory in common. */
static int meet(const column *x, const column *y, int64_t batch)
{
    const char *x_end = x->data + batch * x->stride, *y_end = y->data + batch * y->stride;
    return (x->stride <= 0 || y->stride <= 0) || (x->data < y_end && y->data < x_end);
}

/* Which columns are read and written where they are: those of numbers of our type, side by side, of which
   none is written before it was read for the last time. */
static void find_direct(const program *p, workspace *w, const call *c)
{
    unsigned char *in = w->direct, *out = w->direct + p->inputs[LANES];
    for (int64_t i = 0; i < p->inputs[LANES]; i++)
        in[i] = p->column[0][i].direct && c->in[i].single == REAL_IS_FLOAT
                && c->in[i].stride == (ptrdiff_t)sizeof(REAL);
    for (int64_t j = 0; j < p->outputs[LANES]; j++) {
        const column *mine = &c->out[j];
        out[j] = p->column[1][j].direct && mine->single == REAL_IS_FLOAT
                 && mine->stride == (ptrdiff_t)sizeof(REAL);
        for (int64_t i = 0; i < p->inputs[LANES] && out[j]; i++)
            if (meet(mine, &c->in[i], c->batch))
                out[j] = mine->data == c->in[i].data && c->in[i].stride == mine->stride
                         && p->column[1][j].when >= p->column[0][i].when;
        for (int64_t i = 0; i < p->outputs[LANES] && out[j]; i++)
            out[j] = i == j || !meet(mine, &c->out[i], c->batch);
    }
}

static void machine_begin(const program *p, workspace *w, const call *c)
{
    REAL *shared = w->shared;
    for (int64_t i = 0; i < p->constants; i++)
        shared[p->first_constant + i] = (REAL)p->constant[i];
    get(shared, &c->shared, 0, p->inputs[SHARED]);
    if (p->column[0] != NULL)
        find_direct(p, w, c);
    memset(w->totals, 0, (size_t)p->sums * sizeof(REAL));
    run_part(p, BEFORE, w);
}

static int machine_chunk(const program *p, const workspace *w, const desk *desk, const call *c, int64_t first,
                         int64_t count)
{
    int64_t lanes = REAL_IS_FLOAT ? 16 : 8; /* no longer a block than the batch needs */
    while (lanes < p->lanes && lanes < c->batch)
        lanes *= 2;
    REAL *const numbers = desk->lanes;
    block b = {.cells = {w->shared, numbers}, .lanes = (size_t)lanes, .sums = desk->sums};
    const unsigned char *in_direct = w->direct, *out_direct = w->direct + p->inputs[LANES];
    int bad = 0;
    memset(desk->sums, 0, 8 * (size_t)p->sums * sizeof(REAL));
    for (int64_t begin = 0; begin < count; begin += lanes) {
        const int64_t valid = count - begin < lanes ? count - begin : lanes;
        const int whole = p->column[0] != NULL && valid == lanes;
        if (p->column[0] != NULL) {
            for (int64_t i = 0; i < p->cells[LANES]; i++)
                desk->at[i] = numbers + i * lanes;
            b.at = desk->at;
        }
        for (int64_t i = 0; i < p->outputs[LANES]; i++)
            if (whole && out_direct[i])
                desk->at[p->output[LANES][i]] = c->out[i].data + (first + begin) * c->out[i].stride;
        for (int64_t i = 0; i < p->inputs[LANES]; i++) {
            if (whole && in_direct[i]) {
                desk->at[i] = c->in[i].data + (first + begin) * c->in[i].stride;
                continue;
            }
            get(numbers + i * lanes, &c->in[i], first + begin, valid);
            for (int64_t l = valid; l < lanes; l++)
                numbers[i * lanes + l] = numbers[i * lanes + valid - 1];
        }
        b.valid = (size_t)valid;
        for (int64_t i = 0; i < p->counts[BODY]; i++)
            run_one(p, &p->instructions[BODY][i], &b, desk);
        for (int64_t i = 0; i < c->guards[LANES]; i++) {
            const guard *g = &c->guard[LANES][i];
            for (int64_t l = 0; l < valid; l++)
                bad |= broken((double)lane_cell(&b, p->output[LANES][g->place])[l], g->expected);
        }
        for (int64_t i = 0; i < p->outputs[LANES]; i++)
            if (!whole || !out_direct[i])
                give(&c->out[i], first + begin, lane_cell(&b, p->output[LANES][i]), valid);
    }
    return bad;
}

static void machine_add(const program *p, workspace *w, const desk *desk)
{
    REAL *restrict totals = w->totals;
    const REAL *restrict sums = desk->sums;
    for (int64_t i = 0; i < p->sums; i++)
        totals[i] += eight(sums + 8 * i);
}

static int machine_end(const program *p, workspace *w, const call *c)
{
    REAL *shared = w->shared;
    const REAL *const totals = w->totals;
    for (int64_t i = 0; i < p->counts[BODY]; i++) {
        const instruction *ins = &p->instructions[BODY][i];
        if (ins->op != LANE_SUM)
            continue;
        memcpy(shared + ins->out, totals + ins->slot, (size_t)ins->members * sizeof *shared);
    }
    run_part(p, AFTER, w);
    for (int64_t i = 0; i < c->guards[SHARED]; i++) {
        const guard *g = &c->guard[SHARED][i];
        if (broken((double)shared[p->output[SHARED][g->place]], g->expected))
            return 1;
    }
    for (int64_t i = 0; i < p->stretches; i++)
        give(&c->shared_out, p->stretch[i].place, shared + p->stretch[i].cell, p->stretch[i].count);
    return 0;
}

const machine MACHINE = {
    .name = MACHINE_NAME,
    .single = REAL_IS_FLOAT,
    .size = sizeof(REAL),
    .width = (int)SPAN,
    .view = sizeof(view),
    .kernels = MAP_COUNT,
    .kernel = kernel_of,
    .begin = machine_begin,
    .chunk = machine_chunk,
    .add = machine_add,
    .end = machine_end,
};
