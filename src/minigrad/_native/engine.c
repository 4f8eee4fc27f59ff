/* The module: the classes, the functions, and the one call by which scalar.py takes them over.

   `take(parts)` is called once, with what the engine hands back to (see `Textbook` in value.h).
   State is static, so one interpreter of a process can have the engine, under one name. */

#include "value.h"

#include "kernels.h"

PyTypeObject *ValueType;

#ifndef MINIGRAD_SOURCES
#define MINIGRAD_SOURCES 0 /* a checksum; see _native/__init__.py */
#endif

/* ---- Value ----------------------------------------------------------------------------------- */

static PyObject *value_new(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(names))
{
    Value *v = node_new(type);
    if (v != NULL)
        v->flags |= BARE; /* until it has data */
    return (PyObject *)v;
}

static int value_init(PyObject *self, PyObject *args, PyObject *names)
{
    Value *v = VALUE(self);
    double data;
    if (names == NULL && PyTuple_GET_SIZE(args) == 1 && is_exact(PyTuple_GET_ITEM(args, 0), &data)
        && v->count == 0 && v->extra == NULL) {
        v->data = data;
        v->grad = 0.0;
        v->op = 0;
        v->flags = (uint16_t)((v->flags & (TRACKED | IN_SLAB | FOREIGN)) | WANTS);
        v->index = ++created; /* a subclass may have made others since __new__ */
        return 0;
    }
    PyObject *init = PyObject_GetAttrString(textbook.value, "__init__"), *result = NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(args);
    PyObject *all = init == NULL ? NULL : PyTuple_New(count + 1);
    if (all != NULL) {
        PyTuple_SET_ITEM(all, 0, Py_NewRef(self));
        for (Py_ssize_t i = 0; i < count; i++)
            PyTuple_SET_ITEM(all, i + 1, Py_NewRef(PyTuple_GET_ITEM(args, i)));
        result = PyObject_Call(init, all, names);
    }
    Py_XDECREF(all);
    Py_XDECREF(init);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

static Py_hash_t value_hash(PyObject *self)
{
    size_t bits = (size_t)self;
    Py_hash_t hash =
        (Py_hash_t)((bits >> 4) | (bits << (8 * sizeof(bits) - 4))); /* the low bits are all alike */
    return hash == -1 ? -2 : hash;
}

static PyMemberDef value_members[] = {
    {"__weaklistoffset__", Py_T_PYSSIZET, offsetof(Value, weakrefs), Py_READONLY, NULL},
    {0},
};

static const char DOC[] = "Value(data, _children=(), _op='', label='', *, requires_grad=True)\n--\n\n"
                          "A number in a graph: `data` is what it is, `grad` how the output responds to it.";

static PyMethodDef all_methods[OP_COUNT + 16]; /* of the op table, the operators (10) and the walks (3) */

static void gather_methods(void)
{
    PyMethodDef *const parts[] = {op_methods, operator_methods, walk_methods};
    size_t count = 0;
    for (size_t i = 0; i < 3; i++)
        for (PyMethodDef *method = parts[i]; method->ml_name != NULL; method++)
            all_methods[count++] = *method;
}

static PyType_Slot slots[] = {
    {Py_tp_new, value_new},
    {Py_tp_init, value_init},
    {Py_tp_dealloc, value_dealloc},
    {Py_tp_traverse, value_traverse},
    {Py_tp_clear, value_clear},
    {Py_tp_hash, value_hash},
    {Py_tp_richcompare, value_richcompare},
    {Py_tp_members, value_members},
    {Py_tp_getset, value_attributes},
    {Py_tp_methods, all_methods},
    {Py_tp_doc, (void *)DOC},
    {Py_nb_add, value_add},
    {Py_nb_subtract, value_sub},
    {Py_nb_multiply, value_mul},
    {Py_nb_true_divide, value_div},
    {Py_nb_power, value_power},
    {Py_nb_negative, value_neg},
    {Py_nb_positive, value_pos},
    {Py_nb_absolute, value_abs},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "minigrad.scalar.Value",
    .basicsize = sizeof(Value),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};

/* ---- what scalar.py takes -------------------------------------------------------------------- */

static PyObject *engine_take(PyObject *Py_UNUSED(module), PyObject *parts)
{
    /* clang-format off */
    struct {
        const char *name;
        PyObject **place;
    } wanted[] = {
        {"Value", &textbook.value},         {"backward", &textbook.backward},
        {"number", &textbook.number},       {"_operand", &textbook.operand},
        {"_data_of", &textbook.comparable}, {"_apply", &textbook.apply},
        {"inverse", &textbook.inverse},     {"_innermost", &textbook.innermost},
        {"_running", &textbook.running},    {"_run_hooks", &textbook.run_hooks},
        {"_walk", &textbook.walk},
        {"reach", &textbook.reach},         {"OPS", &textbook.ops},
    };
    /* clang-format on */
    size_t count = sizeof(wanted) / sizeof(wanted[0]);
    if (textbook.value != NULL)
        return PyErr_Format(PyExc_ImportError,
                            "the compiled engine is in use by another minigrad of this process");
    for (size_t i = 0; i < count; i++)
        if (!PyMapping_HasKeyString(parts, wanted[i].name))
            return PyErr_Format(PyExc_ImportError, "the compiled engine needs %s", wanted[i].name);
    for (size_t i = 0; i < count; i++) {
        *wanted[i].place = PyMapping_GetItemString(parts, wanted[i].name);
        if (*wanted[i].place == NULL)
            return NULL;
    }
    return Py_NewRef(Py_None);
}

PyObject *textbook_call(const char *name, PyObject *self, PyObject *const *args, Py_ssize_t count,
                        PyObject *names)
{
    PyObject *method = PyObject_GetAttrString(textbook.value, name), *result = NULL;
    Py_ssize_t all = 1 + count + (names == NULL ? 0 : PyTuple_GET_SIZE(names));
    PyObject **with_self = PyMem_Malloc((size_t)all * sizeof(PyObject *));
    if (method != NULL && with_self != NULL) {
        with_self[0] = self;
        if (all > 1)
            memcpy(with_self + 1, args, (size_t)(all - 1) * sizeof(PyObject *));
        result = PyObject_Vectorcall(method, with_self, (size_t)count + 1, names);
    } else if (method != NULL) {
        PyErr_NoMemory();
    }
    PyMem_Free(with_self);
    Py_XDECREF(method);
    return result;
}

static PyObject *engine_created(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(none))
{
    return PyLong_FromLongLong(++created);
}

static PyObject *engine_blocks(PyObject *Py_UNUSED(module), PyObject *count)
{
    Py_ssize_t open = PyLong_AsSsize_t(count);
    if (open == -1 && PyErr_Occurred())
        return NULL;
    open_blocks = open;
    return Py_NewRef(Py_None);
}

#define FAST(function) ((PyCFunction)(void (*)(void))function)

static PyMethodDef methods[] = {
    {"take", engine_take, METH_O, "take(parts): what the engine hands back to scalar.py, by name."},
    {"backward", FAST(engine_backward), METH_FASTCALL | METH_KEYWORDS,
     "backward(roots, seeds=None)\n--\n\n"
     "One pass from one or several outputs, each seeded with 1 unless told otherwise.\n\n"
     "    Gradients of leaves add up over passes.  Those of the nodes between start again from\n"
     "    zero, so that a second pass adds exactly one more copy.\n    "},
    {"reach", engine_reach, METH_O,
     "reach(roots)\n--\n\n"
     "What messages from some roots can reach: the nodes that send them on, newest first; the leaves.\n\n"
     "    A branch not taken is not among them: no message enters it, so none comes out of it.\n    "},
    {"walk", FAST(engine_walk), METH_FASTCALL,
     "walk(seeded, senders, leaves): a pass that stops for hooks and rules."},
    {"created", engine_created, METH_NOARGS, "The next place in the order of creation."},
    {"blocks", engine_blocks, METH_O, "blocks(count): how many no_grad blocks are open."},
    {"constant", FAST(engine_constant), METH_FASTCALL, "constant(x, like=None): x as a constant, or None."},
    {"apply", FAST(engine_apply), METH_FASTCALL,
     "apply(row, like, children): any op of the table on Values."},
    {"compiled", FAST(engine_compiled), METH_FASTCALL,
     "compiled(name, arguments, function): the function's compiled twin."},
    {0},
};

static int engine_exec(PyObject *module)
{
    if (ValueType != NULL) {
        PyErr_SetString(PyExc_ImportError,
                        "the compiled engine is in use by another minigrad of this process");
        return -1;
    }
    if (ops_ready() < 0 || extras_ready(module) < 0)
        return -1;
    gather_methods();
    ValueType = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    if (ValueType == NULL || slabs_ready() < 0 || tracking_ready() < 0
        || PyModule_AddIntConstant(module, "SOURCES", MINIGRAD_SOURCES) < 0)
        return -1;
    return PyModule_AddObjectRef(module, "Value", (PyObject *)ValueType);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, engine_exec},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
    {0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "engine",
    .m_doc = "Value, compiled: the semantics of scalar.py, bit for bit.",
    .m_methods = methods,
    .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit_engine(void) { return PyModuleDef_Init(&definition); }
