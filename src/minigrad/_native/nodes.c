/* The life of a node: allocated, tracked where it must be, freed without recursion.

   A chain of any depth is freed in a loop, on a stack of any size. */

#include "value.h"

int64_t created = 0;
Py_ssize_t open_blocks = 0;
struct Textbook textbook;

/* ---- allocation ------------------------------------------------------------------------------ */

PyObject *node_allocate(PyTypeObject *type)
{
    Value *v;
    if (type == ValueType) {
        v = PyObject_GC_New(Value, type);
        if (v == NULL)
            return NULL;
        v->flags = 0;
    } else { /* a subclass: its instances may be part of a cycle through their attributes */
        v = VALUE(type->tp_alloc(type, 0));
        if (v == NULL)
            return NULL;
        v->flags = TRACKED;
    }
    v->data = 0.0;
    v->grad = 0.0;
    v->index = ++created;
    v->count = 0;
    v->op = 0;
    v->extra = NULL;
    v->weakrefs = NULL;
    return (PyObject *)v;
}

void node_track(Value *v)
{
    if (!(v->flags & TRACKED)) {
        v->flags |= TRACKED;
        PyObject_GC_Track(v);
    }
}

Value *node_of_many(Value *like, double y, Value *const *children, const double *locals, Py_ssize_t n,
                    int op, int flags)
{
    int all = 0;
    for (Py_ssize_t i = 0; i < n; i++)
        all |= children[i]->flags;
    int recorded = is_recorded(all);
    if (recorded < 0)
        return NULL;
    Value **block = NULL;
    if (recorded && n > 2) {
        block = n <= UINT32_MAX ? PyMem_Malloc((size_t)n * (sizeof(Value *) + sizeof(double))) : NULL;
        if (block == NULL)
            return VALUE(PyErr_NoMemory());
    }
    Value *v = node_new(Py_TYPE(like));
    if (v == NULL) {
        PyMem_Free(block);
        return NULL;
    }
    v->data = y;
    if (!recorded)
        return v;
    v->flags |= (uint8_t)(WANTS | flags);
    v->op = (uint8_t)op;
    if (n > 2) {
        v->children = block;
        v->locals = (double *)(block + n);
    }
    v->count = (uint32_t)n;
    Value **into = children_of(v);
    for (Py_ssize_t i = 0; i < n; i++)
        into[i] = VALUE(Py_NewRef((PyObject *)children[i]));
    memcpy(locals_of(v), locals, (size_t)n * sizeof(double));
    if (all & TRACKED)
        node_track(v);
    return v;
}

int is_paused(void)
{
    PyObject *block;
    if (PyContextVar_Get(textbook.innermost, NULL, &block) < 0)
        return -1;
    while (block != NULL && block != Py_None) {
        PyObject *open = PyObject_GetAttrString(block, "open");
        int truth = open == NULL ? -1 : PyObject_IsTrue(open);
        Py_XDECREF(open);
        if (truth != 0) {
            Py_DECREF(block);
            return truth;
        }
        PyObject *around = PyObject_GetAttrString(block, "around");
        Py_SETREF(block, around);
        if (block == NULL)
            return -1;
    }
    Py_XDECREF(block);
    return 0;
}

/* ---- freeing --------------------------------------------------------------------------------- */

static Value *waiting = NULL; /* dead nodes, linked by `next` */
static int freeing = 0;

static void free_waiting(void);

static inline void let_go(Value *child)
{
    if (Py_REFCNT(child) == 1 && Py_IS_TYPE(child, ValueType) && !(child->flags & TRACKED)) {
        Py_SET_REFCNT((PyObject *)child, 0); /* so that a weak reference does not revive it */
        child->next = waiting;
        waiting = child;
    } else {
        Py_DECREF(child);
    }
}

void node_drop_children(Value *v)
{
    uint32_t count = v->count;
    if (count == 0)
        return;
    if (count <= 2) {
        Value *first = v->child[0], *second = v->child[1];
        v->count = 0;
        let_go(first);
        if (count == 2)
            let_go(second);
    } else {
        Value **block = v->children;
        v->count = 0;
        for (uint32_t i = 0; i < count; i++)
            let_go(block[i]);
        PyMem_Free(block);
    }
    if (!freeing && waiting != NULL)
        free_waiting();
}

static void release(Value *v)
{
    if (v->weakrefs != NULL)
        PyObject_ClearWeakRefs((PyObject *)v);
    if (v->extra != NULL)
        extra_forget(v);
    node_drop_children(v);
    PyTypeObject *type = Py_TYPE(v);
    if (type == ValueType && have_slabs) { /* such a node holds no reference to its class */
        slab_give(v);
        return;
    }
    type->tp_free(v);
    Py_DECREF(type);
}

static void free_waiting(void)
{
    freeing = 1;
    while (waiting != NULL) {
        Value *v = waiting;
        waiting = v->next;
        release(v);
    }
    freeing = 0;
}

void value_dealloc(PyObject *self)
{
    Value *v = VALUE(self);
    if (v->flags & TRACKED)
        PyObject_GC_UnTrack(self);
    v->next = waiting;
    waiting = v;
    if (!freeing) /* else the loop that is going on will come to it */
        free_waiting();
}

/* ---- the cyclic collector -------------------------------------------------------------------- */

int value_traverse(PyObject *self, visitproc visit, void *arg)
{
    Value *v = VALUE(self);
    if (!Py_IS_TYPE(self, ValueType) || !have_slabs)
        Py_VISIT(Py_TYPE(self));
    Py_VISIT((PyObject *)v->extra);
    Value **children = children_of(v);
    for (uint32_t i = 0; i < v->count; i++)
        Py_VISIT((PyObject *)children[i]);
    return 0;
}

int value_clear(PyObject *self)
{
    /* A node is older than what is computed from it, so every cycle goes through an extra
       or through an attribute of a subclass, which the subclass clears. */
    if (VALUE(self)->extra != NULL)
        extra_forget(VALUE(self));
    return 0;
}
