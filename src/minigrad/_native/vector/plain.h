/* Chains of few terms whose operands lie as their results do, or are one number for all.

   Such a chain goes through all members and samples in one plain loop, some vectors at a time, without the
   tiles of chains.h.  Every sum is still added in the order of its terms. */

#define STRIP 8 /* vectors at a time: a multiple of eight numbers, as LaneSum counts them */

INTO_ITS_CALLERS static inline void begin_strip(const plain_term *t, const REAL *a, const REAL *b, vec *sum,
                                                int vectors)
{
#define EACH_VECTOR(value) UNROLL for (int i = 0; i < vectors; i++) sum[i] = (value)
    switch (t->kind / 2) {
    case VECTOR:
        EACH_VECTOR(load(a + i * SPAN));
        break;
    case NUMBER:
        EACH_VECTOR(SPLAT(a[0]));
        break;
    case VECTOR_BY_VECTOR:
        EACH_VECTOR(load(a + i * SPAN) * load(b + i * SPAN));
        break;
    case VECTOR_BY_NUMBER:
        EACH_VECTOR(load(a + i * SPAN) * b[0]);
        break;
    default:
        EACH_VECTOR(SPLAT(a[0] * b[0]));
    }
    if (t->kind % 2)
        EACH_VECTOR(-sum[i]);
}

INTO_ITS_CALLERS static inline void add_strip(const plain_term *t, const REAL *a, const REAL *b, vec *sum,
                                              int vectors)
{
#define BOTH(mode, value)              \
    case 2 * mode:                     \
        EACH_VECTOR(sum[i] + (value)); \
        break;                         \
    case 2 * mode + 1:                 \
        EACH_VECTOR(sum[i] - (value)); \
        break
    switch (t->kind) {
        BOTH(VECTOR, load(a + i * SPAN));
        BOTH(NUMBER, a[0]);
        BOTH(VECTOR_BY_VECTOR, load(a + i * SPAN) * load(b + i * SPAN));
        BOTH(VECTOR_BY_NUMBER, load(a + i * SPAN) * b[0]);
        BOTH(NUMBER_BY_NUMBER, (a[0] * b[0]));
    }
#undef BOTH
#undef EACH_VECTOR
}

/* The sums from number `at` on. */
INTO_ITS_CALLERS static inline void strip(const instruction *ins, const REAL *const *a, const REAL *const *b,
                                          size_t at, vec *sum, int vectors)
{
    const plain_term *t = ins->plain, *const end = t + ins->terms;
    if (ins->zero)
        for (int i = 0; i < vectors; i++)
            sum[i] = (vec){0};
    else {
        begin_strip(t, *a + (t->a_moves ? at : 0), *b + (t->b_moves ? at : 0), sum, vectors);
        t++, a++, b++;
    }
    for (; t < end; t++, a++, b++)
        add_strip(t, *a + (t->a_moves ? at : 0), *b + (t->b_moves ? at : 0), sum, vectors);
}

/* Numbers from `at` up to `n` into `out`. */
static void plain_numbers(const instruction *ins, const REAL *const *a, const REAL *const *b, size_t n,
                          REAL *out)
{
    vec sum[STRIP];
    size_t at = 0;
    for (; at + STRIP * SPAN <= n; at += STRIP * SPAN) {
        strip(ins, a, b, at, sum, STRIP);
        UNROLL for (int i = 0; i < STRIP; i++) store(out + at + (size_t)i * SPAN, sum[i]);
    }
    for (; at + SPAN <= n; at += SPAN) {
        strip(ins, a, b, at, sum, 1);
        store(out + at, sum[0]);
    }
    if (at < n) {
        REAL rest[SPAN];
        strip(ins, a, b, at, sum, 1);
        store(rest, sum[0]);
        for (size_t i = 0; i < SPAN && at + i < n; i++)
            out[at + i] = rest[i];
    }
}

/* The numbers of one member, which begin at `begin`: those of the valid samples are added up, and all of them
   stored where `out` is not NULL. */
static void plain_sum(const instruction *ins, const REAL *const *a, const REAL *const *b, size_t begin,
                      size_t lanes, size_t valid, REAL *sums, REAL *out)
{
    vec sum[STRIP];
    size_t at = 0;
    if (SPAN <= 8) {
        vec eight[8 / (SPAN <= 8 ? SPAN : 8)];
        const size_t parts = sizeof eight / sizeof eight[0];
        for (size_t i = 0; i < parts; i++)
            eight[i] = load(sums + i * SPAN);
        for (; at + STRIP * SPAN <= valid; at += STRIP * SPAN) {
            strip(ins, a, b, begin + at, sum, STRIP);
            UNROLL for (size_t i = 0; i < STRIP; i++) eight[i % parts] += sum[i];
            if (out != NULL)
                UNROLL for (size_t i = 0; i < STRIP; i++) store(out + begin + at + i * SPAN, sum[i]);
        }
        for (size_t i = 0; i < parts; i++)
            store(sums + i * SPAN, eight[i]);
    }
    for (; at < (out != NULL ? lanes : valid); at += SPAN) {
        REAL spread[SPAN];
        strip(ins, a, b, begin + at, sum, 1);
        store(spread, sum[0]);
        if (out != NULL)
            store(out + begin + at, sum[0]);
        for (size_t i = 0; i < SPAN && at + i < valid; i++)
            sums[(at + i) % 8] += spread[i];
    }
}

static void run_plain(const instruction *ins, const block *b, REAL *out)
{
    const REAL *as[PLAIN_TERMS], *bs[PLAIN_TERMS];
    const size_t lanes = b->lanes;
    for (int64_t i = 0; i < ins->terms; i++) {
        const plain_term *t = &ins->plain[i];
        as[i] = t->a_space == LANES ? lane_cell(b, t->a) : b->cells[SHARED] + t->a;
        bs[i] = t->b_space == LANES ? lane_cell(b, t->b) : b->cells[SHARED] + t->b;
    }
    if (ins->slots == NULL)
        plain_numbers(ins, as, bs, (size_t)ins->members * lanes, out);
    else
        for (int64_t m = 0; m < ins->members; m++)
            plain_sum(ins, as, bs, (size_t)m * lanes, lanes, b->valid, b->sums + 8 * (ptrdiff_t)ins->slots[m],
                      ins->stored ? out : NULL);
}
