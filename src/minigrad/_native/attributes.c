/* The attributes of Value, under the names that they have in scalar.py.

   `data` holds a float: what is written to it is converted or refused.  `grad` may be written with
   anything and reads as it was written, until a pass adds to it.  An int or None counts as the
   float that it stands for; passes that meet anything else are run by scalar.py.  `_children` and
   `_local_grads` are tuples made on demand. */

#include "value.h"

#include "kernels.h"

static int refuse_deletion(const char *name)
{
    PyErr_Format(PyExc_AttributeError, "%s", name);
    return -1;
}

/* A node that __new__ made has no facts before __init__ gives it some. */
static PyObject *refuse_bare(PyObject *self, const char *name)
{
    return PyErr_Format(PyExc_AttributeError, "'%.200s' object has no attribute '%s'", Py_TYPE(self)->tp_name,
                        name);
}

/* ---- data and grad --------------------------------------------------------------------------- */

static PyObject *get_data(PyObject *self, void *Py_UNUSED(closure))
{
    if (VALUE(self)->flags & BARE)
        return refuse_bare(self, "_data");
    return PyFloat_FromDouble(VALUE(self)->data);
}

static int set_data(PyObject *self, PyObject *x, void *Py_UNUSED(closure))
{
    if (x == NULL)
        return refuse_deletion("data");
    if (PyFloat_CheckExact(x)) {
        VALUE(self)->data = PyFloat_AS_DOUBLE(x);
        VALUE(self)->flags &= (uint16_t)~BARE;
        return 0;
    }
    PyObject *number = PyObject_CallOneArg(textbook.number, x);
    double data = number == NULL ? -1.0 : PyFloat_AsDouble(number);
    Py_XDECREF(number);
    if (data == -1.0 && PyErr_Occurred())
        return -1;
    VALUE(self)->data = data;
    VALUE(self)->flags &= (uint16_t)~BARE;
    return 0;
}

static PyObject *get_grad(PyObject *self, void *Py_UNUSED(closure))
{
    Value *v = VALUE(self);
    if (!(v->flags & (ODD | BARE)))
        return PyFloat_FromDouble(v->grad);
    if (v->flags & BARE)
        return refuse_bare(self, "grad");
    if (v->flags & STRANGE) /* NULL where the collector has cleared it */
        return Py_NewRef(v->extra->grad != NULL ? v->extra->grad : Py_None);
    return v->flags & WHOLE ? PyLong_FromDouble(v->grad) : Py_NewRef(Py_None);
}

void clear_strange(Value *v)
{
    PyObject *old = v->extra->grad;
    v->extra->grad = NULL;
    v->flags &= (uint16_t)~STRANGE;
    v->grad = 0.0;
    extra_changed(v->extra);
    Py_XDECREF(old);
}

static int set_grad(PyObject *self, PyObject *x, void *Py_UNUSED(closure))
{
    Value *v = VALUE(self);
    double grad = 0.0;
    if (x == NULL)
        return refuse_deletion("grad");
    if (is_exact(x, &grad) || x == Py_None) {
        Py_INCREF(x); /* it may be a part of what .grad was */
        if (v->flags & STRANGE)
            clear_strange(v);
        v->grad = grad;
        v->flags = (uint16_t)((v->flags & ~ODD)
                              | (x == Py_None            ? ABSENT
                                 : PyFloat_CheckExact(x) ? 0
                                                         : WHOLE));
        Py_DECREF(x);
        return 0;
    }
    Extra *extra = extra_of(v);
    if (extra == NULL)
        return -1;
    PyObject *old = extra->grad;
    extra->grad = Py_NewRef(x);
    v->flags = (uint16_t)((v->flags & ~ODD) | STRANGE);
    extra_changed(extra);
    Py_XDECREF(old);
    return 0;
}

static PyObject *get_requires_grad(PyObject *self, void *Py_UNUSED(closure))
{
    if (VALUE(self)->flags & BARE)
        return refuse_bare(self, "requires_grad");
    return PyBool_FromLong(VALUE(self)->flags & WANTS);
}

static int set_requires_grad(PyObject *self, PyObject *x, void *Py_UNUSED(closure))
{
    int wants = x == NULL ? refuse_deletion("requires_grad") : PyObject_IsTrue(x);
    if (wants < 0)
        return -1;
    Value *v = VALUE(self);
    v->flags = (uint16_t)(wants ? v->flags | WANTS : v->flags & ~WANTS);
    return 0;
}

