/* Chains in lanes of which each term is a number of one dim by a number of another: sums of outer products.

   The gradient of a matrix of weights is such a chain.  A tile is OUTER_ROWS by OUTER_COLUMNS members: so
   many loads of each side serve the product of the two.  Every sum is added in the order of its terms. */

/* Sixteen sums fill half of the registers of AVX-512; elsewhere eight. */
#define OUTER_ROWS 4
#define OUTER_COLUMNS (VECTOR_BYTES == 64 ? 4 : 2)

typedef struct {
    const REAL *a, *b;
} pair;

typedef struct {
    const pair *pairs;
    size_t terms;
    ptrdiff_t a_row, b_column; /* from member to member, in numbers */
    int zero, minus;
    REAL *out;
    const int32_t *slots;
    ptrdiff_t row, column; /* from member to member of the results */
    REAL *sums;
    size_t lanes, valid;
} outer;

INTO_ITS_CALLERS static inline void outer_tile(const outer *o, size_t row, size_t column, const int rows,
                                               const int columns)
{
    const ptrdiff_t a_at = (ptrdiff_t)row * o->a_row, b_at = (ptrdiff_t)column * o->b_column;
    const ptrdiff_t member = (ptrdiff_t)row * o->row + (ptrdiff_t)column * o->column;
#define EACH_SUM(statement) \
    UNROLL for (int r = 0; r < rows; r++) UNROLL for (int c = 0; c < columns; c++) { statement; }
    size_t l = 0;
    if (SPAN == 8 && o->slots != NULL && o->terms == 1 && o->zero) {
        /* One term, summed over the samples: the running sums stay in registers for the whole block.  They
           begin at 0.0 and are never -0.0, so that 0.0 + the product need not be formed first. */
        const REAL *const a = o->pairs->a + a_at, *const b = o->pairs->b + b_at;
        vec total[OUTER_ROWS][OUTER_COLUMNS];
#define SUMS (o->sums + 8 * (ptrdiff_t)o->slots[member + r * o->row + c * o->column])
        EACH_SUM(total[r][c] = load(SUMS))
#define ALL_LANES(sign)                                                                              \
    for (; l + SPAN <= o->valid; l += SPAN) {                                                        \
        vec side[OUTER_COLUMNS];                                                                     \
        UNROLL for (int c = 0; c < columns; c++) side[c] = load(b + c * o->b_column + (ptrdiff_t)l); \
        UNROLL for (int r = 0; r < rows; r++)                                                        \
        {                                                                                            \
            const vec x = load(a + r * o->a_row + (ptrdiff_t)l);                                     \
            UNROLL for (int c = 0; c < columns; c++) total[r][c] = total[r][c] sign x * side[c];     \
        }                                                                                            \
    }
        if (o->minus)
            ALL_LANES(-)
        else
            ALL_LANES(+)
        EACH_SUM(store(SUMS, total[r][c]))
#undef ALL_LANES
#undef SUMS
    }
    for (; l < o->lanes; l += SPAN) {
        vec sum[OUTER_ROWS][OUTER_COLUMNS];
        const pair *p = o->pairs, *const end = p + o->terms;
        EACH_SUM(sum[r][c] = (vec){0})
        if (!o->zero) {
            EACH_SUM(sum[r][c] = load(p->a + a_at + r * o->a_row + (ptrdiff_t)l)
                                 * load(p->b + b_at + c * o->b_column + (ptrdiff_t)l))
            if (o->minus)
                EACH_SUM(sum[r][c] = -sum[r][c])
            p++;
        }
#define TERMS(sign)                                                                              \
    for (; p < end; p++) {                                                                       \
        const REAL *const a = p->a + a_at + (ptrdiff_t)l, *const b = p->b + b_at + (ptrdiff_t)l; \
        vec side[OUTER_COLUMNS];                                                                 \
        UNROLL for (int c = 0; c < columns; c++) side[c] = load(b + c * o->b_column);            \
        UNROLL for (int r = 0; r < rows; r++)                                                    \
        {                                                                                        \
            const vec x = load(a + r * o->a_row);                                                \
            UNROLL for (int c = 0; c < columns; c++) sum[r][c] = sum[r][c] sign x * side[c];     \
        }                                                                                        \
    }
        if (o->minus)
            TERMS(-)
        else
            TERMS(+)
        if (o->slots == NULL) {
            EACH_SUM(
                store(o->out + (member + r * o->row + c * o->column) * (ptrdiff_t)o->lanes + (ptrdiff_t)l,
                      sum[r][c]))
        } else if (SPAN <= 8 && l + SPAN <= o->valid) {
            EACH_SUM(REAL *const sums =
                         o->sums + 8 * (ptrdiff_t)o->slots[member + r * o->row + c * o->column] + l % 8;
                     store(sums, load(sums) + sum[r][c]))
        } else if (l < o->valid) {
            const size_t count = o->valid - l < SPAN ? o->valid - l : SPAN;
            EACH_SUM(REAL spread[SPAN]; store(spread, sum[r][c]);
                     REAL *const sums =
                         o->sums + 8 * (ptrdiff_t)o->slots[member + r * o->row + c * o->column];
                     for (size_t i = 0; i < count; i++) sums[(l + i) % 8] += spread[i];)
        }
    }
#undef TERMS
#undef EACH_SUM
}

