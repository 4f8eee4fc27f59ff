/* One tile of a chain: ROWS by VECTORS sums, each added up in the order of its terms.

   Included by chains.h once per shape.  Every sum is in a register from its first term to its last; a
   product is rounded before it is added. */

#define EACH_SUM(statement) \
    UNROLL for (int r = 0; r < ROWS; r++) UNROLL for (int c = 0; c < VECTORS; c++) { statement; }

#define TERMS(prepare, sign, term)                 \
    for (size_t k = terms; k > 0; k--) {           \
        prepare;                                   \
        EACH_SUM(sum[r][c] = sum[r][c] sign(term)) \
        a += a_step;                               \
        b += b_step;                               \
    }                                              \
    break

#define BOTH_SIGNS(mode, prepare, term) \
    case 2 * mode:                      \
        TERMS(prepare, +, term);        \
    case 2 * mode + 1:                  \
        TERMS(prepare, -, term)

#define MERGED_TERMS(prepare, sign, term)                                                         \
    for (size_t k = begun; k < terms; k++) {                                                      \
        a = a_at + (v->a.offsets != NULL ? v->a.offsets[k] * v->a.scale : (ptrdiff_t)k * a_step); \
        b = b_at + (v->b.offsets != NULL ? v->b.offsets[k] * v->b.scale : (ptrdiff_t)k * b_step); \
        prepare;                                                                                  \
        EACH_SUM(sum[r][c] = sum[r][c] sign(term))                                                \
    }                                                                                             \
    break

#define BOTH_SIGNS_MERGED(mode, prepare, term) \
    case MERGED + 2 * mode:                    \
        MERGED_TERMS(prepare, +, term);        \
    case MERGED + 2 * mode + 1:                \
        MERGED_TERMS(prepare, -, term)

#define A_VECTOR load(a + r * a_row + c * SPAN)
#define B_VECTOR load(b + r * b_row + c * SPAN)
#define A_NUMBER a[r * a_row]
#define B_NUMBER b[r * b_row]
#define A_SAME         \
    vec same[VECTORS]; \
    UNROLL for (int c = 0; c < VECTORS; c++) same[c] = load(a + c * SPAN)

static inline void TILE_ONE(ROWS, VECTORS)(const view *v, size_t runs, int zero, const place *out)
{
    vec sum[ROWS][VECTORS];
    size_t begun = 0; /* terms of the first run that are in the sums */
    EACH_SUM(sum[r][c] = (vec){0})
    if (!zero) {
        const REAL *a = v->a.at, *b = v->b.at;
        const ptrdiff_t a_row = v->a.row, b_row = v->b.row;
        begun = 1;
        switch (v->kind % MERGED / 2) {
        case VECTOR:
            EACH_SUM(sum[r][c] = A_VECTOR) break;
        case NUMBER:
            EACH_SUM(sum[r][c] = SPLAT(A_NUMBER)) break;
        case VECTOR_BY_VECTOR:
        case SAME_BY_VECTOR:
            EACH_SUM(sum[r][c] = A_VECTOR * B_VECTOR) break;
        case VECTOR_BY_NUMBER:
        case SAME_BY_NUMBER:
            EACH_SUM(sum[r][c] = A_VECTOR * B_NUMBER) break;
        default:
            EACH_SUM(sum[r][c] = SPLAT(A_NUMBER * B_NUMBER))
        }
        if (v->kind % 2)
            EACH_SUM(sum[r][c] = -sum[r][c])
    }
    for (; runs > 0; runs--, v++) {
        const ptrdiff_t a_row = v->a.row, b_row = v->b.row, a_step = v->a.step, b_step = v->b.step;
        const REAL *const a_at = v->a.at, *const b_at = v->b.at;
        const REAL *a = a_at + (ptrdiff_t)begun * a_step, *b = b_at + (ptrdiff_t)begun * b_step;
        const size_t terms = v->kind < MERGED ? v->terms - begun : v->terms;
        switch (v->kind) {
            BOTH_SIGNS(VECTOR, , A_VECTOR);
            BOTH_SIGNS(NUMBER, , A_NUMBER);
            BOTH_SIGNS(VECTOR_BY_VECTOR, , A_VECTOR * B_VECTOR);
            BOTH_SIGNS(SAME_BY_VECTOR, A_SAME, same[c] * B_VECTOR);
            BOTH_SIGNS(VECTOR_BY_NUMBER, , A_VECTOR * B_NUMBER);
            BOTH_SIGNS(SAME_BY_NUMBER, A_SAME, same[c] * B_NUMBER);
            BOTH_SIGNS(NUMBER_BY_NUMBER, , (A_NUMBER * B_NUMBER));
            BOTH_SIGNS_MERGED(VECTOR, , A_VECTOR);
            BOTH_SIGNS_MERGED(VECTOR_BY_VECTOR, , A_VECTOR * B_VECTOR);
            BOTH_SIGNS_MERGED(SAME_BY_VECTOR, A_SAME, same[c] * B_VECTOR);
            BOTH_SIGNS_MERGED(VECTOR_BY_NUMBER, , A_VECTOR * B_NUMBER);
            BOTH_SIGNS_MERGED(SAME_BY_NUMBER, A_SAME, same[c] * B_NUMBER);
        }
        begun = 0;
    }
    if (out->slots != NULL) {
        if (SPAN <= 8 && out->count == VECTORS * SPAN) {
            EACH_SUM(REAL *const sums = sums_of(out, r, c * SPAN); store(sums, load(sums) + sum[r][c]))
            return;
        }
        UNROLL for (int r = 0; r < ROWS; r++)
        {
            REAL spread[VECTORS * SPAN];
            UNROLL for (int c = 0; c < VECTORS; c++) store(spread + c * SPAN, sum[r][c]);
            put_samples(sums_of(out, r, 0), spread, out->count);
        }
        return;
    }
    if (out->along == 1 && out->count == VECTORS * SPAN) {
        EACH_SUM(store(out->at + r * out->row + c * SPAN, sum[r][c]))
        return;
    }
    UNROLL for (int r = 0; r < ROWS; r++)
    {
        REAL spread[VECTORS * SPAN];
        UNROLL for (int c = 0; c < VECTORS; c++) store(spread + c * SPAN, sum[r][c]);
        put(out, r, spread);
    }
}

/* So many tiles, one below the other; `first` and `out` go on with them. */
static void TILE(ROWS, VECTORS)(view *first, size_t runs, int zero, place *out, size_t times)
{
    for (;;) {
        TILE_ONE(ROWS, VECTORS)(first, runs, zero, out);
        if (--times == 0)
            return;
        for (size_t i = 0; i < runs; i++) {
            first[i].a.at += ROWS * first[i].a.row;
            first[i].b.at += ROWS * first[i].b.row;
        }
        out->at += ROWS * out->row;
        if (out->slots != NULL)
            out->slots += ROWS * out->slot_row;
    }
}

#undef EACH_SUM
#undef TERMS
#undef BOTH_SIGNS
#undef MERGED_TERMS
#undef BOTH_SIGNS_MERGED
#undef A_VECTOR
#undef B_VECTOR
#undef A_NUMBER
#undef B_NUMBER
#undef A_SAME
#undef ROWS
#undef VECTORS
