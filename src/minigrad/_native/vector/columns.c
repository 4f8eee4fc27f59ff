/* Columns that are read and written where the caller has them, without a copy in the block.

   For small programs that go number by number, such as the rule of an optimiser: each instruction has one
   member, so that a lane cell need not be beside the next one.  An input must never be written; an output must
   be written once, and read by nobody before that. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "vector.h"

#define FEW_CELLS 64

/* Whether a cell may be anywhere for this instruction. */
static int goes_cell_by_cell(const instruction *ins)
{
    if (ins->members != 1 || ins->aside)
        return 0;
    return ins->plain != NULL || ((ins->op == MAP || ins->op == LANE_SUM) && ins->flat);
}

typedef struct {
    int64_t written, times, first_read, last_read;
} story;

static void note_read(story *s, int64_t when)
{
    if (s->first_read < 0)
        s->first_read = when;
    s->last_read = when;
}

static void tell(const program *p, story *cells)
{
    for (int64_t at = 0; at < p->cells[LANES]; at++)
        cells[at] = (story){-1, 0, -1, -1};
    for (int64_t i = 0; i < p->counts[BODY]; i++) {
        const instruction *ins = &p->instructions[BODY][i];
        for (int64_t j = 0; ins->plain != NULL && j < ins->terms; j++) {
            const plain_term *t = &ins->plain[j];
            if (t->a_space == LANES)
                note_read(&cells[t->a], i);
            if (t->b_space == LANES)
                note_read(&cells[t->b], i);
        }
        for (int j = 0; j < ins->operands; j++)
            if (ins->operand[j].space == LANES)
                note_read(&cells[ins->operand[j].base], i);
        if (ins->op == LANE_SUM || (ins->slots != NULL && !ins->stored))
            continue;
        cells[ins->out].written = i;
        cells[ins->out].times++;
    }
}

int program_columns(program *p)
{
    if (p->cells[LANES] == 0 || p->cells[LANES] > FEW_CELLS || p->outputs[LANES] > FEW_CELLS)
        return 0;
    for (int64_t i = 0; i < p->counts[BODY]; i++)
        if (!goes_cell_by_cell(&p->instructions[BODY][i]))
            return 0;
    story cells[FEW_CELLS];
    tell(p, cells);
    for (int k = 0; k < 2; k++) {
        const int64_t count = k == 0 ? p->inputs[LANES] : p->outputs[LANES];
        p->column[k] = PyMem_RawCalloc((size_t)count + 1, sizeof *p->column[k]);
        if (p->column[k] == NULL)
            return -1;
        for (int64_t j = 0; j < count; j++) {
            const int64_t at = k == 0 ? j : p->output[LANES][j];
            const story *s = &cells[at];
            int direct = k == 0 ? s->times == 0
                                : at >= p->inputs[LANES] && s->times == 1
                                      && (s->first_read < 0 || s->first_read > s->written);
            for (int64_t i = 0; i < p->outputs[LANES]; i++) /* an input that is an output is copied to it */
                direct &= (k == 1 && i == j) || p->output[LANES][i] != at;
            p->column[k][j].direct = (unsigned char)direct;
            p->column[k][j].when = k == 0 ? s->last_read : s->written;
        }
    }
    return 0;
}