#define OUTER(rows, columns)                                                        \
    static void outer_##rows##_##columns(const outer *o, size_t row, size_t column) \
    {                                                                               \
        outer_tile(o, row, column, rows, columns);                                  \
    }
OUTER(4, 4)
OUTER(2, 4)
OUTER(1, 4)
OUTER(4, 2)
OUTER(2, 2)
OUTER(1, 2)
OUTER(4, 1)
OUTER(2, 1)
OUTER(1, 1)
#undef OUTER

static void outer_members(const outer *o, size_t rows, size_t columns)
{
    typedef void outer_function(const outer *, size_t, size_t);
    static outer_function *const tiles[3][3] = {{outer_1_1, outer_1_2, outer_1_4},
                                                {outer_2_1, outer_2_2, outer_2_4},
                                                {outer_4_1, outer_4_2, outer_4_4}};
    for (size_t row = 0, high; row < rows; row += high) {
        const int i = rows - row >= 4 ? 2 : rows - row >= 2 ? 1 : 0;
        high = (size_t)1 << i;
        for (size_t column = 0, wide; column < columns; column += wide) {
            const int j = columns - column >= 4 && OUTER_COLUMNS >= 4 ? 2 : columns - column >= 2 ? 1 : 0;
            wide = (size_t)1 << j;
            tiles[i][j](o, row, column);
        }
    }
}

/* The last two dims are the sides; `run.a` goes along the first of them, `run.b` along the second. */
static void run_outer(const instruction *ins, const block *b, const desk *desk, REAL *out)
{
    const int row = ins->count - 2, column = ins->count - 1;
    const ptrdiff_t lanes = (ptrdiff_t)b->lanes;
    const REAL *const cells = b->cells[LANES];
    pair *const pairs = desk->pairs;
    outer o = {
        .pairs = pairs,
        .terms = (size_t)ins->terms,
        .a_row = (ptrdiff_t)ins->run->a.strides[row] * lanes,
        .b_column = (ptrdiff_t)ins->run->b.strides[column] * lanes,
        .zero = ins->zero,
        .minus = ins->run->minus,
        .row = (ptrdiff_t)ins->places[row],
        .column = (ptrdiff_t)ins->places[column],
        .sums = b->sums,
        .lanes = b->lanes,
        .valid = b->valid,
    };
    int64_t at[MOST_DIMS] = {0}, member = 0;
    for (;;) {
        pair *next = pairs;
        for (int64_t i = 0; i < ins->runs; i++) {
            const run *one = &ins->run[i];
            int64_t a = one->a.base, c = one->b.base;
            for (int d = 0; d < row; d++) {
                a += at[d] * one->a.strides[d];
                c += at[d] * one->b.strides[d];
            }
            for (int64_t k = 0; k < one->terms; k++, a += one->a.step, c += one->b.step)
                *next++ = (pair){cells + a * lanes, cells + c * lanes};
        }
        o.out = out + member * lanes;
        o.slots = ins->slots != NULL ? ins->slots + member : NULL;
        outer_members(&o, (size_t)ins->dims[row], (size_t)ins->dims[column]);
        if (!next_place(ins, row, ins->places, at, &member))
            return;
    }
}
