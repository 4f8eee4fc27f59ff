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

static PyObject *list_of(const Nodes *nodes)
{
    PyObject *list = PyList_New((Py_ssize_t)nodes->count);
    for (size_t i = 0; list != NULL && i < nodes->count; i++)
        PyList_SET_ITEM(list, (Py_ssize_t)i, Py_NewRef((PyObject *)nodes->item[i]));
    return list;
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
    } else {
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

static void start_list_from_zero(PyObject *list)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        Value *v = VALUE(PyList_GET_ITEM(list, i));
        if (v->flags & STRANGE)
            clear_strange(v);
        v->flags &= (uint16_t)~ODD;
        v->grad = 0.0;
    }
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
    PyObject *strange = NULL; /* their nodes, because clearing a gradient may run Python code */
    for (size_t i = 0; i < found.count && !failed; i++) {
        Value *v = found.item[i];
        if (v->flags & STRANGE) {
            if (strange == NULL)
                strange = PyList_New(0);
            failed = strange == NULL || PyList_Append(strange, (PyObject *)v) < 0;
        } else {
            v->grad = 0.0;
            v->flags &= (uint16_t)~ODD;
        }
    }
    nodes_free(&found);
    if (strange != NULL && !failed)
        start_list_from_zero(strange);
    Py_XDECREF(strange);
    if (failed)
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    return Py_NewRef(Py_None);
}

/* ---- a pass that stops for hooks and rules --------------------------------------------------- */

static int has_foreign(PyObject *list)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++)
        if (VALUE(PyList_GET_ITEM(list, i))->flags & FOREIGN)
            return 1;
    return 0;
}

static int run_hooks(Value *v)
{
    if (v->extra == NULL || v->extra->hooks == NULL)
        return 0;
    PyObject *result = PyObject_CallOneArg(textbook.run_hooks, (PyObject *)v);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

static int send(Value *v)
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

/* _walk(seeded, senders, leaves), as in scalar.py; the lists keep the nodes alive. */
PyObject *engine_walk(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    if (count != 3 || !PyList_CheckExact(args[0]) || !PyList_CheckExact(args[1])
        || !PyList_CheckExact(args[2]))
        return PyErr_Format(PyExc_TypeError, "_walk(seeded, senders, leaves)");
    PyObject *seeded = args[0], *senders = args[1], *ends = args[2];
    if (has_foreign(senders) || has_foreign(ends))
        return PyObject_Vectorcall(textbook.walk, args, 3, NULL);
    start_list_from_zero(senders);
    start_list_from_zero(ends);
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(seeded); i++) {
        PyObject *pair = PyList_GET_ITEM(seeded, i);
        Value *root = VALUE(PyTuple_GET_ITEM(pair, 0));
        if (root->flags & WANTS)
            root->grad += PyFloat_AS_DOUBLE(PyTuple_GET_ITEM(pair, 1));
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(senders); i++) {
        Value *v = VALUE(PyList_GET_ITEM(senders, i));
        if (run_hooks(v) < 0 || send(v) < 0)
            return NULL;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(ends); i++)
        if (run_hooks(VALUE(PyList_GET_ITEM(ends, i))) < 0)
            return NULL;
    return Py_NewRef(Py_None);
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
