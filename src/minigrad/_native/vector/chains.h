/* Chains, exact chains and the largest of several numbers: all that has terms.

   Contract: a sum is added in the order of its terms; vectors run across sums, never along one.  A number
   of an operand that is not beside its neighbour is packed beside it first.

   What the tiles read may go up to one vector beyond the numbers that count: cells and scratch end with
   room for it, and such results are not stored. */

/* Where an operand of a run is read in this tile, and how it goes on from row to row and term to term. */
typedef struct {
    const REAL *at;
    ptrdiff_t row, step;
    const REAL *origin; /* of row 0 and column 0 */
    ptrdiff_t column;   /* 1 for a vector, 0 for a number */
    ptrdiff_t own_row;
    const int32_t *offsets; /* of the terms, in cells of `scale` numbers, in place of `step`; or NULL */
    ptrdiff_t scale;
} side;

typedef struct {
    side a, b;
    size_t terms;
    int kind; /* 2 * mode + minus; and MERGED more where terms have offsets */
} view;

typedef struct {
    REAL *at;
    ptrdiff_t row, along; /* from row to row, and from place to place of a vector */
    size_t count;         /* numbers in a row */
    /* Or, for lanes that are added up at once: */
    const int32_t *slots; /* the sums of the rows, `slot_row` apart; NULL otherwise */
    ptrdiff_t slot_row;
    REAL *sums;    /* eight for each slot: one for each sample in eight */
    size_t column; /* of which sample the first number is */
} place;

static inline REAL *sums_of(const place *out, ptrdiff_t r, size_t column)
{
    return out->sums + 8 * (ptrdiff_t)out->slots[r * out->slot_row]
           + (SPAN <= 8 ? (out->column + column) % 8 : 0);
}

/* Adds the numbers of `count` samples to eight sums, in turn. */
static void add_samples(REAL *restrict sums, const REAL *restrict x, size_t count)
{
    size_t l = 0;
    for (; l + 8 <= count; l += 8)
        for (size_t i = 0; i < 8; i++)
            sums[i] += x[l + i];
    for (size_t i = 0; l < count; l++, i++)
        sums[i] += x[l];
}

/* A short copy: of known lengths, which may overlap, so that nothing is called. */
static inline void copy_few(REAL *to, const REAL *from, size_t count)
{
    for (; count >= 8; count -= 8, to += 8, from += 8)
        memcpy(to, from, 8 * sizeof *to);
#define ENDS(size)                                                               \
    if (count >= (size)) {                                                       \
        memcpy(to, from, (size) * sizeof *to);                                   \
        memcpy(to + count - (size), from + count - (size), (size) * sizeof *to); \
        return;                                                                  \
    }
    ENDS(4)
    ENDS(2)
    ENDS(1)
#undef ENDS
}

static void put(const place *out, ptrdiff_t r, const REAL *spread)
{
    REAL *at = out->at + r * out->row;
    if (out->along == 1)
        copy_few(at, spread, out->count);
    else
        for (size_t i = 0; i < out->count; i++)
            at[(ptrdiff_t)i * out->along] = spread[i];
}

APART_FROM_ITS_CALLERS static void put_samples(REAL *sums, const REAL *spread, size_t count)
{
    add_samples(sums, spread, count);
}

#define MERGED (2 * MODES)

#define TILE_(rows, vectors) tile_##rows##_##vectors
#define TILE(rows, vectors) TILE_(rows, vectors)
#define TILE_ONE_(rows, vectors) one_tile_##rows##_##vectors
#define TILE_ONE(rows, vectors) TILE_ONE_(rows, vectors)
#define ROWS 1
#define VECTORS 1
#include "tile.h"
#define ROWS 2
#define VECTORS 1
#include "tile.h"
#define ROWS 3
#define VECTORS 1
#include "tile.h"
#define ROWS 4
#define VECTORS 1
#include "tile.h"
#define ROWS 8
#define VECTORS 1
#include "tile.h"
#define ROWS 1
#define VECTORS 2
#include "tile.h"
#define ROWS 2
#define VECTORS 2
#include "tile.h"
#define ROWS 3
#define VECTORS 2
#include "tile.h"
#define ROWS 4
#define VECTORS 2
#include "tile.h"
#define ROWS 1
#define VECTORS 4
#include "tile.h"

typedef void tile_function(view *, size_t runs, int zero, place *, size_t times);
static tile_function *const ONE_VECTOR[9] = {NULL,     tile_1_1, tile_2_1, tile_3_1, tile_4_1,
                                             tile_4_1, tile_4_1, tile_4_1, tile_8_1};
static tile_function *const TWO_VECTORS[5] = {NULL, tile_1_2, tile_2_2, tile_3_2, tile_4_2};

