/* Single numbers: instructions of one member, one after the other, as one instruction.

   A program that goes from number to number, such as a recurrence, has thousands of them.  Their cells are
   written down side by side, so that each costs little more than its arithmetic (`run_lean` in elements.h).

   Code: a kernel's number, the cell of the result, the cells of the operands; or LEAN_CHAIN, the cell of
   the result, whether it begins with 0.0, the count of terms, and for each its kind and two cells. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "vector.h"

#define FEW_TERMS 64

static int is_lean(const instruction *ins)
{
    if (ins->members != 1 || ins->space != SHARED)
        return 0;
    return ins->op == MAP || (ins->op == CHAIN && !ins->exact && ins->terms <= FEW_TERMS);
}

static int32_t cell_of(const operand *o, int64_t term)
{
    if (o->index != NULL)
        return o->index[term];
    return (int32_t)(o->base + (o->offsets != NULL ? o->offsets[term] : term * o->step));
}

static size_t length_of(const instruction *ins)
{
    return ins->op == MAP ? 2 + (size_t)ins->operands : 4 + 3 * (size_t)ins->terms;
}

static int32_t *write_lean(const instruction *ins, int32_t *to)
{
    if (ins->op == MAP) {
        *to++ = ins->kernel;
        *to++ = (int32_t)ins->out;
        for (int i = 0; i < ins->operands; i++)
            *to++ = cell_of(&ins->operand[i], 0);
        return to;
    }
    *to++ = LEAN_CHAIN;
    *to++ = (int32_t)ins->out;
    *to++ = ins->zero;
    *to++ = (int32_t)ins->terms;
    for (int64_t i = 0; i < ins->runs; i++) {
        const run *one = &ins->run[i];
        for (int64_t k = 0; k < one->terms; k++) {
            *to++ = 2 * one->product + one->minus;
            *to++ = cell_of(&one->a, k);
            *to++ = one->product ? cell_of(&one->b, k) : 0;
        }
    }
    return to;
}

static void forget(instruction *ins)
{
    for (int i = 0; i < ins->operands; i++)
        PyMem_RawFree(ins->operand[i].index);
    for (int64_t i = 0; i < ins->runs; i++) {
        PyMem_RawFree(ins->run[i].a.index);
        PyMem_RawFree(ins->run[i].b.index);
        PyMem_RawFree(ins->run[i].a.offsets);
        PyMem_RawFree(ins->run[i].b.offsets);
    }
    PyMem_RawFree(ins->operand);
    PyMem_RawFree(ins->run);
    PyMem_RawFree(ins->plain);
    memset(ins, 0, sizeof *ins);
}

static int lean_part(program *p, int part)
{
    instruction *all = p->instructions[part];
    int64_t kept = 0, next;
    for (int64_t i = 0; i < p->counts[part]; i = next) {
        size_t length = 0;
        for (next = i; next < p->counts[part] && is_lean(&all[next]); next++)
            length += length_of(&all[next]);
        if (next == i) {
            const instruction same = all[next++];
            memset(&all[next - 1], 0, sizeof same);
            all[kept++] = same;
            continue;
        }
        int32_t *code = PyMem_RawMalloc(length * sizeof *code), *end = code;
        if (code == NULL)
            return -1;
        for (int64_t j = i; j < next; j++) {
            end = write_lean(&all[j], end);
            forget(&all[j]);
        }
        all[kept++] = (instruction){.op = LEAN, .space = SHARED, .code = code, .code_end = end};
    }
    p->counts[part] = kept;
    return 0;
}

int program_lean(program *p) { return lean_part(p, BEFORE) < 0 || lean_part(p, AFTER) < 0 ? -1 : 0; }
