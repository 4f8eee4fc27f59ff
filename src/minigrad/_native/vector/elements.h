/* Instructions that are done number by number: maps, look-ups, and the sums over samples. */

/* The members of an instruction one after the other: where each operand is for them. */
typedef struct {
    int64_t at[MOST_DIMS];
    int64_t offset[MOST_OPERANDS];
} walk;

static void walk_start(const instruction *ins, walk *w, int64_t member)
{
    for (int i = 0; i < ins->operands; i++)
        w->offset[i] = ins->operand[i].base;
    for (int d = ins->count - 1; d >= 0; d--) {
        w->at[d] = member % ins->dims[d];
        member /= ins->dims[d];
        for (int i = 0; i < ins->operands; i++)
            w->offset[i] += w->at[d] * ins->operand[i].strides[d];
    }
}

/* To the next member, or by `count` members that are in the same row. */
static void walk_on(const instruction *ins, walk *w, int64_t count)
{
    for (int d = ins->count - 1; d >= 0; d--) {
        w->at[d] += count;
        for (int i = 0; i < ins->operands; i++)
            w->offset[i] += count * ins->operand[i].strides[d];
        if (w->at[d] < ins->dims[d] || d == 0)
            return;
        for (int i = 0; i < ins->operands; i++)
            w->offset[i] -= w->at[d] * ins->operand[i].strides[d];
        w->at[d] = 0;
        count = 1;
    }
}

/* ---- maps ---------------------------------------------------------------------------------- */

/* Copies operand i of `count` members to scratch, side by side; all are in one row of the last dim. */
static void fill(const operand *o, int64_t offset, int64_t stride, const REAL *const *cells, int64_t member,
                 int64_t count, size_t lanes, REAL *restrict to)
{
    const REAL *from = cells[o->space];
    if (lanes == 1) {
        if (o->index != NULL)
            for (int64_t j = 0; j < count; j++)
                to[j] = from[o->index[member + j]];
        else if (stride == 0) { /* whole vectors: what is too much is overwritten, or never read */
            const vec x = SPLAT(from[offset]);
            for (int64_t j = 0; j < count; j += (int64_t)SPAN)
                store(to + j, x);
        } else if (stride == 1)
            for (int64_t j = 0; j < count; j += (int64_t)SPAN)
                store(to + j, load(from + offset + j));
        else
            for (int64_t j = 0; j < count; j++)
                to[j] = from[offset + j * stride];
        return;
    }
    for (int64_t j = 0; j < count; j++, to += lanes) {
        const int64_t cell = o->index != NULL ? o->index[member + j] : offset + j * stride;
        if (o->space == LANES)
            memcpy(to, from + (size_t)cell * lanes, lanes * sizeof *to);
        else
            for (size_t l = 0; l < lanes; l++)
                to[l] = from[cell];
    }
}

static void run_lean(const program *p, const instruction *ins, REAL *s)
{
#define OPERANDS(name, text, operands) operands,
    static const unsigned char operands[] = {MAP_LIST(OPERANDS)};
    static const unsigned char fixed[MOST_OPERANDS] = {0};
#undef OPERANDS
    const map_kernel *kernels = p->exact ? map_exact : map_fast;
    for (const int32_t *c = ins->code; c < ins->code_end;)
        switch (c[0]) {
        case MAP_add:
            s[c[1]] = s[c[2]] + s[c[3]];
            c += 4;
            break;
        case MAP_sub:
            s[c[1]] = s[c[2]] - s[c[3]];
            c += 4;
            break;
        case MAP_mul:
            s[c[1]] = s[c[2]] * s[c[3]];
            c += 4;
            break;
        case MAP_div:
            s[c[1]] = s[c[2]] / s[c[3]];
            c += 4;
            break;
        case MAP_neg:
            s[c[1]] = -s[c[2]];
            c += 3;
            break;
        case LEAN_CHAIN: {
            REAL sum = 0;
            int begun = c[2];
            REAL *const out = &s[c[1]];
            const int32_t *const end = c + 4 + 3 * (ptrdiff_t)c[3];
            for (c += 4; c < end; c += 3) {
                const REAL a = s[c[1]], b = s[c[2]];
                REAL x = c[0] < 2 ? a : a * b;
                x = c[0] % 2 ? -x : x;
                sum = begun ? sum + x : x;
                begun = 1;
            }
            *out = sum;
            break;
        }
        default: {
            const REAL *in[MOST_OPERANDS];
            REAL result;
            const int count = operands[c[0]];
            for (int i = 0; i < count; i++)
                in[i] = &s[c[2 + i]];
            kernels[c[0]](1, &result, in, fixed);
            s[c[1]] = result;
            c += 2 + count;
        }
        }
}

