/* Merge of runs that are one but for where each of them begins.

   Contract: the terms stay in their order; only the loop that adds them is entered once. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "vector.h"

#define SHORT_RUN 6 /* terms: for longer ones a loop of its own is worth its beginning */

static int same_rule(const operand *x, const operand *y, int count)
{
    return x->index == NULL && y->index == NULL && x->space == y->space
           && memcmp(x->strides, y->strides, (size_t)count * sizeof x->strides[0]) == 0;
}

static int joins(const run *x, const run *y, int count)
{
    if (x->mode == NUMBER || x->mode == NUMBER_BY_NUMBER || x->mode != y->mode || x->minus != y->minus)
        return 0;
    return same_rule(&x->a, &y->a, count) && (!x->product || same_rule(&x->b, &y->b, count));
}

/* Where the terms of several runs are, from where the first of them is. */
static int32_t *offsets_of(const run *runs, int64_t count, int64_t terms, int second)
{
    int32_t *found = PyMem_RawMalloc((size_t)terms * sizeof *found), *next = found;
    const int64_t base = second ? runs->b.base : runs->a.base;
    for (int64_t i = 0; found != NULL && i < count; i++) {
        const operand *o = second ? &runs[i].b : &runs[i].a;
        for (int64_t k = 0; k < runs[i].terms; k++)
            *next++ = (int32_t)(o->base + k * o->step - base);
    }
    return found;
}

/* Short runs of one rule become one run, so that its loop is entered once. */
int chain_merge(instruction *ins)
{
    int64_t kept = 0, next;
    for (int64_t i = 0; i < ins->runs; i = next) {
        int64_t terms = ins->run[i].terms;
        for (next = i + 1; next < ins->runs && joins(&ins->run[i], &ins->run[next], ins->count); next++)
            terms += ins->run[next].terms;
        run one = ins->run[i];
        if (next > i + 1 && terms / (next - i) <= SHORT_RUN) {
            one.terms = terms;
            one.a.offsets = offsets_of(&ins->run[i], next - i, terms, 0);
            one.b.offsets = one.product ? offsets_of(&ins->run[i], next - i, terms, 1) : NULL;
            if (one.a.offsets == NULL || (one.product && one.b.offsets == NULL)) {
                PyMem_RawFree(one.a.offsets);
                PyMem_RawFree(one.b.offsets);
                return -1;
            }
        } else {
            next = i + 1;
        }
        for (int64_t j = i; j < next; j++)
            ins->run[j].a.index = ins->run[j].b.index = NULL; /* `one` has them */
        ins->run[kept++] = one;
    }
    ins->runs = kept;
    return 0;
}
