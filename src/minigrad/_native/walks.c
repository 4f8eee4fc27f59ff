/* The walks below some roots: what a pass can reach, zero_grad, one node's messages, and the pass that
   stops for hooks and rules.  `backward.c` has the pass that does not stop. */

#include "walks.h"

/* ---- lists ----------------------------------------------------------------------------------- */

int nodes_append(Nodes *nodes, Value *v)
{
    if (nodes->count == nodes->room) {
        size_t room = nodes->room ? 2 * nodes->room : 64;
        Value **item = PyMem_RawRealloc(nodes->item, room * sizeof(Value *));
        if (item == NULL)
            return -1;
        nodes->item = item;
        nodes->room = room;
    }
    nodes->item[nodes->count++] = v;
    return 0;
}

void nodes_free(Nodes *nodes)
{
    PyMem_RawFree(nodes->item);
    nodes->item = NULL;
    nodes->count = nodes->room = 0;
}

static void unmark(const Nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++)
        nodes->item[i]->flags &= (uint16_t)~MARKED;
}

int sort_by_age(Nodes *nodes)
{
    size_t n = nodes->count, sorted = 1;
    while (sorted < n && nodes->item[sorted - 1]->index >= nodes->item[sorted]->index)
        sorted++;
    if (sorted >= n)
        return 0;
    Value **spare = PyMem_RawMalloc(n * sizeof(Value *)), **from = nodes->item, **into = spare;
    if (spare == NULL)
        return -1;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t low = 0; low < n; low += 2 * width) {
            size_t middle = low + width < n ? low + width : n, high = middle + width < n ? middle + width : n;
            size_t a = low, b = middle;
            for (size_t at = low; at < high; at++)
                into[at] =
                    b >= high || (a < middle && from[a]->index >= from[b]->index) ? from[a++] : from[b++];
        }
        Value **other = from;
        from = into;
        into = other;
    }
    if (from != nodes->item)
        memcpy(nodes->item, from, n * sizeof(Value *));
    PyMem_RawFree(spare);
    return 0;
}

/* ---- reach ----------------------------------------------------------------------------------- */

int reach(Value *const *roots, size_t count, Nodes *senders, Nodes *leaves)
{
    Nodes waiting = {0};
    int failed = 0;
    for (size_t i = 0; i < count && !failed; i++)
        if ((roots[i]->flags & (WANTS | MARKED)) == WANTS) {
            failed = nodes_append(&waiting, roots[i]);
            if (!failed)
                roots[i]->flags |= MARKED;
        }
    while (waiting.count > 0 && !failed) {
        Value *v = waiting.item[waiting.count - 1];
        failed = nodes_append(v->count == 0 ? leaves : senders, v);
        if (failed)
            break;
        waiting.count--;
        Value **children = children_of(v);
        double *locals = locals_of(v);
        for (uint32_t i = 0; i < v->count && !failed; i++) {
            Value *child = children[i];
            if ((child->flags & (WANTS | MARKED)) != WANTS || ((v->flags & SELECTS) && is_silent(locals[i])))
                continue;
            failed = nodes_append(&waiting, child);
            if (!failed)
                child->flags |= MARKED;
        }
    }
    unmark(senders);
    unmark(leaves);
    unmark(&waiting);
    nodes_free(&waiting);
    if (failed || sort_by_age(senders) < 0)
        return -1;
    return 0;
}

/* The list takes over a reference to each node. */
static PyObject *list_of(const Nodes *nodes)
{
    PyObject *list = PyList_New((Py_ssize_t)nodes->count);
    for (size_t i = 0; i < nodes->count; i++) {
        if (list != NULL)
            PyList_SET_ITEM(list, (Py_ssize_t)i, (PyObject *)nodes->item[i]);
        else
            Py_DECREF(nodes->item[i]);
    }
    return list;
}

static void keep_alive(const Nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++)
        Py_INCREF(nodes->item[i]);
}

static int has_foreign(const Nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++)
        if (nodes->item[i]->flags & FOREIGN)
            return 1;
    return 0;
}

PyObject *engine_reach(PyObject *Py_UNUSED(module), PyObject *roots)
{
    PyObject *given = PySequence_Tuple(roots), *result = NULL;
    if (given == NULL)
        return NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(given);
    for (Py_ssize_t i = 0; i < count; i++)
        if (!IS_VALUE(PyTuple_GET_ITEM(given, i))) {
            Py_DECREF(given);
            return PyErr_Format(PyExc_TypeError, "reach takes Values");
        }
    Nodes senders = {0}, leaves = {0};
    if (reach((Value **)((PyTupleObject *)given)->ob_item, (size_t)count, &senders, &leaves) < 0) {
        PyErr_NoMemory();
    } else if (has_foreign(&senders) || has_foreign(&leaves)) {
        result = PyObject_CallOneArg(textbook.reach, given);
    } else {
        keep_alive(&senders); /* before Python can run, which a new list may let it */
        keep_alive(&leaves);
        PyObject *first = list_of(&senders), *second = list_of(&leaves);
        if (first != NULL && second != NULL)
            result = PyTuple_Pack(2, first, second);
        Py_XDECREF(first);
        Py_XDECREF(second);
    }
    nodes_free(&senders);
    nodes_free(&leaves);
    Py_DECREF(given);
    return result;
}

/* ---- by hand --------------------------------------------------------------------------------- */

static PyObject *value_propagate(PyObject *self, PyObject *Py_UNUSED(unused))
{
    Value *v = VALUE(self), **children = children_of(v);
    int flags = v->flags;
    for (uint32_t i = 0; i < v->count; i++)
        flags |= children[i]->flags;
    if (flags & (STRANGE | ABSENT | FOREIGN))
        return textbook_call("_propagate", self, NULL, 0, NULL);
    FOR_EACH_MESSAGE(v, child, amount, {
        child->grad += amount;
        child->flags &= (uint16_t)~WHOLE;
    });
    return Py_NewRef(Py_None);
}

