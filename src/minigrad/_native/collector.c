/* The nodes that the cyclic collector sees, and the moments at which it has to look.

   Tracked are instances of subclasses, nodes with hooks or a rule, and what is computed from these.
   What had been computed from a node before it got its hook is found in the slabs, at the start of
   a full collection.  The collector counts objects that it allocates, which nodes of a slab are
   not, so a collection is asked for here when many have been made since the last one. */

#include "walks.h"

static int late = 0;             /* has a node been tracked late since the last full collection? */
static int64_t seen = 0;         /* `created` at the last full collection */
static Py_ssize_t tracked = 0;   /* nodes that have been tracked since */
static Py_ssize_t many = 500000; /* so many are a reason for one: 56 MB; more if more are alive */

/* ---- subclasses with ideas of their own ------------------------------------------------------ */

int is_foreign(PyTypeObject *type)
{
    static const char *const used[] = {
        "grad",  "requires_grad", "_propagate", "_backward", "_children",   "_local_grads",
        "_data", "_index",        "_op",        "_extra",    "__setattr__", "__getattribute__",
    };
    static PyTypeObject *last; /* only compared, and only while it is the same version of the class */
    static unsigned int last_version;
    static int last_answer;
    if (type == last && type->tp_version_tag != 0 && type->tp_version_tag == last_version)
        return last_answer;
    int answer = 0;
    for (size_t i = 0; i < sizeof(used) / sizeof(used[0]) && !answer; i++) {
        PyObject *name = PyUnicode_InternFromString(used[i]);
        answer = name == NULL || _PyType_Lookup(type, name) != _PyType_Lookup(ValueType, name);
        Py_XDECREF(name);
    }
    PyErr_Clear(); /* no memory for a name: then it is foreign, which is right and slow */
    last = type;
    last_version = type->tp_version_tag;
    last_answer = answer;
    return answer;
}

/* ---- collections ----------------------------------------------------------------------------- */

static void collect(void)
{
    seen = created;
    tracked = 0;
    PyGC_Collect(); /* does nothing where the collector is off */
}

void node_track(Value *v)
{
    if (!(v->flags & TRACKED)) {
        v->flags |= TRACKED;
        if (!PyObject_GC_IsTracked((PyObject *)v)) /* Python tracks what its own __del__ has revived */
            PyObject_GC_Track(v);
    }
}

void node_track_new(Value *v)
{
    node_track(v);
    if (++tracked > many)
        collect();
}

void node_track_late(Value *v)
{
    if (v->flags & TRACKED)
        return;
    node_track(v);
    late = 1;
    if (created - seen > many)
        collect();
}

/* gc.callbacks: what was computed from nodes that were tracked late is tracked now. */
static PyObject *at_collection(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *phase, *facts;
    if (!PyArg_ParseTuple(args, "UO!", &phase, &PyDict_Type, &facts))
        return NULL;
    PyObject *generation = PyDict_GetItemString(facts, "generation");
    if (PyUnicode_CompareWithASCIIString(phase, "start") != 0 || generation == NULL
        || !PyLong_Check(generation) || PyLong_AsLong(generation) != 2)
        return Py_NewRef(Py_None);
    if (late)
        slabs_track_more();
    late = 0;
    seen = created;
    tracked = 0;
    many = 500000 + slabs_living() / 2;
    return Py_NewRef(Py_None);
}

static PyMethodDef callback_method = {"minigrad_at_collection", at_collection, METH_VARARGS, NULL};

int tracking_ready(void)
{
    PyObject *gc = PyImport_ImportModule("gc"), *callback = PyCFunction_New(&callback_method, NULL);
    PyObject *callbacks = gc == NULL ? NULL : PyObject_GetAttrString(gc, "callbacks");
    int failed = callback == NULL || callbacks == NULL || PyList_Append(callbacks, callback) < 0;
    Py_XDECREF(gc);
    Py_XDECREF(callback);
    Py_XDECREF(callbacks);
    return failed ? -1 : 0;
}
