/* Value: the node, and what the files of the engine share.

   The engine is `scalar.py` again, in C.  It does what is usual: floats, ops of the table,
   passes without hooks.  Whatever is unusual (operands of other types, nodes made by hand,
   hooks, errors) it hands to the function of `scalar.py` that it stands for, so that the
   textbook decides there too.  Bits are the same on both ways.

   A node is allocated for the cyclic collector but tracked by it only where a cycle can be: a
   node with a hook or a rule of its own, an instance of a subclass, and whatever is computed
   from one of these (collector.c).  All others cost the collector nothing.

   All functions run with the GIL held; that protects the static state. */

#ifndef MINIGRAD_VALUE_H
#define MINIGRAD_VALUE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>
#include <stdint.h>

#if PY_VERSION_HEX < 0x030C0000 /* the new names, from Python 3.12 on */
#include <structmember.h>
#define Py_T_PYSSIZET T_PYSSIZET
#define Py_READONLY READONLY
#endif

#if defined(__GNUC__) || defined(__clang__)
#define PREFETCH(address) __builtin_prefetch(address)
#define THREAD_LOCAL _Thread_local
#else
#define PREFETCH(address) ((void)0)
#define THREAD_LOCAL __declspec(thread)
#endif

typedef struct Value Value;
typedef struct Extra Extra;

/* ---- the node: 96 bytes, 112 with the collector's header ------------------------------------ */

struct Value {
    PyObject_HEAD double data;
    union {
        double grad;
        Value *next; /* in the list of nodes that wait to be freed, and in a slab's list of free ones */
    };
    int64_t index;  /* place in the order of creation */
    uint32_t count; /* children: up to two are kept in the node, more in a block of their own */
    uint16_t op;    /* of the enum in kernels.h */
    uint16_t flags;
    Extra *extra; /* label, hooks, rule: what few nodes have */
    PyObject *weakrefs;
    union {
        struct {
            Value *child[2];
            double local[2]; /* frozen when the node is made */
        };
        struct {
            Value **children; /* behind the local gradients, in the same block */
            double *locals;
        };
    };
};

enum {
    WANTS = 1,     /* requires_grad */
    MARKED = 2,    /* seen by the walk that is going on; no Python code runs while one is set */
    TRACKED = 4,   /* by the cyclic collector */
    DIVIDES = 8,   /* local[0] is a divisor: the message is upstream / local, not upstream * local */
    SELECTS = 16,  /* some slots send no message: their local is silent() */
    STRANGE = 32,  /* .grad was set to something that is no number; extra has it */
    WHOLE = 64,    /* .grad was set to an int, as micrograd's loops do, and reads as one */
    ABSENT = 128,  /* .grad was set to None, as PyTorch's loops do, and reads so; it counts as 0.0 */
    IN_SLAB = 256, /* where its memory is from, which its class does not tell: v.__class__ can be set */
    FOREIGN = 512, /* of a subclass with its own idea of grad or of a node's rule: for scalar.py to do */
    BARE = 1024,   /* made by __new__ alone: it has no data yet, and reading them is an error */
};

#define ODD (STRANGE | WHOLE | ABSENT)

struct Extra {
    PyObject_HEAD PyObject *label;
    PyObject *rule;  /* NULL or None: the node's own */
    PyObject *hooks; /* NULL, None or a dict */
    PyObject *op;    /* the symbol of a node made by hand, where the table has no such op */
    PyObject *grad;  /* what .grad was set to, where it is STRANGE */
    Value *owner;    /* borrowed; it outlives the extra or is forgotten */
    char special;    /* counted in `specials` */
};

#define VALUE(object) ((Value *)(object))
#define IS_VALUE(object) \
    (Py_IS_TYPE(object, ValueType) || PyObject_TypeCheck((PyObject *)(object), ValueType))

static inline Value **children_of(Value *v) { return v->count <= 2 ? v->child : v->children; }
static inline double *locals_of(Value *v) { return v->count <= 2 ? v->local : v->locals; }

/* ---- state ----------------------------------------------------------------------------------- */

extern PyTypeObject *ValueType, *ExtraType;
extern int64_t created;        /* the index of the newest node */
extern Py_ssize_t open_blocks; /* no_grad blocks that are open anywhere */
extern Py_ssize_t specials;    /* living extras with hooks, a rule or a strange grad, and foreign nodes */

/* What scalar.py hands over when it takes the engine, by the names it has there. */
extern struct Textbook {
    PyObject *value; /* class Value itself */
    PyObject *backward, *number, *operand, *comparable, *apply, *run_hooks, *walk, *reach;
    PyObject *ops;       /* the table, by name */
    PyObject *inverse;   /* ieee.inverse */
    PyObject *innermost; /* the ContextVar of values/no_grad.py */
    PyObject *running;   /* the ContextVar that says whether a pass is going on */
} textbook;

/* The method of the textbook's class on self, with more arguments as in a vector call. */
PyObject *textbook_call(const char *name, PyObject *self, PyObject *const *args, Py_ssize_t count,
                        PyObject *names);

/* ---- slabs.c --------------------------------------------------------------------------------- */

#define SLAB_SIZE ((size_t)1 << 21)

typedef struct Slab {
    struct Slab *next, *previous; /* in the list of slabs with room */
    struct Slab *after, *before;  /* in the list of all slabs */
    Value *free;
    size_t living, used;
    int listed;
} Slab;

extern Slab *slab; /* the one in use */
extern int have_slabs;
Value *slab_take(void);      /* a node's memory where the slab in use has no free one */
void slab_was_left(Slab *s); /* a node was freed in a slab that has none left, or is not known to have room */
int slabs_ready(void);
void slabs_track_more(void);   /* all that was computed from a tracked node */
Py_ssize_t slabs_living(void); /* room for so many nodes is taken */