/* Term k of column c, as a vector of columns. */
static inline vec term_vector(const view *v, size_t k, size_t c)
{
    const REAL *a = v->a.at + (ptrdiff_t)k * v->a.step, *b = v->b.at + (ptrdiff_t)k * v->b.step;
    switch (v->kind / 2) {
    case VECTOR:
        return load(a + c);
    case NUMBER:
        return SPLAT(a[0]);
    case VECTOR_BY_VECTOR:
    case SAME_BY_VECTOR:
        return load(a + c) * load(b + c);
    case VECTOR_BY_NUMBER:
    case SAME_BY_NUMBER:
        return load(a + c) * b[0];
    default:
        return SPLAT(a[0] * b[0]);
    }
}

/* The same sum of one column, as fsum of the engine adds it. */
static REAL summed_alone(const view *v, size_t runs, size_t c, double *terms)
{
    ptrdiff_t count = 0;
    for (; runs > 0; runs--, v++)
        for (size_t k = 0; k < v->terms; k++) {
            const REAL *a = v->a.at + (ptrdiff_t)k * v->a.step + (v->a.column ? c : 0);
            const REAL *b = v->b.at + (ptrdiff_t)k * v->b.step + (v->b.column ? c : 0);
            REAL x = *a;
            if (v->kind / 2 >= VECTOR_BY_VECTOR)
                x *= *b;
            terms[count++] = v->kind % 2 ? -x : x;
        }
    return (REAL)ieee_fsum(terms, count);
}

/* A row of sums that are rounded once.  Beside each sum is what was rounded away from it, added up, and how
   much can be wrong with that.  Where this leaves no doubt about the last bit the sum is right; elsewhere, and
   where anything is not finite, it is done again without any error. */
static void tile_exact(const view *v, size_t runs, const place *out, double *terms)
{
    const REAL unit = REAL_IS_FLOAT ? (REAL)0x1p-24 : (REAL)0x1p-53;
    size_t count = 0;
    for (size_t i = 0; i < runs; i++)
        count += v[i].terms;
    const REAL doubt = unit * (REAL)(4 * count + 8);
    for (size_t c = 0; c < out->count; c += SPAN) {
        vec sum = {0}, rest = {0}, size = {0};
        for (size_t i = 0; i < runs; i++)
            for (size_t k = 0; k < v[i].terms; k++) {
                vec x = term_vector(&v[i], k, c);
                if (v[i].kind % 2)
                    x = -x;
                const vec next = sum + x, z = next - sum;
                const vec lost = (sum - (next - z)) + (x - z);
                sum = next;
                rest += lost;
                size += ABSOLUTE(lost);
            }
        REAL low[SPAN], high[SPAN];
        store(low, sum + (rest - size * doubt));
        store(high, sum + (rest + size * doubt));
        for (size_t i = 0; i < SPAN && c + i < out->count; i++)
            out->at[(ptrdiff_t)(c + i) * out->along] =
                low[i] == high[i] && low[i] - low[i] == 0 ? low[i] : summed_alone(v, runs, c + i, terms);
    }
}

/* The first of the largest; NaN where any is NaN. */
static void tile_most(const view *v, const place *out)
{
    for (size_t c = 0; c < out->count; c += SPAN) {
        REAL best[SPAN];
        store(best, term_vector(v, 0, c));
        for (size_t k = 1; k < v->terms; k++) {
            REAL next[SPAN];
            store(next, term_vector(v, k, c));
            for (size_t i = 0; i < SPAN; i++)
                best[i] = next[i] > best[i] || next[i] != next[i] ? next[i] : best[i];
        }
        for (size_t i = 0; i < SPAN && c + i < out->count; i++)
            out->at[(ptrdiff_t)(c + i) * out->along] = best[i];
    }
}

/* ---- packing ------------------------------------------------------------------------------ */

/* to[k * wide + j] = from[j * stride + k * step]: along what is nearer in memory. */
static void pack(REAL *restrict to, size_t wide, const REAL *restrict from, ptrdiff_t stride, ptrdiff_t step,
                 size_t count, size_t terms)
{
    if (step == 1 || step == -1) {
        for (size_t j = 0; j < count; j++, from += stride)
            for (size_t k = 0; k < terms; k++)
                to[k * wide + j] = from[(ptrdiff_t)k * step];
        return;
    }
    for (size_t k = 0; k < terms; k++, from += step, to += wide)
        for (size_t j = 0; j < count; j++)
            to[j] = from[(ptrdiff_t)j * stride];
}

/* A block of samples; or, for shared numbers alone, `lanes` of 1. */
typedef struct {
    REAL *cells[SPACES];
    size_t lanes, valid; /* samples, and how many of them count */
    REAL *sums;
    void *const *at; /* where the lane cells are, each by itself; or NULL */
} block;