static void run_map(const program *p, const instruction *ins, const block *b, const desk *desk, REAL *out)
{
    const REAL *const cells[SPACES] = {b->cells[SHARED], b->cells[LANES]};
    const size_t lanes = b->lanes;
    const map_kernel kernel = (p->exact ? map_exact : map_fast)[ins->kernel];
    const REAL *in[MOST_OPERANDS] = {0};
    unsigned char step[MOST_OPERANDS];
    for (int i = 0; i < ins->operands; i++) {
        const operand *o = &ins->operand[i];
        step[i] = o->form != FIXED;
        in[i] = o->space == LANES ? lane_cell(b, o->base) : cells[SHARED] + o->base;
    }
    if (ins->flat) {
        kernel((size_t)ins->members * lanes, out, in, step);
        return;
    }
    const REAL *origin[MOST_OPERANDS];
    memcpy(origin, in, sizeof in);
    const int last = ins->count - 1;
    const int64_t most = PIECE / (int64_t)lanes;
    int64_t count;
    walk w;
    walk_start(ins, &w, 0);
    for (int64_t member = 0; member < ins->members; member += count) {
        count = ins->members - member < most ? ins->members - member : most;
        for (int64_t done = 0, now; done < count; done += now) { /* row by row */
            now = ins->dims[last] - w.at[last];
            now = count - done < now ? count - done : now;
            for (int i = 0; i < ins->operands; i++) {
                const operand *o = &ins->operand[i];
                if (o->form == PACKED)
                    fill(o, w.offset[i], o->strides[last], cells, member + done, now, lanes,
                         (REAL *)desk->scratch + o->packed + done * (int64_t)lanes);
            }
            walk_on(ins, &w, now);
        }
        for (int i = 0; i < ins->operands; i++) {
            const operand *o = &ins->operand[i];
            if (o->form == PACKED)
                in[i] = (REAL *)desk->scratch + o->packed;
            else if (o->form == ALONG)
                in[i] = origin[i] + member * (int64_t)lanes;
        }
        kernel((size_t)count * lanes, out + member * (int64_t)lanes, in, step);
    }
}

/* ---- look-ups ------------------------------------------------------------------------------- */

/* A number as one of `terms` places.  Callers check; what comes here unchecked stays inside all the same. */
static inline int64_t chosen(REAL x, int64_t terms)
{
    return x >= 1 ? x < (REAL)terms && (int64_t)x < terms ? (int64_t)x : terms - 1 : 0;
}

static void run_take(const instruction *ins, const REAL *const *cells, size_t lanes, REAL *out)
{
    const operand *which = &ins->operand[0], *table = &ins->operand[1];
    const int last = ins->count - 1;
    if (lanes == 1 && which->index == NULL && table->index == NULL && which->strides[last] == 0
        && table->strides[last] == 1) { /* rows of a table */
        const int64_t count = ins->dims[last];
        walk w;
        walk_start(ins, &w, 0);
        for (int64_t m = 0; m < ins->members; m += count, walk_on(ins, &w, count)) {
            const int64_t row = chosen(cells[SHARED][w.offset[0]], ins->terms) * table->step;
            memcpy(out + m, cells[SHARED] + w.offset[1] + row, (size_t)count * sizeof *out);
        }
        return;
    }
    int64_t row[SAMPLES], known = -1; /* which row of the table, for the samples of cell `known` */
    walk w;
    row[0] = 0;
    walk_start(ins, &w, 0);
    for (int64_t member = 0; member < ins->members; member++, out += lanes, walk_on(ins, &w, 1)) {
        const int64_t from = which->index != NULL ? which->index[member] : w.offset[0];
        if (from != known) {
            known = from;
            for (size_t l = 0; l < lanes; l++) {
                const int64_t k = chosen(which->space == LANES ? cells[LANES][(size_t)from * lanes + l]
                                                               : cells[SHARED][from],
                                         ins->terms);
                row[l] = table->index != NULL ? k : k * table->step;
            }
        }
        for (size_t l = 0; l < lanes; l++) {
            const int64_t cell =
                table->index != NULL ? table->index[member * ins->terms + row[l]] : w.offset[1] + row[l];
            out[l] = table->space == LANES ? cells[LANES][(size_t)cell * lanes + l] : cells[SHARED][cell];
        }
    }
}

/* ---- gradients of tables ---------------------------------------------------------------------- */

