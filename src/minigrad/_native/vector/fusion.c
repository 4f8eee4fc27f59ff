/* Fusion of chains whose results are only added up over the samples: the sums go where they are wanted.

   The gradient of a shared weight is such a chain.  Stored, it would be the largest part of what a block of
   samples writes and reads again.  A chain is fused if each of its results is added up by one LaneSum and read
   by nothing else, before its cell has another number; a plain one (plain.h) may be read by others too. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "vector.h"

enum { SUMMED = 1, READ = 2 }; /* bits */

/* For each lane cell: who wrote it last, and what has been done with that number. */
typedef struct {
    int32_t writer, slot; /* which instruction, and which sum it goes to */
    int state;
} cell;

typedef struct {
    program *program;
    cell *cells;
    char *fusable; /* per instruction */
} ledger;

/* A cell's number is at its end: the chain that wrote it is fused only if it was summed and no more. */
static void settle(ledger *l, int64_t at)
{
    const cell *c = &l->cells[at];
    if (c->writer < 0 || !l->fusable[c->writer])
        return;
    instruction *chain = &l->program->instructions[BODY][c->writer];
    if (!(c->state & SUMMED) || ((c->state & READ) && chain->plain == NULL)) {
        l->fusable[c->writer] = 0;
        return;
    }
    chain->slots[at - chain->out] = c->slot;
    chain->stored |= (c->state & READ) != 0;
}

/* All cells of an operand; `slot` is the first sum of a LaneSum, whose members are in order, or -1. */
static void read_cells(ledger *l, const instruction *ins, const operand *o, int64_t terms, int32_t slot)
{
    int64_t at[MOST_DIMS] = {0}, offset = o->base;
    if (o->space != LANES)
        return;
    for (int64_t m = 0; m < ins->members; m++) {
        for (int64_t k = 0; k < terms; k++) {
            const int64_t on = o->offsets != NULL ? o->offsets[k] : k * o->step;
            cell *c = &l->cells[o->index != NULL ? o->index[m * terms + k] : offset + on];
            if (slot >= 0 && !(c->state & SUMMED)) {
                c->state |= SUMMED;
                c->slot = slot + (int32_t)m;
            } else {
                c->state |= READ;
            }
        }
        next_place(ins, ins->count, o->strides, at, &offset);
    }
}

static int open_chains(ledger *l)
{
    const program *p = l->program;
    for (int64_t i = 0; i < p->counts[BODY]; i++) {
        instruction *ins = &p->instructions[BODY][i];
        l->fusable[i] = ins->op == CHAIN && !ins->exact && !ins->aside;
        if (!l->fusable[i])
            continue;
        ins->slots = PyMem_RawMalloc((size_t)ins->members * sizeof *ins->slots);
        if (ins->slots == NULL)
            return -1;
    }
    return 0;
}

static void follow(ledger *l)
{
    const program *p = l->program;
    for (int64_t i = 0; i < p->counts[BODY]; i++) {
        const instruction *ins = &p->instructions[BODY][i];
        if (ins->op == LANE_SUM) {
            read_cells(l, ins, ins->operand, 1, (int32_t)ins->slot);
            continue;
        }
        for (int j = 0; j < ins->operands; j++) {
            const int varied = (ins->op == TAKE && j == 1) || (ins->op == PUT && j != 1);
            read_cells(l, ins, &ins->operand[j], varied ? ins->terms : 1, -1);
        }
        for (int64_t j = 0; j < ins->runs; j++) {
            read_cells(l, ins, &ins->run[j].a, ins->run[j].terms, -1);
            if (ins->run[j].product)
                read_cells(l, ins, &ins->run[j].b, ins->run[j].terms, -1);
        }
        for (int64_t at = ins->out; at < ins->out + ins->members; at++) {
            settle(l, at);
            l->cells[at] = (cell){.writer = (int32_t)i};
        }
    }
    for (int64_t i = 0; i < p->outputs[LANES]; i++)
        l->cells[p->output[LANES][i]].state |= READ;
    for (int64_t at = 0; at < p->cells[LANES]; at++)
        settle(l, at);
}

/* What is left to a LaneSum: the members that are in no fused chain, each with its cell and its sum. */
static int shorten(const program *p, const char *fused)
{
    for (int64_t i = 0; i < p->counts[BODY]; i++) {
        instruction *ins = &p->instructions[BODY][i];
        if (ins->op != LANE_SUM)
            continue;
        ins->left = 0;
        int some = 0;
        for (int64_t m = 0; m < ins->members; m++)
            some |= fused[ins->slot + m];
        if (!some) {
            ins->left = ins->members;
            continue;
        }
        const operand *o = ins->operand;
        ins->slots = PyMem_RawMalloc(2 * (size_t)ins->members * sizeof *ins->slots);
        if (ins->slots == NULL)
            return -1;
        int64_t at[MOST_DIMS] = {0}, offset = o->base;
        for (int64_t m = 0; m < ins->members; m++) {
            if (!fused[ins->slot + m]) {
                ins->slots[2 * ins->left] = (int32_t)(ins->slot + m);
                ins->slots[2 * ins->left++ + 1] = o->index != NULL ? o->index[m] : (int32_t)offset;
            }
            next_place(ins, ins->count, o->strides, at, &offset);
        }
    }
    return 0;
}

int program_fuse(program *p)
{
    ledger l = {
        .program = p,
        .cells = PyMem_RawCalloc((size_t)p->cells[LANES] + 1, sizeof(cell)),
        .fusable = PyMem_RawCalloc((size_t)p->counts[BODY] + 1, 1),
    };
    char *fused = PyMem_RawCalloc((size_t)p->sums + 1, 1);
    int answer = -1;
    if (l.cells != NULL && l.fusable != NULL && fused != NULL && open_chains(&l) == 0) {
        for (int64_t at = 0; at < p->cells[LANES]; at++)
            l.cells[at].writer = -1;
        follow(&l);
        for (int64_t i = 0; i < p->counts[BODY]; i++) {
            instruction *ins = &p->instructions[BODY][i];
            if (l.fusable[i])
                for (int64_t m = 0; m < ins->members; m++)
                    fused[ins->slots[m]] = 1;
            else {
                PyMem_RawFree(ins->slots);
                ins->slots = NULL;
            }
        }
        answer = shorten(p, fused);
    }
    PyMem_RawFree(l.cells);
    PyMem_RawFree(l.fusable);
    PyMem_RawFree(fused);
    return answer;
}
