/* Reader of the words that a plan arrives as: it makes a program of them.

   Contract: whatever the words are, the answer is an exception, or a program that stays inside its cells.
   So every word is looked at here, and nothing after this file looks again.

   The words: version; cells (shared, lanes); inputs (shared, lanes); first constant, constants; outputs in
   shared, their cells; outputs in lanes, their cells; then three parts, each a count and its instructions.

   Instruction: op, space, out, count of dims, dims, then
     MAP       kernel, operands, their accesses
     CHAIN     zero, exact, runs; each: terms, product, minus, access(es)
     MOST      terms, access
     TAKE      terms, access of which, access of the table
     PUT       terms, accesses of which, row and source
     LANE_SUM  access
   Access: space, 0, base, strides, step; or space, 1, a cell for each term of each member. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "vector.h"

#define VERSION 1
#define LIMIT (INT64_C(1) << 31) /* of every number that is a size, a place or a stride */

typedef struct {
    const int64_t *next, *end;
    program *program;
} reader;

static int refuse(const char *why)
{
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, why);
    return -1;
}

static void *cleared(size_t count, size_t size)
{
    void *memory = PyMem_RawCalloc(count ? count : 1, size);
    if (memory == NULL)
        PyErr_NoMemory();
    return memory;
}

/* The next word, which is from low to high; or -1 of the caller's, with an exception. */
static int word(reader *r, int64_t low, int64_t high, int64_t *found)
{
    if (r->next >= r->end)
        return refuse("the words end too soon");
    *found = *r->next++;
    if (*found < low || *found > high)
        return refuse("a word is out of its range");
    return 0;
}

static int small(reader *r, int64_t low, int64_t high, int *found)
{
    int64_t wide;
    if (word(r, low, high, &wide) < 0)
        return -1;
    *found = (int)wide;
    return 0;
}

static int read_access(reader *r, const instruction *ins, int64_t terms, operand *a)
{
    const program *p = r->program;
    int indexed;
    if (small(r, 0, ins->space, &a->space) < 0 || small(r, 0, 1, &indexed) < 0)
        return -1;
    const int64_t cells = p->cells[a->space];
    if (indexed) {
        if (terms > r->end - r->next || ins->members > (r->end - r->next) / terms)
            return refuse("the words end too soon");
        const size_t count = (size_t)(ins->members * terms);
        a->index = cleared(count, sizeof *a->index);
        if (a->index == NULL)
            return -1;
        for (size_t i = 0; i < count; i++) {
            int64_t cell;
            if (word(r, 0, cells - 1, &cell) < 0)
                return -1;
            a->index[i] = (int32_t)cell;
        }
        return 0;
    }
    if (word(r, 0, cells - 1, &a->base) < 0)
        return -1;
    int64_t lowest = a->base, highest = a->base;
    for (int d = 0; d <= ins->count; d++) {
        int64_t *stride = d < ins->count ? &a->strides[d] : &a->step;
        if (word(r, -LIMIT, LIMIT, stride) < 0)
            return -1;
        const int64_t reach = ((d < ins->count ? ins->dims[d] : terms) - 1) * *stride; /* below 2**62 */
        if (reach < 0)
            lowest += reach;
        else
            highest += reach;
        if (lowest < 0 || highest >= cells)
            return refuse("an operand is outside its cells");
    }
    return 0;
}

static int read_run(reader *r, const instruction *ins, run *found)
{
    if (word(r, 1, LIMIT, &found->terms) < 0 || small(r, 0, 1, &found->product) < 0
        || small(r, 0, 1, &found->minus) < 0 || read_access(r, ins, found->terms, &found->a) < 0)
        return -1;
    return found->product ? read_access(r, ins, found->terms, &found->b) : 0;
}

/* `varied` has a bit for each operand that differs from term to term. */
static int read_operands(reader *r, instruction *ins, int count, int varied)
{
    ins->operand = cleared((size_t)count, sizeof *ins->operand);
    if (ins->operand == NULL)
        return -1;
    ins->operands = count;
    for (int i = 0; i < count; i++)
        if (read_access(r, ins, varied >> i & 1 ? ins->terms : 1, &ins->operand[i]) < 0)
            return -1;
    return 0;
}

static int read_instruction(reader *r, int part, instruction *ins)
{
    const program *p = r->program;
    if (small(r, 0, OPERATIONS - 1, &ins->op) < 0 || small(r, 0, part == BODY, &ins->space) < 0)
        return -1;
    if (part == BODY && ins->space != LANES)
        return refuse("the body writes to lanes");
    /* A LaneSum is counted as of lanes, where it reads; it writes to shared cells. */
    const int64_t cells = p->cells[ins->op == LANE_SUM ? SHARED : ins->space];
    if ((ins->op == LANE_SUM && part != BODY) || word(r, 0, cells - 1, &ins->out) < 0
        || small(r, 1, MOST_DIMS, &ins->count) < 0)
        return refuse("a LaneSum belongs to the body");
    ins->members = 1;
    for (int d = 0; d < ins->count; d++) {
        if (word(r, 1, LIMIT, &ins->dims[d]) < 0)
            return -1;
        ins->members *= ins->dims[d]; /* below 2**62, because the one before was within the cells */
        if (ins->members > cells - ins->out)
            return refuse("a result is outside its cells");
    }
    int64_t runs;
    switch (ins->op) {
    case MAP: {
        int arity, count;
        if (small(r, 0, p->machine->kernels - 1, &ins->kernel) < 0 || small(r, 1, MOST_OPERANDS, &count) < 0)
            return -1;
        p->machine->kernel(ins->kernel, &arity);
        if (arity != count)
            return refuse("a kernel has another number of operands");
        return read_operands(r, ins, count, 0);
    }
    case CHAIN:
        if (small(r, 0, 1, &ins->zero) < 0 || small(r, 0, 1, &ins->exact) < 0
            || word(r, 1, r->end - r->next, &runs) < 0)
            return -1;
        ins->run = cleared((size_t)runs, sizeof *ins->run);
        if (ins->run == NULL)
            return -1;
        ins->runs = runs;
        for (int64_t i = 0; i < runs; i++) {
            if (read_run(r, ins, &ins->run[i]) < 0)
                return -1;
            ins->terms += ins->run[i].terms;
            if (ins->terms > LIMIT)
                return refuse("a chain has too many terms");
        }
        return 0;
    case MOST:
        ins->run = cleared(1, sizeof *ins->run);
        if (ins->run == NULL)
            return -1;
        ins->runs = 1;
        if (word(r, 1, LIMIT, &ins->run->terms) < 0 || read_access(r, ins, ins->run->terms, &ins->run->a) < 0)
            return -1;
        ins->terms = ins->run->terms;
        return 0;
    case TAKE:
        return word(r, 1, LIMIT, &ins->terms) < 0 ? -1 : read_operands(r, ins, 2, 2);
    case PUT:
        return word(r, 1, LIMIT, &ins->terms) < 0 ? -1 : read_operands(r, ins, 3, 1 | 4);
    default: /* LANE_SUM */
        return read_operands(r, ins, 1, 0);
    }
}