static inline REAL *lane_cell(const block *b, int64_t cell)
{
    return b->at != NULL ? b->at[cell] : b->cells[LANES] + (size_t)cell * b->lanes;
}

/* The same for terms without a step. */
static void pack_terms(REAL *restrict to, size_t wide, const REAL *from, const operand *o, ptrdiff_t stride,
                       size_t count, size_t terms)
{
    if (o->offsets == NULL)
        pack(to, wide, from, stride, (ptrdiff_t)o->step, count, terms);
    else
        for (size_t k = 0; k < terms; k++)
            pack(to + k * wide, wide, from + o->offsets[k], stride, 0, count, 1);
}

/* What the tiles of one instruction have in common. */
typedef struct {
    const instruction *ins;
    const REAL *cells[SPACES];
    size_t scale[SPACES]; /* numbers per cell */
    REAL *scratch;
    int vector, row; /* which dims; -1 where there is none */
    size_t columns, rows;
    size_t outer; /* which row of the dims before these two, counted */
} weaving;

/* Packs `rows` rows of `count` columns of an operand, from a row and a column on. */
static void pack_tile(const weaving *w, const operand *o, side *s, size_t terms, size_t row, size_t rows,
                      size_t column, size_t count, size_t wide)
{
    REAL *to = w->scratch + o->packed;
    const REAL *cells = w->cells[o->space];
    s->at = to;
    if (o->index == NULL) {
        const ptrdiff_t stride = (ptrdiff_t)o->strides[w->vector];
        const REAL *from = s->origin + (ptrdiff_t)row * s->own_row + (ptrdiff_t)column * stride;
        s->row = s->own_row ? (ptrdiff_t)(terms * wide) : 0;
        s->step = (ptrdiff_t)wide;
        for (size_t r = 0; r < (s->own_row ? rows : 1); r++)
            pack_terms(to + (ptrdiff_t)r * s->row, wide, from + (ptrdiff_t)r * s->own_row, o, stride, count,
                       terms);
        return;
    }
    const size_t first = (w->outer * w->rows + row) * terms; /* in terms of rows */
    if (!s->column) {                                        /* one number per row and term */
        s->row = (ptrdiff_t)terms;
        s->step = 1;
        for (size_t i = 0; i < rows * terms; i++)
            to[i] = cells[o->index[first + i]];
        return;
    }
    s->row = (ptrdiff_t)(terms * wide);
    s->step = (ptrdiff_t)wide;
    for (size_t i = 0; i < rows * terms; i++, to += wide)
        if (w->vector < 0) /* lanes */
            memcpy(to, cells + (size_t)o->index[first + i] * w->scale[LANES] + column, count * sizeof *to);
        else
            for (size_t j = 0; j < count; j++)
                to[j] = cells[o->index[(first + i) * w->columns + column + j]];
}

/* ---- the tiles of an instruction ------------------------------------------------------------ */

/* Where an operand begins for one position of the outer dims. */
static void open_side(const weaving *w, const operand *o, side *s, int vectors, size_t terms,
                      const int64_t *at, int first)
{
    const instruction *ins = w->ins;
    const ptrdiff_t scale = (ptrdiff_t)w->scale[o->space];
    ptrdiff_t offset = (ptrdiff_t)o->base;
    int moved = first;
    for (int d = 0; d < (w->row < 0 ? 0 : w->row); d++) {
        offset += (ptrdiff_t)(at[d] * o->strides[d]);
        moved |= o->strides[d] != 0;
    }
    s->origin = w->cells[o->space] + offset * scale;
    s->own_row = w->row < 0 ? 0 : (ptrdiff_t)o->strides[w->row] * scale;
    s->row = s->own_row;
    s->step = (ptrdiff_t)o->step * scale;
    s->column = vectors;
    s->offsets = o->form == WHOLE || o->form == PACKED ? NULL : o->offsets;
    s->scale = scale;
    if (o->form == WHOLE) {
        const size_t wide = (w->columns + SPAN - 1) / SPAN * SPAN;
        REAL *to = w->scratch + o->packed;
        if (moved)
            pack_terms(to, wide, s->origin, o, (ptrdiff_t)o->strides[ins->count - 1], w->columns, terms);
        s->origin = to;
        s->step = (ptrdiff_t)wide;
    }
}

static void move_side(const weaving *w, const operand *o, side *s, size_t terms, size_t row, size_t rows,
                      size_t column, size_t count, size_t wide)
{
    if (o->form == PACKED)
        pack_tile(w, o, s, terms, row, rows, column, count, wide);
    else
        s->at = s->origin + (ptrdiff_t)row * s->row + (ptrdiff_t)column * s->column;
}

