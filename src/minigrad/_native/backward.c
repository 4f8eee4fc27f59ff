/* The pass.

   `quick_pass` does it in one sweep: a node is entered in the queue when its first message arrives,
   and sends its own when its turn comes.  It cannot stop for Python code, so it is for graphs
   without hooks, rules of their own and strange gradients; for all others `backward` of scalar.py
   does what is around a pass, and `engine_walk` the pass.  Where two nodes have the same index (one
   is a copy of the other) the order is the one in which `reach` found them, and `pass_in_order`
   follows it. */

#include "queue.h"
#include "walks.h"

/* ---- leaves ---------------------------------------------------------------------------------- */

static struct {
    Nodes nodes;
    double *earlier; /* the gradient of each from the passes before */
    size_t room;
} leaves;

static int leaves_append(Value *v)
{
    if (nodes_append(&leaves.nodes, v) < 0)
        return -1;
    if (leaves.room < leaves.nodes.room) {
        double *earlier = PyMem_RawRealloc(leaves.earlier, leaves.nodes.room * sizeof(double));
        if (earlier == NULL) {
            leaves.nodes.count--;
            return -1;
        }
        leaves.earlier = earlier;
        leaves.room = leaves.nodes.room;
    }
    leaves.earlier[leaves.nodes.count - 1] = v->grad;
    return 0;
}

/* Leaves add up over passes: their total, or what they had before if the pass failed. */
static void finish_leaves(int failed)
{
    for (size_t i = 0; i < leaves.nodes.count; i++) {
        Value *leaf = leaves.nodes.item[i];
        double earlier = leaves.earlier[i];
        leaf->flags &= (uint16_t)~MARKED;
        if (failed)
            leaf->grad = earlier;
        else if (earlier != 0.0) /* true of NaN as well */
            leaf->grad = earlier + leaf->grad;
    }
    leaves.nodes.count = 0;
    if (leaves.room > 65536) { /* do not keep what one large model needed */
        nodes_free(&leaves.nodes);
        PyMem_RawFree(leaves.earlier);
        leaves.earlier = NULL;
        leaves.room = 0;
    }
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* A first message for v: its gradient starts from zero. */
static inline Pushed enter(Value *v)
{
    if (v->count == 0) {
        if (leaves_append(v) < 0)
            return NO_MEMORY;
    } else {
        Pushed pushed = queue_push(v);
        if (pushed != TAKEN)
            return pushed;
    }
    v->flags = (uint16_t)((v->flags | MARKED) & ~ODD);
    v->grad = 0.0;
    return TAKEN;
}

static inline Pushed receive(Value *v, double amount)
{
    if (!(v->flags & MARKED)) {
        Pushed pushed = v->flags & WANTS ? enter(v) : TAKEN;
        if (pushed != TAKEN || !(v->flags & WANTS))
            return pushed;
    }
    v->grad += amount;
    return TAKEN;
}

static Pushed quick_pass(Value *const *roots, const double *seeds, size_t count)
{
    int64_t newest = INT64_MIN;
    for (size_t i = 0; i < count; i++)
        if (roots[i]->index > newest)
            newest = roots[i]->index;
    queue_start(newest);
    Pushed pushed = TAKEN;
    for (size_t i = 0; i < count && pushed == TAKEN; i++)
        pushed = receive(roots[i], seeds[i]);
    Value *v;
    while (pushed == TAKEN && !tied && (v = queue_pop()) != NULL) {
        v->flags &= (uint16_t)~MARKED;
        if (v->count == 2 && !(v->flags & (DIVIDES | SELECTS))) { /* most nodes: the loop below, unrolled */
            double upstream = v->grad;
            pushed = receive(v->child[0], v->local[0] * upstream);
            if (pushed == TAKEN)
                pushed = receive(v->child[1], v->local[1] * upstream);
        } else {
            FOR_EACH_MESSAGE(v, child, amount, {
                pushed = receive(child, amount);
                if (pushed != TAKEN)
                    break;
            });
        }
    }
    if (pushed == TAKEN && tied)
        pushed = OUT_OF_ORDER;
    if (pushed != TAKEN)
        while ((v = queue_pop()) != NULL)
            v->flags &= (uint16_t)~MARKED;
    finish_leaves(pushed != TAKEN);
    return pushed;
}

static void start_from_zero(const Nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        nodes->item[i]->grad = 0.0;
        nodes->item[i]->flags &= (uint16_t)~ODD;
    }
}

