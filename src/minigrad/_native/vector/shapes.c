/* Chains of a shape for which there is a loop of its own. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "maps.h"
#include "vector.h"

/* Whether an operand is one number for all, or lies as the results do. */
static int is_fixed(const instruction *ins, const operand *o)
{
    int fixed = o->space == SHARED;
    for (int d = 0; d < ins->count; d++)
        fixed &= o->strides[d] == 0;
    return fixed;
}

static int is_along(const instruction *ins, const operand *o)
{
    int along = o->space == ins->space;
    for (int d = 0; d < ins->count; d++)
        along &= o->strides[d] == ins->places[d] || ins->members == 1;
    return along;
}

static int is_plain(const instruction *ins, const operand *o)
{
    return o->index == NULL && (is_fixed(ins, o) || is_along(ins, o));
}

/* Sums, differences and products in lanes are chains too: then they can be added up where they are made. */
int map_to_chain(instruction *ins)
{
    const int two = ins->kernel == MAP_add || ins->kernel == MAP_sub; /* runs */
    if (ins->space != LANES || !(two || ins->kernel == MAP_mul))
        return 0;
    for (int i = 0; i < ins->operands; i++)
        if (!is_plain(ins, &ins->operand[i]))
            return 0;
    ins->run = PyMem_RawCalloc(2, sizeof *ins->run);
    if (ins->run == NULL)
        return -1;
    ins->run[0] = (run){.terms = 1, .product = !two, .a = ins->operand[0]};
    if (two)
        ins->run[1] = (run){.terms = 1, .minus = ins->kernel == MAP_sub, .a = ins->operand[1]};
    else
        ins->run[0].b = ins->operand[1];
    ins->runs = ins->terms = two ? 2 : 1;
    PyMem_RawFree(ins->operand);
    ins->operand = NULL;
    ins->operands = 0;
    ins->op = CHAIN;
    return 0;
}

/* A single shared number is left to lean.c, or to the order of its terms. */
int chain_plain(instruction *ins)
{
    if (ins->terms > PLAIN_TERMS || (ins->space == SHARED && ins->members < 2))
        return 0;
    for (int64_t i = 0; i < ins->runs; i++)
        if (!is_plain(ins, &ins->run[i].a) || (ins->run[i].product && !is_plain(ins, &ins->run[i].b)))
            return 0;
    ins->plain = PyMem_RawCalloc((size_t)ins->terms, sizeof *ins->plain);
    if (ins->plain == NULL)
        return -1;
    plain_term *t = ins->plain;
    for (int64_t i = 0; i < ins->runs; i++) {
        run *one = &ins->run[i];
        const int a_first =
            !one->product || !is_fixed(ins, &one->a); /* vectors first: the bits are the same */
        const operand *a = a_first ? &one->a : &one->b, *b = a_first ? &one->b : &one->a;
        const int a_moves = !is_fixed(ins, a), b_moves = one->product && !is_fixed(ins, b);
        const int mode = !one->product ? (a_moves ? VECTOR : NUMBER)
                         : b_moves     ? VECTOR_BY_VECTOR
                         : a_moves     ? VECTOR_BY_NUMBER
                                       : NUMBER_BY_NUMBER;
        for (int64_t k = 0; k < one->terms; k++)
            *t++ = (plain_term){
                .kind = 2 * mode + one->minus,
                .a_space = (unsigned char)a->space,
                .b_space = (unsigned char)(one->product ? b->space : a->space),
                .a_moves = (unsigned char)a_moves,
                .b_moves = (unsigned char)b_moves,
                .a = (int32_t)(a->base + k * a->step),
                .b = (int32_t)(one->product ? b->base + k * b->step : a->base),
            };
    }
    return 0;
}

/* ---- sums of outer products ------------------------------------------------------------------- */

static void swap_sides(run *one)
{
    const operand other = one->a;
    one->a = one->b;
    one->b = other;
}

/* Whether every run is a number along `row` by a number along `column`, by the same strides. */
static int is_outer(instruction *ins, int row, int column)
{
    const run *first = ins->run;
    for (int64_t i = 0; i < ins->runs; i++) {
        run *one = &ins->run[i];
        if (!one->product || one->a.space != LANES || one->b.space != LANES || one->a.index != NULL
            || one->b.index != NULL || one->minus != first->minus)
            return 0;
        if (one->a.strides[row] == 0)
            swap_sides(one); /* the product has the same bits */
        if (one->a.strides[column] != 0 || one->b.strides[row] != 0
            || one->a.strides[row] != first->a.strides[row]
            || one->b.strides[column] != first->b.strides[column])
            return 0;
    }
    return first->a.strides[row] != 0 && first->b.strides[column] != 0;
}

void chain_outer(instruction *ins)
{
    if (ins->space != LANES)
        return;
    for (int row = 0; row < ins->count; row++)
        for (int column = row + 1; column < ins->count; column++)
            if (ins->dims[row] > 1 && ins->dims[column] > 1 && is_outer(ins, row, column)) {
                move_dim(ins, column, ins->count - 1); /* which leaves `row` where it is */
                move_dim(ins, row, ins->count - 2);
                ins->outer = 1;
                return;
            }
}