/* May run Python code where a gradient was strange. */
static void start_node_from_zero(Value *v)
{
    if (v->flags & STRANGE)
        clear_strange(v);
    v->flags &= (uint16_t)~ODD;
    v->grad = 0.0;
}

static PyObject *value_zero_grad(PyObject *self, PyObject *Py_UNUSED(unused))
{
    Nodes found = {0};
    int failed = nodes_append(&found, VALUE(self)), flags = 0;
    if (!failed)
        VALUE(self)->flags |= MARKED;
    for (size_t at = 0; at < found.count && !failed; at++) { /* grows while it is walked */
        Value *v = found.item[at], **children = children_of(v);
        flags |= v->flags;
        for (uint32_t i = 0; i < v->count && !failed; i++)
            if (!(children[i]->flags & MARKED)) {
                failed = nodes_append(&found, children[i]);
                if (!failed)
                    children[i]->flags |= MARKED;
            }
    }
    unmark(&found);
    if (!failed && (flags & FOREIGN)) {
        nodes_free(&found);
        return textbook_call("zero_grad", self, NULL, 0, NULL);
    }
    if (!failed) {
        keep_alive(&found);
        for (size_t i = 0; i < found.count; i++)
            start_node_from_zero(found.item[i]);
        for (size_t i = 0; i < found.count; i++)
            Py_DECREF(found.item[i]);
    }
    nodes_free(&found);
    return failed ? PyErr_NoMemory() : Py_NewRef(Py_None);
}

/* ---- a pass that stops for hooks and rules --------------------------------------------------- */

static int is_walkable(PyObject *nodes)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(nodes); i++) {
        PyObject *node = PyTuple_GET_ITEM(nodes, i);
        if (!IS_VALUE(node) || (VALUE(node)->flags & FOREIGN))
            return 0;
    }
    return 1;
}

static int is_seeded(PyObject *pairs)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(pairs); i++) {
        PyObject *pair = PyTuple_GET_ITEM(pairs, i);
        if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2 || !IS_VALUE(PyTuple_GET_ITEM(pair, 0))
            || !PyFloat_CheckExact(PyTuple_GET_ITEM(pair, 1)))
            return 0;
    }
    return 1;
}

static int run_hooks(Value *v)
{
    if (v->extra == NULL || v->extra->hooks == NULL)
        return 0;
    PyObject *result = PyObject_CallOneArg(textbook.run_hooks, (PyObject *)v);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

static int pass_on(Value *v)
{
    PyObject *result, *rule = v->extra == NULL ? NULL : v->extra->rule;
    if (rule == NULL || rule == Py_None) {
        result = value_propagate((PyObject *)v, NULL);
    } else {
        Py_INCREF(rule);
        result = PyObject_CallNoArgs(rule);
        Py_DECREF(rule);
    }
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

static int walk(PyObject *seeded, PyObject *senders, PyObject *ends)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(senders); i++)
        start_node_from_zero(VALUE(PyTuple_GET_ITEM(senders, i)));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(ends); i++)
        start_node_from_zero(VALUE(PyTuple_GET_ITEM(ends, i)));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(seeded); i++) {
        PyObject *pair = PyTuple_GET_ITEM(seeded, i);
        Value *root = VALUE(PyTuple_GET_ITEM(pair, 0));
        if (root->flags & WANTS)
            root->grad += PyFloat_AS_DOUBLE(PyTuple_GET_ITEM(pair, 1));
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(senders); i++) {
        Value *v = VALUE(PyTuple_GET_ITEM(senders, i));
        if (run_hooks(v) < 0 || pass_on(v) < 0)
            return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(ends); i++)
        if (run_hooks(VALUE(PyTuple_GET_ITEM(ends, i))) < 0)
            return -1;
    return 0;
}

/* _walk(seeded, senders, leaves), as in scalar.py.  Tuples of our own keep the nodes alive: the lists are
   the caller's, and what runs on the way, a hook or the __del__ of a strange gradient, may change them. */
PyObject *engine_walk(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    if (count != 3 || !PyList_CheckExact(args[0]) || !PyList_CheckExact(args[1])
        || !PyList_CheckExact(args[2]))
        return PyObject_Vectorcall(textbook.walk, args, (size_t)count, NULL);
    PyObject *own[3] = {NULL, NULL, NULL}, *result = NULL;
    int made = 1;
    for (int i = 0; i < 3 && made; i++)
        made = (own[i] = PyList_AsTuple(args[i])) != NULL;
    if (made && !(is_seeded(own[0]) && is_walkable(own[1]) && is_walkable(own[2])))
        result = PyObject_Vectorcall(textbook.walk, args, (size_t)count, NULL);
    else if (made && walk(own[0], own[1], own[2]) == 0)
        result = Py_NewRef(Py_None);
    for (int i = 0; i < 3; i++)
        Py_XDECREF(own[i]);
    return result;
}

PyMethodDef walk_methods[] = {
    {"backward", (PyCFunction)(void (*)(void))value_backward, METH_FASTCALL | METH_KEYWORDS,
     "backward($self, /, seed=1.0)\n--\n\n"
     "Add to the `grad` of every leaf below how this Value changes with it, times `seed`."},
    {"zero_grad", value_zero_grad, METH_NOARGS,
     "zero_grad($self, /)\n--\n\nClear the gradients of this Value and of everything below it."},
    {"_propagate", value_propagate, METH_NOARGS,
     "_propagate($self, /)\n--\n\n"
     "Send each child its contribution, `local * upstream`, and add it to the child's grad."},
    {0},
};
