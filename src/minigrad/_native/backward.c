/* The pass, and the other walks: backward, reach, zero_grad, and one node's messages by hand.

   `quick_pass` is the pass in one sweep: a node is entered in the queue when its first message
   arrives, and sends its own when its turn comes.  It cannot stop for Python code, so it is for
   graphs without hooks, rules of their own and strange gradients; for all others `backward` of
   scalar.py does what is around a pass, and `engine_walk` the pass.  Where two nodes have the same index (one is a copy of the other) the
   order is the one in which `reach` found them, and `pass_in_order` follows it. */

#include "queue.h"
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
                into[at] = b >= high || (a < middle && from[a]->index >= from[b]->index) ? from[a++] : from[b++];
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

/* ---- the pass -------------------------------------------------------------------------------- */

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

static PyObject *textbook_backward(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    PyObject *method = PyObject_GetAttrString(textbook.value, "backward"), *result = NULL;
    Py_ssize_t named = names == NULL ? 0 : PyTuple_GET_SIZE(names);
    PyObject **all = PyMem_Malloc((size_t)(count + named + 1) * sizeof(PyObject *));
    if (method != NULL && all != NULL) {
        all[0] = self;
        memcpy(all + 1, args, (size_t)(count + named) * sizeof(PyObject *));
        result = PyObject_Vectorcall(method, all, (size_t)count + 1, names);
    } else if (method != NULL) {
        PyErr_NoMemory();
    }
    PyMem_Free(all);
    Py_XDECREF(method);
    return result;
}

static PyObject *value_backward(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    double seed = 1.0;
    if (count > 1 || names != NULL || (count == 1 && !is_exact(args[0], &seed)))
        return textbook_backward(self, args, count, names);
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
PyObject *engine_backward(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count, PyObject *names)
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

/* ---- a pass that stops for hooks and rules --------------------------------------------------- */

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
    if (count != 3 || !PyList_CheckExact(args[0]) || !PyList_CheckExact(args[1]) || !PyList_CheckExact(args[2]))
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

/* ---- by hand --------------------------------------------------------------------------------- */

PyObject *value_propagate(PyObject *self, PyObject *Py_UNUSED(unused))
{
    Value *v = VALUE(self), **children = children_of(v);
    int flags = v->flags;
    for (uint32_t i = 0; i < v->count; i++)
        flags |= children[i]->flags;
    if (flags & (STRANGE | ABSENT | FOREIGN))
        return PyObject_CallMethod(textbook.value, "_propagate", "O", self);
    FOR_EACH_MESSAGE(v, child, amount, {
        child->grad += amount;
        child->flags &= (uint16_t)~WHOLE;
    });
    return Py_NewRef(Py_None);
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
        return PyObject_CallMethod(textbook.value, "zero_grad", "O", self);
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