/* ---- children and local gradients ------------------------------------------------------------ */

static PyObject *get_children(PyObject *self, void *Py_UNUSED(closure))
{
    Value *v = VALUE(self);
    for (;;) {
        uint32_t count = v->count;
        PyObject *tuple = PyTuple_New(count); /* may collect, and Python code may run */
        if (tuple != NULL && v->count != count) {
            Py_DECREF(tuple);
            continue;
        }
        for (uint32_t i = 0; tuple != NULL && i < count; i++)
            PyTuple_SET_ITEM(tuple, i, Py_NewRef((PyObject *)children_of(v)[i]));
        return tuple;
    }
}

/* Local gradients are zero until they are set, which is why children come first. */
static int set_children(PyObject *self, PyObject *tuple, void *Py_UNUSED(closure))
{
    Value *v = VALUE(self);
    if (tuple == NULL)
        return refuse_deletion("_children");
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) > UINT32_MAX) {
        PyErr_SetString(PyExc_TypeError, "_children is a tuple of Values");
        return -1;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(tuple);
    int tracked = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!IS_VALUE(PyTuple_GET_ITEM(tuple, i))) {
            PyErr_SetString(PyExc_TypeError, "_children is a tuple of Values");
            return -1;
        }
        Value *child = VALUE(PyTuple_GET_ITEM(tuple, i)); /* a newer one may be computed from v */
        tracked |= (child->flags & TRACKED) || child->index >= v->index;
    }
    double *block = n > 2 ? PyMem_Calloc((size_t)n, sizeof(double) + sizeof(Value *)) : NULL;
    if (n > 2 && block == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    v->flags &= (uint16_t)~(DIVIDES | SELECTS);
    node_set_children(v, (uint32_t)n, (Value **)((PyTupleObject *)tuple)->ob_item, block);
    if (tracked)
        node_track_late(v);
    return 0;
}

static PyObject *local_grad(double local, int flags)
{
    if ((flags & SELECTS) && is_silent(local))
        return Py_NewRef(Py_None);
    PyObject *number = PyFloat_FromDouble(local);
    if (number != NULL && (flags & DIVIDES))
        Py_SETREF(number, PyObject_CallOneArg(textbook.inverse, number));
    return number;
}

static PyObject *get_local_grads(PyObject *self, void *Py_UNUSED(closure))
{
    Value *v = VALUE(self);
    uint32_t count = v->count;
    int flags = v->flags;
    double *locals = PyMem_Malloc(count * sizeof(double)); /* a copy: Python code runs below */
    if (locals == NULL)
        return PyErr_NoMemory();
    if (count > 0)
        memcpy(locals, locals_of(v), count * sizeof(double));
    PyObject *tuple = PyTuple_New(count);
    for (uint32_t i = 0; tuple != NULL && i < count; i++) {
        PyObject *local = local_grad(locals[i], i == 0 ? flags : flags & ~DIVIDES);
        if (local == NULL)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, i, local);
    }
    PyMem_Free(locals);
    return tuple;
}

static double from_local_grad(PyObject *x, int first, int *flags)
{
    if (x == Py_None) {
        *flags |= SELECTS;
        return silent();
    }
    if (!first || (PyObject *)Py_TYPE(x) != textbook.inverse)
        return PyFloat_AsDouble(x);
    PyObject *divisor = PyObject_GetAttrString(x, "divisor");
    double number = divisor == NULL ? -1.0 : PyFloat_AsDouble(divisor);
    Py_XDECREF(divisor);
    *flags |= DIVIDES;
    return number;
}

static int set_local_grads(PyObject *self, PyObject *tuple, void *Py_UNUSED(closure))
{
    Value *v = VALUE(self);
    uint32_t count = v->count;
    if (tuple == NULL)
        return refuse_deletion("_local_grads");
    double *locals = PyMem_Malloc(count * sizeof(double));
    int flags = 0, fits = PyTuple_Check(tuple) && PyTuple_GET_SIZE(tuple) == (Py_ssize_t)count;
    for (uint32_t i = 0; locals != NULL && fits && i < count; i++) {
        locals[i] = from_local_grad(PyTuple_GET_ITEM(tuple, i), i == 0, &flags);
        if (locals[i] == -1.0 && PyErr_Occurred()) {
            PyMem_Free(locals);
            return -1;
        }
    }
    if (locals != NULL && fits && v->count == count) { /* still, after the numbers were converted */
        if (count > 0)
            memcpy(locals_of(v), locals, count * sizeof(double));
        v->flags = (uint16_t)((v->flags & ~(DIVIDES | SELECTS)) | flags);
        PyMem_Free(locals);
        return 0;
    }
    if (locals == NULL)
        PyErr_NoMemory();
    else
        PyErr_SetString(PyExc_ValueError, "_local_grads is a tuple with one number or None per child");
    PyMem_Free(locals);
    return -1;
}

