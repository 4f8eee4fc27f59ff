/* The executor of vector programs: what its files know of each other.

   A Plan of compiler/plan.py arrives as words (compiler/executors.py writes them).  word_reader.c takes no
   word on trust: what leaves it reads and writes inside its cells for every member, term and sample.
   lowering.c decides once how each instruction is run.  machine.h runs it: it is compiled once per
   instruction set and type of number, and every one of them gives the same bits.  batch.c shares a batch
   among threads, and module.c is what Python sees. */

#ifndef MINIGRAD_VECTOR_H
#define MINIGRAD_VECTOR_H

#include <stddef.h>
#include <stdint.h>

#define MOST_DIMS 8
#define MOST_OPERANDS 8
#define SAMPLES 256    /* samples that a thread takes at a time: the unit of LaneSum's order */
#define PIECE 1024     /* numbers that a map gathers before it computes them */
#define MOST_WIDTH 16  /* numbers in the widest vector: 64 bytes of float */
#define TILE_ROWS 8    /* at most so many members and vectors are in one tile of a chain */
#define TILE_VECTORS 8 /* rows * vectors of any tile */
#define PLAIN_TERMS 8  /* terms of a plain chain, at most */
#define MOST_THREADS 64

enum { SHARED, LANES, SPACES };
enum { MAP, CHAIN, MOST, TAKE, PUT, LANE_SUM, OPERATIONS, LEAN = OPERATIONS };
enum { BEFORE, BODY, AFTER, PARTS };

/* How the numbers of an operand stand along the dimension that fills the vectors. */
enum {
    FIXED,  /* one for all */
    ALONG,  /* side by side */
    WHOLE,  /* elsewhere, and used by several rows: packed once for all of them */
    PACKED, /* elsewhere: packed tile by tile */
};

/* The terms of a run, as the loops of a chain tell them apart: a vector is one per place, a number one for
   all places, and `same` is a vector that serves all rows. */
enum {
    VECTOR,
    NUMBER,
    VECTOR_BY_VECTOR,
    SAME_BY_VECTOR,
    VECTOR_BY_NUMBER,
    SAME_BY_NUMBER,
    NUMBER_BY_NUMBER,
    MODES
};

typedef struct {
    int space;
    int form;
    int64_t base, step;
    int64_t strides[MOST_DIMS];
    int32_t *index;   /* [rows][terms][vector dim], or NULL; then base, step and strides are 0 */
    int32_t *offsets; /* from `base`, term by term, in place of `step`; or NULL */
    int64_t packed;   /* where it is packed, in numbers from the beginning of the scratch */
} operand;

typedef struct {
    int64_t terms;
    int product, minus, mode;
    operand a, b;
} run;

/* A term of a plain chain: cells, or numbers for all. */
typedef struct {
    int kind; /* 2 * mode + minus */
    unsigned char a_space, b_space, a_moves, b_moves;
    int32_t a, b;
} plain_term;

typedef struct {
    int op;
    int space;
    int64_t out;
    int64_t members;
    int count; /* of dims: the last one fills the vectors where the members do */
    int64_t dims[MOST_DIMS];
    int64_t places[MOST_DIMS]; /* how far apart the results are along each of them */
    int aside;                 /* a result would be written where an operand lies: copied in the end */
    int flat;                  /* LANE_SUM, MAP: members side by side in every operand */
    int kernel, operands;      /* MAP */
    operand *operand;          /* MAP; TAKE: which, table; PUT: which, row, source; LANE_SUM: source */
    int zero, exact;           /* CHAIN */
    plain_term *plain;         /* CHAIN in one loop, see plain.h; or NULL */
    int stored;                /* plain with `slots`: its results are wanted in their cells too */
    int outer;                 /* CHAIN of outer products, see outer.h */
    int steady;                /* CHAIN: nothing is packed tile by tile */
    int64_t terms, runs;       /* CHAIN, MOST; TAKE, PUT (terms alone) */
    int64_t first_row;         /* PUT where `rows`: the number of row 0 */
    int rows;                  /* PUT: row i of the table is along the first dim, see lowering.c */
    run *run;
    int64_t slot;   /* LANE_SUM: its first sum, among all */
    int64_t left;   /* LANE_SUM: members that no chain adds up by itself */
    int32_t *slots; /* of those; or, of a CHAIN, the sum that each member goes to instead of a cell */
    int32_t *code, *code_end; /* LEAN: several instructions of one member each, see lean.c */
} instruction;