/* Every term goes to one row: the others get nothing from it. */
static void put_rows(const instruction *ins, const block *b, REAL *out)
{
    const operand *which = &ins->operand[0], *source = &ins->operand[2];
    const int64_t rest = ins->members / ins->dims[0];
    const size_t lanes = b->lanes;
    memset(out, 0, (size_t)ins->members * lanes * sizeof *out);
    for (int64_t k = 0; k < ins->terms; k++) {
        const int64_t from = which->base + k * which->step;
        int64_t rows[SAMPLES]; /* where each sample's row begins, or -1 */
        for (size_t l = 0; l < lanes; l++) {
            const REAL x =
                which->space == LANES ? b->cells[LANES][(size_t)from * lanes + l] : b->cells[SHARED][from];
            const REAL row = x - (REAL)ins->first_row;
            const int64_t i = chosen(row, ins->dims[0]);
            rows[l] = row == (REAL)i ? i * rest : -1;
        }
        if (lanes == 1 && ins->count == 2) {
            const REAL *x = b->cells[SHARED] + source->base + k * source->step;
            const int64_t stride = source->strides[1];
            for (int64_t j = 0; rows[0] >= 0 && j < rest; j++)
                out[rows[0] + j] += x[j * stride];
            continue;
        }
        walk w;
        walk_start(ins, &w, 0);
        for (int64_t j = 0; j < rest; j++, walk_on(ins, &w, 1)) {
            const int64_t cell = w.offset[2] + k * source->step;
            const REAL *x = b->cells[source->space] + (size_t)cell * (source->space == LANES ? lanes : 1);
            const size_t on = source->space == LANES;
            for (size_t l = 0; l < lanes; l++)
                if (rows[l] >= 0)
                    out[(size_t)(rows[l] + j) * lanes + l] += x[l * on];
        }
    }
}

static void run_put(const instruction *ins, const block *b, REAL *out)
{
    if (ins->rows) {
        put_rows(ins, b, out);
        return;
    }
    const size_t lanes = b->lanes;
    walk w;
    walk_start(ins, &w, 0);
    for (int64_t m = 0; m < ins->members; m++, out += lanes, walk_on(ins, &w, 1))
        for (size_t l = 0; l < lanes; l++) {
            REAL sum = 0, found[3];
            for (int64_t k = 0; k < ins->terms; k++) {
                for (int i = 0; i < 3; i++) {
                    const operand *o = &ins->operand[i];
                    const int64_t terms = i == 1 ? 1 : ins->terms, term = i == 1 ? 0 : k;
                    const int64_t cell =
                        o->index != NULL ? o->index[m * terms + term] : w.offset[i] + term * o->step;
                    found[i] = o->space == LANES ? b->cells[LANES][(size_t)cell * lanes + l]
                                                 : b->cells[SHARED][cell];
                }
                if (found[0] == found[1])
                    sum += found[2];
            }
            out[l] = sum;
        }
}

/* ---- sums over samples ------------------------------------------------------------------------ */

static inline REAL eight(const REAL *x)
{
    return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

static void sum_cell(const operand *source, const block *b, int64_t cell, REAL *sums)
{
    if (source->space == LANES)
        add_samples(sums, lane_cell(b, cell), b->valid);
    else /* a shared number counts once for each sample */
        for (size_t l = 0; l < b->valid; l++)
            sums[l % 8] += b->cells[SHARED][cell];
}

/* Adds a block's samples to the sums of its chunk: sample s to number s mod 8 of eight. */
static void run_lane_sum(const instruction *ins, const block *b)
{
    const operand *source = ins->operand;
    if (ins->slots != NULL) { /* chains have added up the others */
        for (int64_t i = 0; i < ins->left; i++)
            sum_cell(source, b, ins->slots[2 * i + 1], b->sums + 8 * (ptrdiff_t)ins->slots[2 * i]);
        return;
    }
    REAL *sums = b->sums + 8 * ins->slot;
    const int64_t row = ins->dims[ins->count - 1];
    walk w;
    walk_start(ins, &w, 0);
    if (source->space == LANES && source->index == NULL && source->strides[ins->count - 1] == 1
        && b->valid == b->lanes) {
        for (int64_t m = 0; m < ins->members; m += row, walk_on(ins, &w, row)) {
            const REAL *x = lane_cell(b, w.offset[0]);
            for (int64_t i = 0; i < row; i++)
                add_samples(sums + 8 * (m + i), x + (size_t)i * b->lanes, b->lanes);
        }
        return;
    }
    for (int64_t m = 0; m < ins->members; m++, walk_on(ins, &w, 1))
        sum_cell(source, b, source->index != NULL ? source->index[m] : w.offset[0], sums + 8 * m);
}
