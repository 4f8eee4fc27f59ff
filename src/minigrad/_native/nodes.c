/* The life of a node: allocated, tracked where it must be, freed without recursion.

   A chain of any depth is freed in a loop, on a stack of any size. */

#include "walks.h"

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
        if (is_foreign(type)) {
            v->flags |= FOREIGN;
            specials++;
        }
    }
    v->data = 0.0;
    v->grad = 0.0;
    v->index = ++created;
    v->count = 0;
    v->op = 0;
    v->extra = NULL;
    v->weakrefs = NULL;
    if (!(v->flags & TRACKED) && !have_slabs)
        node_track(v); /* see slabs_track_more: without slabs there is no way to find it later */
    return (PyObject *)v;
}

Value *node_of_many(double y, Value *const *children, const double *locals, Py_ssize_t n, int op, int flags)
{
    int all = 0;
    for (Py_ssize_t i = 0; i < n; i++)
        all |= children[i]->flags;
    int recorded = is_recorded(all);
    if (recorded < 0)
        return NULL;
    double *block = NULL;
    if (recorded && n > 2) {
        block = n <= UINT32_MAX ? PyMem_Malloc((size_t)n * (sizeof(double) + sizeof(Value *))) : NULL;
        if (block == NULL)
            return VALUE(PyErr_NoMemory());
    }
    Value *v = node_new(Py_TYPE(children[0]));
    if (v == NULL) {
        PyMem_Free(block);
        return NULL;
    }
    v->data = y;
    if (!recorded)
        return v;
    v->flags |= (uint16_t)(WANTS | flags);
    v->op = (uint16_t)op;
    if (n > 2) {
        v->locals = block;
        v->children = (Value **)(block + n);
    }
    v->count = (uint32_t)n;
    Value **into = children_of(v);
    for (Py_ssize_t i = 0; i < n; i++)
        into[i] = VALUE(Py_NewRef((PyObject *)children[i]));
    memcpy(locals_of(v), locals, (size_t)n * sizeof(double));
    if (all & TRACKED)
        node_track_new(v);
    return v;
}

int is_paused(void)
{
    static PyObject *open_name, *around_name;
    if (open_name == NULL
        && ((open_name = PyUnicode_InternFromString("open")) == NULL
            || (around_name = PyUnicode_InternFromString("around")) == NULL))
        return -1;
    PyObject *block;
    if (PyContextVar_Get(textbook.innermost, NULL, &block) < 0)
        return -1;
    while (block != NULL && block != Py_None) {
        PyObject *open = PyObject_GetAttr(block, open_name);
        int truth = open == NULL ? -1 : PyObject_IsTrue(open);
        Py_XDECREF(open);
        if (truth != 0) {
            Py_DECREF(block);
            return truth;
        }
        PyObject *around = PyObject_GetAttr(block, around_name);
        Py_SETREF(block, around);
        if (block == NULL)
            return -1;
    }
    Py_XDECREF(block);
    return 0;
}

/* ---- freeing --------------------------------------------------------------------------------- */

/* Nodes that the collector does not track are freed in a loop with a list of its own.  A tracked one
   may hold functions that hold the next node, and Python code may run; it is freed at once, in a
   loop of its own, unless it is the child of a node that is being freed, or that has happened in
   itself too often: then it waits for the loop that is going on in this thread. */

#define DEEPEST 50 /* as CPython's trashcan */

static THREAD_LOCAL struct {
    Value *waiting;
    int dropping, depth;
} mine;

static Value *take_waiting(void)
{
    Value *list = mine.waiting;
    mine.waiting = NULL;
    return list;
}

/* The last reference to a child that is tracked, or of a subclass. */
static void drop_tracked(Value *child, Value **list)
{
    mine.dropping++;
    Py_DECREF(child);
    mine.dropping--;
    while (mine.waiting != NULL) {
        Value *v = mine.waiting;
        mine.waiting = v->next;
        v->next = *list;
        *list = v;
    }
}