#define LEAN_CHAIN (-1)

/* Outputs side by side. */
typedef struct {
    int64_t place, cell, count;
} stretch;

typedef struct machine machine;

typedef struct {
    const machine *machine;
    int exact; /* which kernels */
    int64_t cells[SPACES], inputs[SPACES], outputs[SPACES];
    int64_t *output[SPACES]; /* the cells of the outputs */
    int64_t stretches;
    stretch *stretch; /* of the shared ones */
    int64_t constants, first_constant;
    double *constant;
    int64_t counts[PARTS];
    instruction *instructions[PARTS];
    struct {                  /* columns.c; NULL where cells must be beside each other */
        unsigned char direct; /* it may be read, or written, where the caller has it */
        int64_t when;         /* an input: who reads it last; an output: who writes it */
    } *column[2];
    int64_t sums;    /* members of all LaneSums */
    int64_t lanes;   /* samples in a block, at most */
    int64_t scratch; /* numbers */
    int64_t most_runs, most_terms, most_pairs;
} program;

/* A column of numbers in somebody's array. */
typedef struct {
    char *data;
    ptrdiff_t stride; /* in bytes */
    int single;       /* float, not double */
} column;

typedef struct {
    int64_t place; /* which output of its space */
    double expected;
} guard;

typedef struct {
    column shared, shared_out;
    column *in, *out;
    int64_t batch;
    int threads;
    int64_t guards[SPACES];
    guard *guard[SPACES];
} call;

/* What one thread works with. */
typedef struct {
    void *lanes, *scratch, *views, *pairs, *sums;
    void **at; /* where the numbers of each lane cell are, if the program has columns */
    double *terms;
} desk;

typedef struct {
    void *shared, *totals;
    unsigned char *direct; /* of the lane inputs and outputs of this call */
    int desks;
    desk *desk;
} workspace;

struct machine {
    const char *name; /* of the instruction set */
    int single;       /* float, not double */
    size_t size;      /* of a number, in bytes */
    int width;        /* numbers in a vector */
    size_t view;      /* of what a chain notes about a run, in bytes */
    int kernels;
    const char *(*kernel)(int id, int *arity);
    /* Each is 0, or 1 where a guard is broken. */
    void (*begin)(const program *, workspace *, const call *);
    int (*chunk)(const program *, const workspace *, const desk *, const call *, int64_t first,
                 int64_t count);
    void (*add)(const program *, workspace *, const desk *);
    int (*end)(const program *, workspace *, const call *);
};

/* word_reader.c: NULL with an exception set. */
program *program_read(const int64_t *words, size_t count, const double *constants, size_t constant_count,
                      const machine *machine, int exact);
void program_free(program *);

/* To the next member along the first `count` dims: its place, and where it is by these strides; 0 after the last,
   when both are at the first one again. */
static inline int next_place(const instruction *ins, int count, const int64_t *strides, int64_t *at,
                             int64_t *where)
{
    for (int d = count - 1; d >= 0; d--) {
        *where += strides[d];
        if (++at[d] < ins->dims[d])
            return 1;
        *where -= ins->dims[d] * strides[d];
        at[d] = 0;
    }
    return 0;
}

/* lowering.c: -1 where there is no memory. */
int program_lower(program *);

void move_dim(instruction *, int from, int to);

/* run_merge.c: likewise. */
int chain_merge(instruction *);

/* shapes.c: likewise.  Before the dims of a chain are put in order. */
int map_to_chain(instruction *);
int chain_plain(instruction *);
void chain_outer(instruction *);

/* fusion.c: likewise. */
int program_fuse(program *);

/* columns.c: likewise. */
int program_columns(program *);

/* lean.c: likewise. */
int program_lean(program *);

/* batch.c */
workspace *workspace_new(const program *, int threads);
void workspace_free(workspace *);
int program_run(const program *, workspace *, const call *);

/* The machines that this build has, best first. */
extern const machine *const MACHINES[];
extern const int MACHINE_COUNT;
const machine *machine_find(const char *name, int single);

#endif
