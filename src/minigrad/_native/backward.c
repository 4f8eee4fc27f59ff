/* The pass, and the other walks: backward, reach, zero_grad, and one node's messages by hand.

   `quick_pass` is the pass in one sweep: a node is entered in the queue when its first message
   arrives, and sends its own when its turn comes.  It cannot stop for Python code, so it is for
   graphs without hooks, rules of their own and strange gradients; all others are walked by
   `backward` in scalar.py.  Where two nodes have the same index (one is a copy of the other) the
   order is the one in which `reach` found them, and `pass_in_order` follows it. */

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

static void nodes_free(Nodes *nodes)
{
    PyMem_RawFree(nodes->item);
    nodes->item = NULL;
    nodes->count = nodes->room = 0;
}

static void unmark(const Nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++)
        nodes->item[i]->flags &= (uint8_t)~MARKED;
}

/* Newest first; nodes with one index stay in the order in which they are. */
static int sort_by_age(Nodes *nodes)
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
        leaf->flags &= (uint8_t)~MARKED;
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
    v->flags |= MARKED;
    v->grad = 0.0;
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
    for (size_t i = 0; i < count && pushed == TAKEN; i++) {
        Value *root = roots[i];
        if (!(root->flags & WANTS))
            continue;
        if (!(root->flags & MARKED))
            pushed = enter(root);
        if (pushed == TAKEN)
            root->grad += seeds[i];
    }
    Value *v;
    while ((v = queue_pop()) != NULL) {
        v->flags &= (uint8_t)~MARKED;
        if (pushed != TAKEN || queue_tied())
            continue; /* the queue is only emptied */
        FOR_EACH_MESSAGE(v, child, amount, {
            if (!(child->flags & MARKED) && (pushed = enter(child)) != TAKEN)
                break;
            child->grad += amount;
        });
    }
    if (pushed == TAKEN && queue_tied())
        pushed = OUT_OF_ORDER;
    finish_leaves(pushed != TAKEN);
    return pushed;
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
        for (size_t i = 0; i < senders.count; i++)
            senders.item[i]->grad = 0.0;
        for (size_t i = 0; i < ends.count; i++)
            ends.item[i]->grad = 0.0;
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

/* Must scalar.py walk this?  1, 0, or -1 with an exception. */
static int is_special(Value *const *roots, size_t count)
{
    Nodes senders = {0}, ends = {0};
    int found = reach(roots, count, &senders, &ends);
    for (size_t i = 0; i < senders.count && !found; i++)
        found = senders.item[i]->extra != NULL && extra_is_special(senders.item[i]->extra);
    for (size_t i = 0; i < ends.count && !found; i++)
        found = ends.item[i]->extra != NULL && extra_is_special(ends.item[i]->extra);
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
    if (count > 1 || names != NULL || (count == 1 && !PyFloat_CheckExact(args[0]))) {
        PyObject *method = PyObject_GetAttrString(textbook.value, "backward");
        Py_ssize_t named = names == NULL ? 0 : PyTuple_GET_SIZE(names);
        PyObject **all = method == NULL ? NULL : PyMem_Malloc((size_t)(count + named + 1) * sizeof(PyObject *));
        PyObject *result = NULL;
        if (all != NULL) {
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
    if (count == 1)
        seed = PyFloat_AS_DOUBLE(args[0]);
    Value *root = VALUE(self);
    int done = try_pass(&root, &seed, 1);
    if (done == 0) {
        PyObject *given = PyFloat_FromDouble(seed), *result = NULL;
        if (given != NULL)
            result = PyObject_CallFunctionObjArgs(textbook.backward, self, given, NULL);
        Py_XDECREF(given);
        return result;
    }
    return done < 0 ? NULL : Py_NewRef(Py_None);
}

/* backward(roots, seeds=None) */
PyObject *engine_backward(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    PyObject *roots = count > 0 ? args[0] : NULL, *given = count > 1 ? args[1] : Py_None;
    double one[16];
    Py_ssize_t n = 0;
    int usual = names == NULL && count <= 2 && roots != NULL && (PyList_CheckExact(roots) || PyTuple_CheckExact(roots))
                && (given == Py_None || PyList_CheckExact(given) || PyTuple_CheckExact(given));
    if (usual) {
        n = PySequence_Fast_GET_SIZE(roots);
        usual = 0 < n && n <= 16 && (given == Py_None || PySequence_Fast_GET_SIZE(given) == n);
    }
    for (Py_ssize_t i = 0; i < n && usual; i++) {
        PyObject *seed = given == Py_None ? NULL : PySequence_Fast_GET_ITEM(given, i);
        usual = IS_VALUE(PySequence_Fast_GET_ITEM(roots, i)) && (seed == NULL || PyFloat_CheckExact(seed));
        one[i] = usual && seed != NULL ? PyFloat_AS_DOUBLE(seed) : 1.0;
    }
    if (usual) {
        int done = try_pass((Value **)PySequence_Fast_ITEMS(roots), one, (size_t)n);
        if (done != 0)
            return done < 0 ? NULL : Py_NewRef(Py_None);
    }
    return PyObject_Vectorcall(textbook.backward, args, (size_t)count, names);
}

/* ---- by hand --------------------------------------------------------------------------------- */

PyObject *value_propagate(PyObject *self, PyObject *Py_UNUSED(unused))
{
    Value *v = VALUE(self), **children = children_of(v);
    int flags = v->flags;
    for (uint32_t i = 0; i < v->count; i++)
        flags |= children[i]->flags;
    if (flags & STRANGE)
        return PyObject_CallMethod(textbook.value, "_propagate", "O", self);
    FOR_EACH_MESSAGE(v, child, amount, { child->grad += amount; });
    return Py_NewRef(Py_None);
}

PyObject *value_zero_grad(PyObject *self, PyObject *Py_UNUSED(unused))
{
    Nodes found = {0};
    int failed = nodes_append(&found, VALUE(self));
    if (!failed)
        VALUE(self)->flags |= MARKED;
    for (size_t at = 0; at < found.count && !failed; at++) { /* grows while it is walked */
        Value *v = found.item[at], **children = children_of(v);
        for (uint32_t i = 0; i < v->count && !failed; i++)
            if (!(children[i]->flags & MARKED)) {
                failed = nodes_append(&found, children[i]);
                if (!failed)
                    children[i]->flags |= MARKED;
            }
    }
    unmark(&found);
    PyObject *strange = NULL; /* dropping these may run Python code, so they go last */
    for (size_t i = 0; i < found.count && !failed; i++) {
        Value *v = found.item[i];
        v->grad = 0.0;
        if (v->flags & STRANGE) {
            v->flags &= (uint8_t)~STRANGE;
            if (strange == NULL)
                strange = PyList_New(0);
            failed = strange == NULL || PyList_Append(strange, v->extra->grad) < 0;
            if (!failed)
                Py_CLEAR(v->extra->grad);
        }
    }
    nodes_free(&found);
    Py_XDECREF(strange);
    if (failed)
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    return Py_NewRef(Py_None);
}