/* ---- op, index, extra ------------------------------------------------------------------------ */

static PyObject *get_op(PyObject *self, void *Py_UNUSED(closure))
{
    Value *v = VALUE(self);
    int by_hand = v->op == OP_none && v->extra != NULL && v->extra->op != NULL;
    return Py_NewRef(by_hand ? v->extra->op : op_symbols[v->op]);
}

static int set_op(PyObject *self, PyObject *symbol, void *Py_UNUSED(closure))
{
    Value *v = VALUE(self);
    if (symbol == NULL)
        return refuse_deletion("_op");
    PyObject *code = PyDict_GetItemWithError(op_codes, symbol);
    if (code == NULL && PyErr_Occurred())
        return -1;
    if (code == NULL) {
        Extra *extra = extra_of(v);
        if (extra == NULL)
            return -1;
        PyObject *old = extra->op;
        extra->op = Py_NewRef(symbol);
        extra_changed(extra);
        Py_XDECREF(old);
    } else if (v->extra != NULL) {
        Py_CLEAR(v->extra->op);
    }
    v->op = code == NULL ? OP_none : (uint16_t)PyLong_AsLong(code);
    return 0;
}

#define MOST_INDEX ((long long)1 << 61)

static PyObject *get_index(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLongLong(VALUE(self)->index);
}

static int set_index(PyObject *self, PyObject *x, void *Py_UNUSED(closure))
{
    long long index = x == NULL ? refuse_deletion("_index") : PyLong_AsLongLong(x);
    if (index == -1 && PyErr_Occurred())
        return -1;
    if (index > MOST_INDEX || index < -MOST_INDEX) { /* so that differences do not overflow */
        PyErr_SetString(PyExc_OverflowError, "_index is beyond 2**61");
        return -1;
    }
    VALUE(self)->index = index;
    return 0;
}

static PyObject *get_extra(PyObject *self, void *Py_UNUSED(closure))
{
    Extra *extra = VALUE(self)->extra;
    return Py_NewRef(extra != NULL ? (PyObject *)extra : Py_None);
}

static int set_extra(PyObject *self, PyObject *x, void *Py_UNUSED(closure))
{
    Value *v = VALUE(self);
    if (x == NULL)
        return refuse_deletion("_extra");
    Extra *extra = x == Py_None ? NULL : (Extra *)x;
    if (extra != NULL && (!Py_IS_TYPE(x, ExtraType) || (extra->owner != NULL && extra->owner != v))) {
        PyErr_SetString(PyExc_TypeError, "_extra is an Extra of this node's own, or None");
        return -1;
    }
    if (extra == v->extra)
        return 0;
    Extra *old = v->extra;
    if (v->flags & STRANGE) { /* goes with the extra that held it */
        v->flags &= (uint16_t)~STRANGE;
        v->grad = 0.0;
    }
    v->extra = (Extra *)Py_XNewRef((PyObject *)extra);
    if (old != NULL)
        old->owner = NULL;
    if (extra != NULL) {
        extra->owner = v;
        extra_changed(extra);
    }
    Py_XDECREF((PyObject *)old);
    return 0;
}

PyGetSetDef value_attributes[] = {
    {"data", get_data, set_data, "The number; what is written to it must be one.", NULL},
    {"_data", get_data, set_data, NULL, NULL},
    {"grad", get_grad, set_grad, "How the output of the last pass responds to it.", NULL},
    {"requires_grad", get_requires_grad, set_requires_grad, "False for a constant.", NULL},
    {"_children", get_children, set_children, NULL, NULL},
    {"_local_grads", get_local_grads, set_local_grads, NULL, NULL},
    {"_op", get_op, set_op, NULL, NULL},
    {"_index", get_index, set_index, NULL, NULL},
    {"_extra", get_extra, set_extra, NULL, NULL},
    {0},
};