static const unsigned char A_FILLS[MODES] = {1, 0, 1, 1, 1, 1, 0}; /* vectors, by mode */
static const unsigned char B_FILLS[MODES] = {0, 0, 1, 1, 0, 0, 0};

/* All rows and columns for one position of the outer dims. */
static void weave(const weaving *w, const block *b, const desk *desk, REAL *out, int64_t member,
                  ptrdiff_t out_row, ptrdiff_t along)
{
    const instruction *ins = w->ins;
    view *views = desk->views;
    const int alone = ins->exact || ins->op == MOST;
    size_t vectors, rows, times = 1;
    for (size_t column = 0; column < w->columns; column += vectors * SPAN) {
        const size_t left = (w->columns - column + SPAN - 1) / SPAN;
        vectors = left >= 4 && w->rows == 1 && !alone ? 4 : left >= 2 ? 2 : 1;
        if (w->vector < 0 && w->rows >= 8)
            vectors = 1; /* lanes: eight rows of one load serve better than four of two */
        const size_t wide = vectors * SPAN;
        const size_t count = w->columns - column < wide ? w->columns - column : wide;
        for (size_t row = 0; row < w->rows; row += rows * times) {
            const size_t most = alone || vectors == 4 ? 1 : vectors == 2 ? 4 : 8;
            rows = w->rows - row < most ? w->rows - row : most;
            rows = rows > 4 && rows < 8 ? 4 : rows;
            times = ins->steady && !alone ? (w->rows - row) / rows : 1;
            for (int64_t i = 0; i < ins->runs; i++) {
                const run *one = &ins->run[i];
                view *v = &views[i];
                move_side(w, &one->a, &v->a, v->terms, row, rows, column, count, wide);
                if (one->product)
                    move_side(w, &one->b, &v->b, v->terms, row, rows, column, count, wide);
                else
                    v->b.at = v->a.at; /* not read, but a tile steps on from it */
            }
            place to = {.at = out + (ptrdiff_t)row * out_row + (ptrdiff_t)column * along,
                        .row = out_row,
                        .along = along,
                        .count = count};
            if (ins->slots != NULL) {
                if (column >= b->valid)
                    break;
                to.count = b->valid - column < count ? b->valid - column : count;
                to.slot_row = w->row < 0 ? 0 : (ptrdiff_t)ins->places[w->row];
                to.slots = ins->slots + member + (ptrdiff_t)row * to.slot_row;
                to.sums = b->sums;
                to.column = column;
            }
            if (ins->op == MOST)
                tile_most(views, &to);
            else if (ins->exact)
                tile_exact(views, (size_t)ins->runs, &to, desk->terms);
            else if (vectors == 4)
                tile_1_4(views, (size_t)ins->runs, ins->zero, &to, times);
            else
                (vectors == 2 ? TWO_VECTORS : ONE_VECTOR)[rows](views, (size_t)ins->runs, ins->zero, &to,
                                                                times);
        }
    }
}

static void run_chain(const instruction *ins, const block *b, const desk *desk, REAL *out)
{
    const size_t lanes = b->lanes;
    const int shared = ins->space == SHARED;
    weaving w = {
        .ins = ins,
        .cells = {b->cells[SHARED], b->cells[LANES]},
        .scale = {1, lanes},
        .scratch = desk->scratch,
        .vector = shared ? ins->count - 1 : -1,
        .row = shared ? ins->count - 2 : ins->count - 1,
    };
    const ptrdiff_t scale = shared ? 1 : (ptrdiff_t)lanes;
    w.columns = shared ? (size_t)ins->dims[w.vector] : lanes;
    w.rows = w.row < 0 ? 1 : (size_t)ins->dims[w.row];
    const ptrdiff_t along = shared ? (ptrdiff_t)ins->places[w.vector] : 1;
    const ptrdiff_t out_row = w.row < 0 ? 0 : (ptrdiff_t)ins->places[w.row] * scale;
    int64_t at[MOST_DIMS] = {0}, member = 0;
    view *views = desk->views;
    for (int first = 1;; first = 0) {
        for (int64_t i = 0; i < ins->runs; i++) {
            const run *one = &ins->run[i];
            view *v = &views[i];
            v->terms = (size_t)one->terms;
            v->kind = 2 * one->mode + one->minus + (one->a.offsets != NULL ? MERGED : 0);
            open_side(&w, &one->a, &v->a, A_FILLS[one->mode], v->terms, at, first);
            if (one->product)
                open_side(&w, &one->b, &v->b, B_FILLS[one->mode], v->terms, at, first);
            else
                v->b = (side){0};
        }
        weave(&w, b, desk, out + member * scale, member, out_row, along);
        if (!next_place(ins, w.row, ins->places, at, &member))
            return;
        w.outer++;
    }
}
