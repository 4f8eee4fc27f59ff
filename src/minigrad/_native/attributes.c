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

/* ---- data and grad --------------------------------------------------------------------------- */

static PyObject *get_data(PyObject *self, void *Py_UNUSED(closure))
{
    return PyFloat_FromDouble(VALUE(self)->data);
}

static int set_data(PyObject *self, PyObject *x, void *Py_UNUSED(closure))
{
    if (x == NULL)
        return refuse_deletion("data");
    if (PyFloat_CheckExact(x)) {
        VALUE(self)->data = PyFloat_AS_DOUBLE(x);
        return 0;
    }
    PyObject *number = PyObject_CallOneArg(textbook.number, x);
    double data = number == NULL ? -1.0 : PyFloat_AsDouble(number);
    Py_XDECREF(number);
    if (data == -1.0 && PyErr_Occurred())
        return -1;
    VALUE(self)->data = data;
    return 0;
}

static PyObject *get_grad(PyObject *self, void *Py_UNUSED(closure))
{
    Value *v = VALUE(self);
    if (!(v->flags & ODD))
        return PyFloat_FromDouble(v->grad);
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
    Value *v = VALUE(self), **children = children_of(v);
    PyObject *tuple = PyTuple_New(v->count);
    for (uint32_t i = 0; tuple != NULL && i < v->count; i++)
        PyTuple_SET_ITEM(tuple, i, Py_NewRef((PyObject *)children[i]));
    return tuple;
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
        Value *child = VALUE(PyTuple_GET_ITEM(tuple, i)); /* a newer one may have been computed from v */
        tracked |= (child->flags & TRACKED) || child->index > v->index;
    }
    Value **block = n > 2 ? PyMem_Calloc((size_t)n, sizeof(Value *) + sizeof(double)) : NULL;
    if (n > 2 && block == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    node_drop_children(v);
    v->flags &= (uint16_t)~(DIVIDES | SELECTS);
    if (n > 2) {
        v->children = block;
        v->locals = (double *)(block + n);
    } else {
        v->local[0] = v->local[1] = 0.0;
    }
    v->count = (uint32_t)n;
    for (Py_ssize_t i = 0; i < n; i++)
        children_of(v)[i] = VALUE(Py_NewRef(PyTuple_GET_ITEM(tuple, i)));
    if (tracked)
        node_track_late(v);
    return 0;
}

static PyObject *get_local_grads(PyObject *self, void *Py_UNUSED(closure))
{
    Value *v = VALUE(self);
    double *locals = locals_of(v);
    PyObject *tuple = PyTuple_New(v->count);
    for (uint32_t i = 0; tuple != NULL && i < v->count; i++) {
        PyObject *local;
        if ((v->flags & SELECTS) && is_silent(locals[i])) {
            local = Py_NewRef(Py_None);
        } else {
            local = PyFloat_FromDouble(locals[i]);
            if (local != NULL && i == 0 && (v->flags & DIVIDES))
                Py_SETREF(local, PyObject_CallOneArg(textbook.inverse, local));
        }
        if (local == NULL)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, i, local);
    }
    return tuple;
}

static int set_local_grads(PyObject *self, PyObject *tuple, void *Py_UNUSED(closure))
{
    Value *v = VALUE(self);
    if (tuple == NULL)
        return refuse_deletion("_local_grads");
    if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) != (Py_ssize_t)v->count) {
        PyErr_SetString(PyExc_ValueError, "_local_grads is a tuple with one number or None per child");
        return -1;
    }
    v->flags &= (uint16_t)~(DIVIDES | SELECTS);
    double *locals = locals_of(v);
    for (uint32_t i = 0; i < v->count; i++) {
        PyObject *x = PyTuple_GET_ITEM(tuple, i);
        if (x == Py_None) {
            locals[i] = silent();
            v->flags |= SELECTS;
        } else if (i == 0 && (PyObject *)Py_TYPE(x) == textbook.inverse) {
            PyObject *divisor = PyObject_GetAttrString(x, "divisor");
            locals[0] = divisor == NULL ? -1.0 : PyFloat_AsDouble(divisor);
            Py_XDECREF(divisor);
            v->flags |= DIVIDES;
        } else {
            locals[i] = PyFloat_AsDouble(x);
        }
        if (locals[i] == -1.0 && PyErr_Occurred())
            return -1;
    }
    return 0;
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
        Py_XSETREF(extra->op, Py_NewRef(symbol));
    } else if (v->extra != NULL) {
        Py_CLEAR(v->extra->op);
    }
    v->op = code == NULL ? OP_none : (uint8_t)PyLong_AsLong(code);
    return 0;
}

static PyObject *get_index(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLongLong(VALUE(self)->index);
}

static int set_index(PyObject *self, PyObject *x, void *Py_UNUSED(closure))
{
    long long index = x == NULL ? refuse_deletion("_index") : PyLong_AsLongLong(x);
    if (index == -1 && PyErr_Occurred())
        return -1;
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
    Py_XINCREF(x == Py_None ? NULL : x);
    if (v->extra != NULL)
        extra_forget(v);
    v->extra = extra;
    if (extra != NULL) {
        extra->owner = v;
        extra_changed(extra);
    }
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