static int read_outputs(reader *r, int space)
{
    program *p = r->program;
    if (word(r, 0, r->end - r->next, &p->outputs[space]) < 0)
        return -1;
    p->output[space] = cleared((size_t)p->outputs[space], sizeof *p->output[space]);
    if (p->output[space] == NULL)
        return -1;
    for (int64_t i = 0; i < p->outputs[space]; i++)
        if (word(r, 0, p->cells[space] - 1, &p->output[space][i]) < 0)
            return -1;
    return 0;
}

static int read_all(reader *r, const double *constants, size_t constant_count)
{
    program *p = r->program;
    int64_t version;
    if (word(r, VERSION, VERSION, &version) < 0 || word(r, 0, LIMIT - 1, &p->cells[SHARED]) < 0
        || word(r, 0, LIMIT - 1, &p->cells[LANES]) < 0 || word(r, 0, p->cells[SHARED], &p->inputs[SHARED]) < 0
        || word(r, 0, p->cells[LANES], &p->inputs[LANES]) < 0
        || word(r, 0, p->cells[SHARED], &p->first_constant) < 0
        || word(r, 0, p->cells[SHARED] - p->first_constant, &p->constants) < 0)
        return -1;
    if ((size_t)p->constants != constant_count)
        return refuse("the constants are not as many as the words say");
    p->constant = cleared(constant_count, sizeof *p->constant);
    if (p->constant == NULL)
        return -1;
    memcpy(p->constant, constants, constant_count * sizeof *constants);
    if (read_outputs(r, SHARED) < 0 || read_outputs(r, LANES) < 0)
        return -1;
    for (int part = 0; part < PARTS; part++) {
        int64_t count;
        if (word(r, 0, r->end - r->next, &count) < 0)
            return -1;
        p->instructions[part] = cleared((size_t)count, sizeof *p->instructions[part]);
        if (p->instructions[part] == NULL)
            return -1;
        p->counts[part] = count;
        for (int64_t i = 0; i < count; i++) {
            instruction *ins = &p->instructions[part][i];
            if (read_instruction(r, part, ins) < 0)
                return -1;
            if (ins->op != LANE_SUM)
                continue;
            ins->slot = p->sums;
            p->sums += ins->members;
            if (p->sums > LIMIT / 8)
                return refuse("there are too many sums");
        }
    }
    return r->next == r->end ? 0 : refuse("there are words after the end");
}

program *program_read(const int64_t *words, size_t count, const double *constants, size_t constant_count,
                      const machine *machine, int exact)
{
    program *p = cleared(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->machine = machine;
    p->exact = exact;
    reader r = {words, words + count, p};
    if (read_all(&r, constants, constant_count) < 0) {
        program_free(p);
        return NULL;
    }
    if (program_lower(p) < 0 || program_fuse(p) < 0 || program_columns(p) < 0 || program_lean(p) < 0) {
        program_free(p);
        PyErr_NoMemory();
        return NULL;
    }
    return p;
}

void program_free(program *p)
{
    if (p == NULL)
        return;
    for (int part = 0; part < PARTS; part++) {
        for (int64_t i = 0; i < p->counts[part]; i++) {
            instruction *ins = &p->instructions[part][i];
            for (int j = 0; j < ins->operands; j++)
                PyMem_RawFree(ins->operand[j].index);
            for (int64_t j = 0; j < ins->runs; j++) {
                PyMem_RawFree(ins->run[j].a.index);
                PyMem_RawFree(ins->run[j].b.index);
                PyMem_RawFree(ins->run[j].a.offsets);
                PyMem_RawFree(ins->run[j].b.offsets);
            }
            PyMem_RawFree(ins->operand);
            PyMem_RawFree(ins->run);
            PyMem_RawFree(ins->plain);
            PyMem_RawFree(ins->code);
            PyMem_RawFree(ins->slots);
        }
        PyMem_RawFree(p->instructions[part]);
    }
    PyMem_RawFree(p->column[0]);
    PyMem_RawFree(p->column[1]);
    PyMem_RawFree(p->stretch);
    PyMem_RawFree(p->output[SHARED]);
    PyMem_RawFree(p->output[LANES]);
    PyMem_RawFree(p->constant);
    PyMem_RawFree(p);
}