static int pass_in_order(Value *const *roots, const double *seeds, size_t count)
{
    Nodes senders = {0}, ends = {0};
    int failed = reach(roots, count, &senders, &ends);
    for (size_t i = 0; i < ends.count && !failed; i++)
        failed = leaves_append(ends.item[i]);
    if (failed) {
        leaves.nodes.count = 0;
    } else {
        start_from_zero(&senders);
        start_from_zero(&ends);
        for (size_t i = 0; i < count; i++)
            if (roots[i]->flags & WANTS)
                roots[i]->grad += seeds[i];
        for (size_t i = 0; i < senders.count; i++)
            FOR_EACH_MESSAGE(senders.item[i], child, amount, { child->grad += amount; });
        finish_leaves(0);
    }
    nodes_free(&senders);
    nodes_free(&ends);
    return failed;
}

/* ---- which pass it is to be ------------------------------------------------------------------ */

static int has_special(const Nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        Value *v = nodes->item[i];
        if ((v->flags & FOREIGN) || (v->extra != NULL && extra_is_special(v->extra)))
            return 1;
    }
    return 0;
}

/* Must scalar.py walk this?  1, 0, or -1 with an exception. */
static int is_special(Value *const *roots, size_t count)
{
    Nodes senders = {0}, ends = {0};
    int found = reach(roots, count, &senders, &ends);
    if (found == 0)
        found = has_special(&senders) || has_special(&ends);
    nodes_free(&senders);
    nodes_free(&ends);
    if (found < 0) {
        PyErr_NoMemory();
        return -1;
    }
    if (!found) { /* a pass that a hook of another graph started, too */
        PyObject *running;
        if (PyContextVar_Get(textbook.running, NULL, &running) < 0)
            return -1;
        found = running == NULL ? 0 : PyObject_IsTrue(running);
        Py_XDECREF(running);
    }
    return found;
}

/* 1: done; 0: it is scalar.py's to do; -1: an exception. */
static int try_pass(Value *const *roots, const double *seeds, size_t count)
{
    int wanted = 0;
    for (size_t i = 0; i < count; i++)
        wanted |= roots[i]->flags & WANTS;
    if (!wanted)
        return 0;
    if (specials > 0) {
        int special = is_special(roots, count);
        if (special != 0)
            return special < 0 ? -1 : 0;
    }
    Pushed pushed = quick_pass(roots, seeds, count);
    if (pushed == OUT_OF_ORDER && pass_in_order(roots, seeds, count) == 0)
        pushed = TAKEN;
    if (pushed != TAKEN) {
        PyErr_NoMemory();
        return -1;
    }
    return 1;
}

PyObject *value_backward(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    double seed = 1.0;
    if (count > 1 || names != NULL || (count == 1 && !is_exact(args[0], &seed)))
        return textbook_call("backward", self, args, count, names);
    Value *root = VALUE(self);
    int done = try_pass(&root, &seed, 1);
    if (done != 0)
        return done < 0 ? NULL : Py_NewRef(Py_None);
    PyObject *given = PyFloat_FromDouble(seed), *result = NULL;
    if (given != NULL)
        result = PyObject_CallFunctionObjArgs(textbook.backward, self, given, NULL);
    Py_XDECREF(given);
    return result;
}

/* backward(roots, seeds=None) */
PyObject *engine_backward(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count,
                          PyObject *names)
{
    PyObject *roots = count > 0 ? args[0] : Py_None, *given = count > 1 ? args[1] : Py_None;
    int listed = PyList_CheckExact(roots) || PyTuple_CheckExact(roots);
    int usual = names == NULL && count <= 2 && listed
                && (given == Py_None || PyList_CheckExact(given) || PyTuple_CheckExact(given));
    Py_ssize_t n = usual ? PySequence_Fast_GET_SIZE(roots) : 0;
    usual = usual && n > 0 && (given == Py_None || PySequence_Fast_GET_SIZE(given) == n);
    int done = 0;
    if (usual) {
        double *seeds = PyMem_Malloc((size_t)n * sizeof(double));
        if (seeds == NULL)
            return PyErr_NoMemory();
        for (Py_ssize_t i = 0; i < n && usual; i++) {
            seeds[i] = 1.0;
            usual = IS_VALUE(PySequence_Fast_GET_ITEM(roots, i))
                    && (given == Py_None || is_exact(PySequence_Fast_GET_ITEM(given, i), &seeds[i]));
        }
        if (usual)
            done = try_pass((Value **)PySequence_Fast_ITEMS(roots), seeds, (size_t)n);
        PyMem_Free(seeds);
    } else if (names == NULL && count <= 2 && IS_VALUE(roots)) {
        double seed = 1.0;
        Value *root = VALUE(roots);
        if (given == Py_None || is_exact(given, &seed))
            done = try_pass(&root, &seed, 1);
    }
    if (done != 0)
        return done < 0 ? NULL : Py_NewRef(Py_None);
    return PyObject_Vectorcall(textbook.backward, args, (size_t)count, names);
}
