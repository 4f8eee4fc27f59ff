/* Walks over the nodes below some roots.  No Python code runs during one: nothing is allocated from
   Python's heap, the GIL is held, and no reference count changes, so that nodes need not be kept
   alive.  What is made of the result keeps them alive first. */

#ifndef MINIGRAD_WALKS_H
#define MINIGRAD_WALKS_H

#include "value.h"

#include "ieee.h"

/* A growing list of nodes. */
typedef struct {
    Value **item;
    size_t count, room;
} Nodes;

int nodes_append(Nodes *nodes, Value *v); /* -1 without memory, and no exception set */
void nodes_free(Nodes *nodes);
int sort_by_age(Nodes *nodes); /* newest first; nodes with one index stay in their order */

/* What messages from the roots can reach, as `reach` in scalar.py finds it and in its order:
   the nodes that send messages on, newest first, and the leaves. */
int reach(Value *const *roots, size_t count, Nodes *senders, Nodes *leaves);

PyObject *value_backward(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names);

/* Each child that wants it gets its message: local * upstream. */
#define FOR_EACH_MESSAGE(v, child_name, amount_name, body)                                            \
    do {                                                                                              \
        Value **children_ = children_of(v);                                                           \
        double *locals_ = locals_of(v), upstream_ = (v)->grad;                                        \
        for (uint32_t i_ = 0; i_ < (v)->count; i_++) {                                                \
            Value *child_name = children_[i_];                                                        \
            if (!(child_name->flags & WANTS))                                                         \
                continue;                                                                             \
            if (((v)->flags & SELECTS) && is_silent(locals_[i_]))                                     \
                continue;                                                                             \
            double amount_name =                                                                      \
                i_ == 0 && ((v)->flags & DIVIDES) ? upstream_ / locals_[0] : locals_[i_] * upstream_; \
            body                                                                                      \
        }                                                                                             \
    } while (0)

#endif
