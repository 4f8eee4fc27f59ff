/* Lowering: how each instruction of a program will be run, decided once.

   Contract: what is computed stays the same, number for number; every operand that was within its cells
   is read in the same places as before, in another order at most. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "vector.h"

#define SMALL_CACHE (24 << 10) /* what stays in the first cache beside everything else */
#define LARGE_CACHE (768 << 10)

static int64_t largest(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t in_vectors(int64_t n, int64_t width) { return (n + width - 1) / width; }

/* The operands one by one, whatever the instruction; NULL after the last. */
static operand *operand_at(const instruction *ins, int64_t i, int64_t *terms)
{
    if (ins->run == NULL) {
        *terms = (ins->op == TAKE && i == 1) || (ins->op == PUT && i != 1) ? ins->terms : 1;
        return i < ins->operands ? &ins->operand[i] : NULL;
    }
    if (i >= 2 * ins->runs)
        return NULL;
    run *one = &ins->run[i / 2];
    *terms = one->terms;
    return i % 2 ? &one->b : &one->a;
}

#define EACH_OPERAND(ins, i, o, terms)                                \
    int64_t terms = 0, i = 0;                                         \
    for (operand *o = NULL; (o = operand_at(ins, i, &terms)) != NULL; \
         i += ins->run != NULL && i % 2 == 0 && !ins->run[i / 2].product ? 2 : 1)

/* A kernel may write each result where it has read the operand of the same member. */
static int in_place(const instruction *ins, const operand *o)
{
    int same = o->index == NULL && o->base == ins->out;
    for (int d = 0; d < ins->count; d++)
        same &= o->strides[d] == ins->places[d] || ins->dims[d] == 1;
    return same;
}

static int overlap(const instruction *ins)
{
    const int space = ins->op == LANE_SUM ? SHARED : ins->space;
    EACH_OPERAND(ins, i, o, terms)
    {
        if (o->space != space || ((ins->op == MAP || ins->plain != NULL) && terms == 1 && in_place(ins, o)))
            continue;
        int64_t lowest = o->base, highest = o->base;
        if (o->index != NULL) {
            lowest = highest = o->index[0];
            for (int64_t j = 0; j < ins->members * terms; j++) {
                lowest = o->index[j] < lowest ? o->index[j] : lowest;
                highest = o->index[j] > highest ? o->index[j] : highest;
            }
        }
        for (int d = 0; d <= ins->count; d++) {
            const int64_t reach = d < ins->count ? (ins->dims[d] - 1) * o->strides[d] : (terms - 1) * o->step;
            if (reach < 0)
                lowest += reach;
            else
                highest += reach;
        }
        if (lowest < ins->out + ins->members && ins->out <= highest)
            return 1;
    }
    return 0;
}

static void drop_dim(instruction *ins, int gone)
{
    EACH_OPERAND(ins, i, o, terms)
    memmove(&o->strides[gone], &o->strides[gone + 1], sizeof o->strides[0] * (size_t)(ins->count - gone - 1));
    memmove(&ins->dims[gone], &ins->dims[gone + 1], sizeof ins->dims[0] * (size_t)(ins->count - gone - 1));
    memmove(&ins->places[gone], &ins->places[gone + 1],
            sizeof ins->places[0] * (size_t)(ins->count - gone - 1));
    ins->count--;
}

/* Two dims are one where each operand goes on in the second as it does in the first. */
static void set_places(instruction *ins)
{
    int64_t place = 1;
    for (int d = ins->count - 1; d >= 0; d--) {
        ins->places[d] = place;
        place *= ins->dims[d];
    }
}

static void collapse(instruction *ins)
{
    set_places(ins);
    for (int d = ins->count - 1; d >= 0; d--)
        if (ins->dims[d] == 1 && ins->count > 1)
            drop_dim(ins, d);
    if (ins->members == 1) {
        EACH_OPERAND(ins, i, o, terms)
        o->strides[0] = 0;
        ins->places[0] = 1;
    }
    for (int d = ins->count - 2; d >= 0; d--) {
        int joins = 1;
        EACH_OPERAND(ins, i, o, terms)
        joins &= o->index != NULL || o->strides[d] == ins->dims[d + 1] * o->strides[d + 1];
        if (joins) {
            ins->dims[d + 1] *= ins->dims[d];
            drop_dim(ins, d);
        }
    }
}

void move_dim(instruction *ins, int from, int to)
{
#define MOVE(list)                          \
    do {                                    \
        const int64_t moved = (list)[from]; \
        for (int d = from; d < to; d++)     \
            (list)[d] = (list)[d + 1];      \
        (list)[to] = moved;                 \
    } while (0)
    EACH_OPERAND(ins, i, o, terms)
    MOVE(o->strides);
    MOVE(ins->dims);
    MOVE(ins->places);
}

/* About how long a chain takes with its vectors along one of the dims. */
static double cost_along(const instruction *ins, int vector, int width)
{
    const double n = (double)ins->dims[vector], members = (double)ins->members;
    double cost = members / n * (double)in_vectors(ins->dims[vector], width) * (double)ins->terms;
    EACH_OPERAND(ins, i, o, terms)
    {
        const int64_t stride = o->strides[vector];
        if (o->index == NULL && (stride == 0 || stride == 1))
            continue;
        double packed = (double)terms * n;
        for (int d = 0; d < ins->count; d++)
            if (d != vector && (o->index != NULL || o->strides[d] != 0))
                packed *= (double)ins->dims[d];
        cost += packed;
    }
    return cost + (ins->places[vector] == 1 ? 0.0 : members);
}

/* The dim whose members are computed side by side, in several rows of accumulators. */
static int best_rows(const instruction *ins, int count)
{
    int best = count - 1;
    double most = -1.0;
    for (int d = 0; d < count; d++) {
        double score = ins->dims[d] < 4 ? (double)ins->dims[d] : 4.0;
        EACH_OPERAND(ins, i, o, terms)
        if (o->index == NULL && o->strides[d] == 0 && o->space == ins->space) {
            score += 0.5; /* one load serves all rows */
            break;
        }
        if (score >= most) {
            most = score;
            best = d;
        }
    }
    return best;
}

static void order_dims(instruction *ins, int width)
{
    int rows = ins->count; /* the dims that can be rows */
    if (ins->space == SHARED) {
        int best = ins->count - 1;
        double least = cost_along(ins, best, width);
        for (int d = ins->count - 2; d >= 0; d--) {
            const double cost = cost_along(ins, d, width);
            if (cost < least) {
                least = cost;
                best = d;
            }
        }
        move_dim(ins, best, ins->count - 1);
        rows--;
    }
    if (rows > 1)
        move_dim(ins, best_rows(ins, rows), rows - 1);
}

/* The index of an operand from [member][term] to [row][term][vector dim], in the order of the dims. */
static int reorder_index(const instruction *ins, operand *o, int64_t terms)
{
    const int outer = ins->space == SHARED ? ins->count - 1 : ins->count;
    const int64_t n = ins->space == SHARED ? ins->dims[ins->count - 1] : 1;
    const int64_t along = ins->space == SHARED ? ins->places[ins->count - 1] : 0;
    int32_t *ordered = PyMem_RawMalloc((size_t)(ins->members * terms) * sizeof *ordered);
    int64_t place[MOST_DIMS] = {0}, row = 0, member = 0;
    if (ordered == NULL)
        return -1;
    for (;;) {
        for (int64_t j = 0; j < n; j++)
            for (int64_t k = 0; k < terms; k++)
                ordered[(row * terms + k) * n + j] = o->index[(member + j * along) * terms + k];
        row++;
        if (!next_place(ins, outer, ins->places, place, &member))
            break;
    }
    PyMem_RawFree(o->index);
    o->index = ordered;
    return 0;
}

/* Whether an operand has a number per place of a vector, once it is packed. */
static int fills_vectors(const instruction *ins, const operand *o)
{
    if (o->form == PACKED && o->index != NULL)
        return ins->space == LANES ? o->space == LANES : ins->dims[ins->count - 1] > 1;
    return o->form != FIXED;
}

static int same_in_rows(const operand *o, int row)
{
    return o->index == NULL && (row < 0 || o->strides[row] == 0);
}

/* The loop for a run.  A product has the same bits either way round, so the vector comes first. */
static void choose_mode(const instruction *ins, run *one, int row)
{
    const int a = fills_vectors(ins, &one->a);
    if (!one->product) {
        one->mode = a ? VECTOR : NUMBER;
        return;
    }
    const int b = fills_vectors(ins, &one->b);
    if ((b && !a) || (a && b && same_in_rows(&one->b, row))) {
        const operand other = one->a;
        one->a = one->b;
        one->b = other;
    }
    const int same = same_in_rows(&one->a, row);
    if (a && b)
        one->mode = same ? SAME_BY_VECTOR : VECTOR_BY_VECTOR;
    else if (a || b)
        one->mode = same ? SAME_BY_NUMBER : VECTOR_BY_NUMBER;
    else
        one->mode = NUMBER_BY_NUMBER;
}

static int lower_chain(const program *p, instruction *ins, int64_t *scratch)
{
    const int64_t width = p->machine->width;
    order_dims(ins, (int)width);
    const int vector = ins->space == SHARED ? ins->count - 1 : -1;
    const int row = ins->space == SHARED ? ins->count - 2 : ins->count - 1;
    const int64_t n = vector >= 0 ? ins->dims[vector] : 0;
    const int64_t rows = row >= 0 ? ins->dims[row] : 1;
    EACH_OPERAND(ins, i, o, terms)
    {
        if (o->index != NULL) {
            if (reorder_index(ins, o, terms) < 0)
                return -1;
            o->form = PACKED;
        } else if (ins->space == LANES) {
            o->form = o->space == LANES ? ALONG : FIXED;
        } else if (o->strides[vector] == 0 || o->strides[vector] == 1) {
            o->form = o->strides[vector] ? ALONG : FIXED;
        } else {
            o->form = rows > 1 && o->strides[row] == 0 ? WHOLE : PACKED;
        }
    }
    for (int64_t i = 0; i < ins->runs; i++)
        choose_mode(ins, &ins->run[i], row);
    if (!ins->exact && chain_merge(ins) < 0)
        return -1;
    ins->steady = 1;
    EACH_OPERAND(ins, j, p_o, p_terms)
    {
        ins->steady &= p_o->form != PACKED;
        p_o->packed = *scratch;
        if (p_o->form == WHOLE)
            *scratch += p_terms * in_vectors(n, width) * width;
        else if (p_o->form == PACKED)
            *scratch += p_terms * TILE_VECTORS * width;
    }
    return 0;
}

/* A table whose rows are along the first dim and have the numbers r, r + 1, ...; every term goes to one row. */
static int has_rows(const program *p, instruction *ins)
{
    const operand *which = &ins->operand[0], *row = &ins->operand[1], *source = &ins->operand[2];
    const int64_t first = row->base - p->first_constant, count = ins->dims[0];
    if (which->index || row->index || source->index || row->space != SHARED || count < 2
        || row->strides[0] != 1 || source->strides[0] != 0 || first < 0 || first + count > p->constants)
        return 0;
    for (int d = 0; d < ins->count; d++)
        if (which->strides[d] != 0 || (d > 0 && row->strides[d] != 0))
            return 0;
    ins->first_row =
        (int64_t)(p->constant[first] > -1e15 && p->constant[first] < 1e15 ? p->constant[first] : 0);
    for (int64_t i = 0; i < count; i++)
        if (p->constant[first + i] != (double)(ins->first_row + i))
            return 0;
    for (int part = 0; part < PARTS; part++)
        for (int64_t i = 0; i < p->counts[part]; i++) { /* and nobody writes over them */
            const instruction *other = &p->instructions[part][i];
            if ((other->space == SHARED || other->op == LANE_SUM) && other->out < row->base + count
                && row->base < other->out + other->members)
                return 0;
        }
    return 1;
}

static void lower_map(instruction *ins, int64_t *scratch)
{
    ins->flat = 1;
    EACH_OPERAND(ins, i, o, terms)
    {
        int same = o->index == NULL && (o->space == SHARED || ins->members == 1); /* one for all */
        int along = o->index == NULL && o->space == ins->space;
        for (int d = 0; d < ins->count; d++) {
            same &= o->strides[d] == 0;
            along &= o->strides[d] == ins->places[d] || ins->members == 1;
        }
        o->form = along ? ALONG : same ? FIXED : PACKED;
        ins->flat &= o->form != PACKED;
        o->packed = *scratch;
        if (o->form == PACKED)
            *scratch += PIECE + MOST_WIDTH; /* `fill` writes whole vectors */
    }
}

/* Samples in a block: all of a small program in the first cache, any other in a part of the second. */
static int64_t choose_lanes(const program *p)
{
    const int64_t bytes = largest(p->cells[LANES], 1) * (int64_t)p->machine->size;
    int64_t lanes = SAMPLES;
    while (lanes > 8 && lanes * bytes > SMALL_CACHE)
        lanes /= 2;
    if (lanes < 64)
        for (lanes = 64; lanes > 8 && lanes * bytes > LARGE_CACHE;)
            lanes /= 2;
    return p->machine->single ? largest(lanes, 16) : lanes;
}

static int find_stretches(program *p)
{
    const int64_t *cell = p->output[SHARED];
    p->stretch = PyMem_RawCalloc((size_t)p->outputs[SHARED] + 1, sizeof *p->stretch);
    if (p->stretch == NULL)
        return -1;
    for (int64_t i = 0; i < p->outputs[SHARED]; i++)
        if (i > 0 && cell[i] == cell[i - 1] + 1)
            p->stretch[p->stretches - 1].count++;
        else
            p->stretch[p->stretches++] = (stretch){i, cell[i], 1};
    return 0;
}

int program_lower(program *p)
{
    p->lanes = choose_lanes(p);
    for (int part = 0; part < PARTS; part++)
        for (int64_t i = 0; i < p->counts[part]; i++) {
            instruction *ins = &p->instructions[part][i];
            const int64_t lanes = ins->space == LANES ? p->lanes : 1;
            int64_t scratch = 0;
            if (ins->op == PUT)
                ins->rows = has_rows(p, ins);
            if (!ins->rows)
                collapse(ins);
            else
                set_places(ins);
            if (ins->op == MAP && map_to_chain(ins) < 0)
                return -1;
            if (ins->op == CHAIN && !ins->exact && chain_plain(ins) < 0)
                return -1;
            ins->aside = overlap(ins);
            if (ins->aside)
                scratch += ins->members * lanes;
            if (ins->op == CHAIN || ins->op == MOST) {
                if (ins->op == CHAIN && !ins->exact && ins->plain == NULL)
                    chain_outer(ins);
                if (ins->outer)
                    p->most_pairs = largest(p->most_pairs, ins->terms);
                else if (ins->plain == NULL && lower_chain(p, ins, &scratch) < 0)
                    return -1;
                p->most_runs = largest(p->most_runs, ins->runs);
                if (ins->exact)
                    p->most_terms = largest(p->most_terms, ins->terms);
            } else {
                lower_map(ins, &scratch);
            }
            p->scratch = largest(p->scratch, scratch);
        }
    p->scratch += MOST_WIDTH;
    return find_stretches(p);
}