static inline void slab_give(Value *v)
{
    Slab *s = (Slab *)((uintptr_t)v & ~(uintptr_t)(SLAB_SIZE - 1));
    v->next = s->free;
    s->free = v;
    s->living--;
    if (s != slab && (!s->listed || s->living == 0))
        slab_was_left(s);
}

/* ---- nodes.c --------------------------------------------------------------------------------- */

PyObject *node_allocate(PyTypeObject *type); /* as Python allocates; node_new is the usual way */
/* Other children than before, with local gradients of zero; a block for more than two, from PyMem. */
void node_set_children(Value *v, uint32_t count, Value *const *children, double *block);
Value *node_of_many(double y, Value *const *children, const double *locals, Py_ssize_t n, int op, int flags);
int is_paused(void); /* inside a no_grad block?  -1 with an exception */
void value_dealloc(PyObject *self);
int value_traverse(PyObject *self, visitproc visit, void *arg);
int value_clear(PyObject *self);

/* ---- collector.c ----------------------------------------------------------------------------- */

int is_foreign(PyTypeObject *type);
void node_track(Value *v);
void node_track_new(Value *v);  /* one that was made just now; may collect */
void node_track_late(Value *v); /* one that others may have been computed from already; may collect */
int tracking_ready(void);

/* ---- operators.c, attributes.c, extras.c, backward.c, calls.c -------------------------------- */

/* x as a constant of the given type: 1 and a new reference, 0 if x is no number that we know,
   -1 with an exception. */
int constant_of(PyObject *x, PyTypeObject *type, Value **constant);
int is_exact(PyObject *x, double *number); /* a float, or an int that is one? */
PyObject *engine_constant(PyObject *module, PyObject *const *args, Py_ssize_t count);

extern PyMethodDef operator_methods[];
PyObject *value_add(PyObject *left, PyObject *right);
PyObject *value_sub(PyObject *left, PyObject *right);
PyObject *value_mul(PyObject *left, PyObject *right);
PyObject *value_div(PyObject *left, PyObject *right);
PyObject *value_power(PyObject *left, PyObject *right, PyObject *modulus);
PyObject *value_neg(PyObject *self);
PyObject *value_pos(PyObject *self);
PyObject *value_abs(PyObject *self);
PyObject *value_richcompare(PyObject *self, PyObject *other, int comparison);
extern PyGetSetDef value_attributes[];
void clear_strange(Value *v);     /* .grad becomes 0.0; may run Python code */
Extra *extra_of(Value *v);        /* borrowed; made where there is none; NULL with an exception */
void extra_changed(Extra *extra); /* after its hooks, rule or grad were set */
int extra_is_special(const Extra *extra);
void extra_forget(Value *v);
int extras_ready(PyObject *module);
PyObject *engine_backward(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names);
PyObject *engine_walk(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *engine_reach(PyObject *module, PyObject *roots);
PyObject *engine_apply(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *engine_compiled(PyObject *module, PyObject *const *args, Py_ssize_t count);
extern PyMethodDef op_methods[], walk_methods[];
extern PyObject *op_symbols[];
extern PyObject *op_names; /* a dict: name -> opcode */
extern PyObject *op_codes; /* a dict: symbol -> opcode */
int ops_ready(void);

/* ---- making nodes ---------------------------------------------------------------------------- */

static inline Value *node_new(PyTypeObject *type)
{
    if (type != ValueType || !have_slabs)
        return VALUE(node_allocate(type));
    Value *v = slab->free;
    if (v != NULL) {
        slab->free = v->next;
        slab->living++;
    } else if ((v = slab_take()) == NULL) {
        return NULL;
    }
    Py_INCREF(type);
    Py_SET_REFCNT((PyObject *)v, 1);
    Py_SET_TYPE((PyObject *)v, type);
    v->grad = 0.0;
    v->index = ++created;
    v->count = 0;
    v->op = 0;
    v->flags = IN_SLAB;
    return v;
}

/* Is a gradient wanted for what is computed from these?  1, 0, or -1 with an exception. */
static inline int is_recorded(int flags)
{
    if (!(flags & WANTS))
        return 0;
    if (open_blocks == 0)
        return 1;
    int paused = is_paused();
    return paused < 0 ? -1 : !paused;
}

static inline PyObject *node_of_one(Value *a, double y, double local, int op)
{
    int recorded = is_recorded(a->flags);
    Value *v = recorded < 0 ? NULL : node_new(Py_TYPE(a));
    if (v == NULL)
        return NULL;
    v->data = y;
    if (recorded) {
        v->flags |= WANTS;
        v->count = 1;
        v->op = (uint16_t)op;
        v->child[0] = VALUE(Py_NewRef((PyObject *)a));
        v->local[0] = local;
        if (a->flags & TRACKED)
            node_track_new(v);
    }
    return (PyObject *)v;
}

/* The class of the left operand, as the user wrote it, is the result's. */
static inline PyObject *node_of_two(Value *a, Value *b, double y, double local_a, double local_b, int op,
                                    int flags)
{
    int recorded = is_recorded(a->flags | b->flags);
    Value *v = recorded < 0 ? NULL : node_new(Py_TYPE(a));
    if (v == NULL)
        return NULL;
    v->data = y;
    if (recorded) {
        v->flags |= (uint16_t)(WANTS | flags);
        v->count = 2;
        v->op = (uint16_t)op;
        v->child[0] = VALUE(Py_NewRef((PyObject *)a));
        v->child[1] = VALUE(Py_NewRef((PyObject *)b));
        v->local[0] = local_a;
        v->local[1] = local_b;
        if ((a->flags | b->flags) & TRACKED)
            node_track_new(v);
    }
    return (PyObject *)v;
}

#endif