/* A node that waits to be freed has no references; nothing may find it by way of its extra. */
static inline void make_wait(Value *v, Value **list)
{
    if (v->extra != NULL)
        v->extra->owner = NULL;
    v->next = *list;
    *list = v;
}

/* Is a node in a list of the collector?  The flag does not tell of one that was given a class with a
   __del__, was revived by it, whereupon Python tracked it, and then got its own class back. */
static inline int is_listed(const Value *v) { return have_slabs && ((const uintptr_t *)v)[-2] != 0; }

static inline int may_run_code(const Value *v)
{
    return (v->flags & (TRACKED | STRANGE)) || !Py_IS_TYPE(v, ValueType) || is_listed(v);
}

static inline void drop_child(Value *child, Value **list)
{
    if (Py_REFCNT(child) > 1) {
        Py_DECREF(child);
    } else if (!may_run_code(child)) {
        Py_SET_REFCNT((PyObject *)child, 0); /* so that a weak reference does not revive it */
        make_wait(child, list);
        PREFETCH(child->child); /* needed next, and often not in the cache */
    } else {
        drop_tracked(child, list);
    }
}

static inline void drop_children(Value *v, Value **list)
{
    uint32_t count = v->count;
    if (count == 0)
        return;
    if (count <= 2) {
        Value *first = v->child[0], *second = v->child[1];
        v->count = 0;
        drop_child(first, list);
        if (count == 2)
            drop_child(second, list);
    } else {
        Value **children = v->children;
        double *block = v->locals;
        v->count = 0;
        for (uint32_t i = 0; i < count; i++)
            drop_child(children[i], list);
        PyMem_Free(block);
    }
}

static void free_all(Value *list)
{
    while (list != NULL) {
        Value *v = list;
        list = v->next;
        if (v->weakrefs != NULL)
            PyObject_ClearWeakRefs((PyObject *)v);
        if (v->extra != NULL)
            extra_forget(v);
        drop_children(v, &list);
        if (v->flags & FOREIGN)
            specials--;
        PyTypeObject *type = Py_TYPE(v);
        if (v->flags & IN_SLAB)
            slab_give(v);
        else
            type->tp_free(v);
        Py_DECREF(type);
    }
}

void node_set_children(Value *v, uint32_t count, Value *const *children, double *block)
{
    Value old = *v,
          *list = NULL; /* the new ones are there before the old ones go, which may run Python code */
    v->count = count;
    if (count > 2) {
        v->locals = block;
        v->children = (Value **)(block + count);
    } else {
        v->local[0] = v->local[1] = 0.0;
    }
    for (uint32_t i = 0; i < count; i++)
        children_of(v)[i] = VALUE(Py_NewRef((PyObject *)children[i]));
    drop_children(&old, &list);
    free_all(list);
}

void value_dealloc(PyObject *self)
{
    Value *v = VALUE(self);
    if (!may_run_code(v)) {
        Value *list = NULL;
        make_wait(v, &list);
        free_all(list);
        return;
    }
    PyObject_GC_UnTrack(self); /* if it is tracked */
    if (v->flags & IN_SLAB)
        ((uintptr_t *)v)[-1] = 0; /* whoever gets this place next has not been finalized */
    make_wait(v, &mine.waiting);
    if (mine.dropping > 0 || mine.depth == DEEPEST)
        return;
    mine.depth++;
    while (mine.waiting != NULL)
        free_all(take_waiting());
    mine.depth--;
}

/* ---- the cyclic collector -------------------------------------------------------------------- */

int value_traverse(PyObject *self, visitproc visit, void *arg)
{
    Value *v = VALUE(self);
    Py_VISIT(Py_TYPE(self));
    Py_VISIT((PyObject *)v->extra);
    Value **children = children_of(v);
    for (uint32_t i = 0; i < v->count; i++)
        Py_VISIT((PyObject *)children[i]);
    return 0;
}

int value_clear(PyObject *self)
{
    /* Attributes of a subclass are the subclass's to clear. */
    if (VALUE(self)->extra != NULL)
        extra_forget(VALUE(self));
    node_set_children(VALUE(self), 0, NULL, NULL);
    return 0;
}
