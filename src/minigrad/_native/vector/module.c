/* minigrad._native.vector: programs of vector instructions, for compiler/executors.py.

   Contract: while a program runs, the interpreter does not wait for it. */

#include "arrays.h"

static PyTypeObject *ProgramType, *CallType;

typedef struct {
    PyObject ob_base;
    program *program;
    workspace *spare; /* of the last run, for the next one; NULL while one is under way */
} ProgramObject;

typedef struct {
    PyObject ob_base;
    ProgramObject *program;
    workspace *workspace;
    arrays arrays;
    int busy;
} CallObject;

/* ---- programs ------------------------------------------------------------------------------------ */

static int desks_for(const call *c)
{
    const int64_t chunks = (c->batch + SAMPLES - 1) / SAMPLES;
    return c->threads < chunks ? c->threads : chunks > 1 ? (int)chunks : 1;
}

static PyObject *program_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"words", "constants", "single", "exact", "isa", NULL};
    Py_buffer words, constants;
    int single, exact;
    const char *isa;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "y*y*pps:Program", names, &words, &constants, &single,
                                     &exact, &isa))
        return NULL;
    ProgramObject *self = NULL;
    const machine *machine = machine_find(isa, single);
    if (machine == NULL)
        PyErr_Format(PyExc_ValueError, "this processor or this build has no %s", isa);
    else if (words.len % (Py_ssize_t)sizeof(int64_t) || constants.len % (Py_ssize_t)sizeof(double)
             || (uintptr_t)words.buf % sizeof(int64_t) || (uintptr_t)constants.buf % sizeof(double))
        PyErr_SetString(PyExc_ValueError, "words are int64, and constants are float64");
    else
        self = (ProgramObject *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->program = program_read(words.buf, (size_t)words.len / sizeof(int64_t), constants.buf,
                                     (size_t)constants.len / sizeof(double), machine, exact);
        if (self->program == NULL)
            Py_CLEAR(self);
    }
    PyBuffer_Release(&words);
    PyBuffer_Release(&constants);
    return (PyObject *)self;
}

static void program_dealloc(ProgramObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    workspace_free(self->spare);
    program_free(self->program);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *program_run_into(ProgramObject *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 5) {
        PyErr_SetString(PyExc_TypeError, "run_into(shared, columns, shared_out, out_columns, threads)");
        return NULL;
    }
    arrays held = {0};
    if (arrays_read(&held, self->program, args) < 0) {
        arrays_free(&held);
        return NULL;
    }
    workspace *w = self->spare; /* two threads of Python can run one program: the second brings its own */
    const int desks = desks_for(&held.call);
    self->spare = NULL;
    if (w == NULL || w->desks < desks) {
        workspace_free(w);
        w = workspace_new(self->program, desks);
        if (w == NULL) {
            arrays_free(&held);
            return PyErr_NoMemory();
        }
    }
    Py_BEGIN_ALLOW_THREADS program_run(self->program, w, &held.call);
    Py_END_ALLOW_THREADS if (self->spare == NULL) self->spare = w;
    else workspace_free(w);
    arrays_free(&held);
    return Py_NewRef(Py_None);
}

static PyObject *program_bind(ProgramObject *, PyObject *const *, Py_ssize_t);

static PyObject *program_lanes(ProgramObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLongLong(self->program->lanes);
}

static PyObject *program_isa(ProgramObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(self->program->machine->name);
}

#define FAST(function) ((PyCFunction)(void (*)(void))function)

static PyMethodDef program_methods[] = {
    {"run_into", FAST(program_run_into), METH_FASTCALL,
     "run_into(shared, columns, shared_out, out_columns, threads, /): one run, into arrays that are there."},
    {"bind", FAST(program_bind), METH_FASTCALL,
     "bind(shared, columns, shared_out, out_columns, threads, guards, /): such a run, to be repeated by loop.\n\n"
     "guards: (space, place among the outputs of it, expected number) each."},
    {0},
};

static PyGetSetDef program_members[] = {
    {"lanes", (getter)program_lanes, NULL, "Samples in a block.", NULL},
    {"isa", (getter)program_isa, NULL, "The instruction set that it was made for.", NULL},
    {0},
};

static PyType_Slot program_slots[] = {
    {Py_tp_new, program_new},
    {Py_tp_dealloc, program_dealloc},
    {Py_tp_methods, program_methods},
    {Py_tp_getset, program_members},
    {Py_tp_doc, "A program of vector instructions, checked and ready."},
    {0, NULL},
};

static PyType_Spec program_spec = {
    .name = "minigrad._native.vector.Program",
    .basicsize = sizeof(ProgramObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = program_slots,
};

/* ---- calls, and loops over them -------------------------------------------------------------------- */

static int read_guards(call *c, const program *p, PyObject *guards)
{
    PyObject *list = PySequence_Fast(guards, "guards are a sequence");
    if (list == NULL)
        return -1;
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(list);
    for (int space = 0; space < SPACES; space++) {
        c->guard[space] = PyMem_Calloc((size_t)count + 1, sizeof *c->guard[space]);
        if (c->guard[space] == NULL) {
            PyErr_NoMemory();
            goto failed;
        }
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        int space;
        long long at;
        double expected;
        PyObject *one = PySequence_Fast_GET_ITEM(list, i);
        if (!PyTuple_Check(one) || !PyArg_ParseTuple(one, "iLd", &space, &at, &expected))
            goto failed;
        if (space < 0 || space >= SPACES || at < 0 || at >= p->outputs[space])
            goto failed;
        c->guard[space][c->guards[space]++] = (guard){at, expected};
    }
    Py_DECREF(list);
    return 0;
failed:
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "a guard is (space, place of an output, expected number)");
    Py_DECREF(list);
    return -1;
}

static PyObject *program_bind(ProgramObject *self, PyObject *const *args, Py_ssize_t count)
{
    if (count != 6) {
        PyErr_SetString(PyExc_TypeError, "bind(shared, columns, shared_out, out_columns, threads, guards)");
        return NULL;
    }
    CallObject *bound = (CallObject *)CallType->tp_alloc(CallType, 0);
    if (bound == NULL)
        return NULL;
    bound->program = (ProgramObject *)Py_NewRef((PyObject *)self);
    if (arrays_read(&bound->arrays, self->program, args) < 0
        || read_guards(&bound->arrays.call, self->program, args[5]) < 0) {
        Py_DECREF(bound);
        return NULL;
    }
    bound->workspace = workspace_new(self->program, desks_for(&bound->arrays.call));
    if (bound->workspace == NULL) {
        Py_DECREF(bound);
        return PyErr_NoMemory();
    }
    return (PyObject *)bound;
}

static void call_dealloc(CallObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    workspace_free(self->workspace);
    arrays_free(&self->arrays);
    Py_XDECREF(self->program);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyType_Slot call_slots[] = {
    {Py_tp_dealloc, call_dealloc},
    {Py_tp_doc, "A program with the arrays that it runs on."},
    {0, NULL},
};

static PyType_Spec call_spec = {
    .name = "minigrad._native.vector.Call",
    .basicsize = sizeof(CallObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = call_slots,
};

/* One row of a table, copied to or from a list of numbers in each iteration. */
typedef struct {
    column list, table;
    ptrdiff_t across; /* from column to column of the table, in bytes */
    Py_ssize_t count;
} copying;

static double number_at(const char *at, int single)
{
    return single ? (double)*(const float *)at : *(const double *)at;
}

static void number_to(char *at, int single, double x)
{
    if (single)
        *(float *)at = (float)x;
    else
        *(double *)at = x;
}

static void copy_row(const copying *c, Py_ssize_t row, int back)
{
    char *list = c->list.data, *table = c->table.data + row * c->table.stride;
    for (Py_ssize_t i = 0; i < c->count; i++, list += c->list.stride, table += c->across)
        if (back)
            number_to(table, c->table.single, number_at(list, c->list.single));
        else
            number_to(list, c->list.single, number_at(table, c->table.single));
}

/* Pairs of a list and a table, in the order in which numbers go: from the second to the first, or `back`. */
static copying *read_copying(arrays *a, PyObject *pairs, int back, Py_ssize_t rows, Py_ssize_t *count)
{
    PyObject *list = PySequence_Fast(pairs, "feeds and collects are sequences of pairs");
    if (list == NULL)
        return NULL;
    *count = PySequence_Fast_GET_SIZE(list);
    copying *found = PyMem_Calloc((size_t)*count + 1, sizeof *found);
    if (found == NULL)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; found != NULL && i < *count; i++) {
        PyObject *numbers, *table, *one = PySequence_Fast_GET_ITEM(list, i);
        int good = PyTuple_Check(one) && PyArg_ParseTuple(one, "OO", &numbers, &table);
        if (good) {
            Py_buffer *b = hold(a, numbers, !back, 1, 1);
            good = b != NULL;
            if (good) {
                found[i].list = column_of(b, 0);
                found[i].count = b->shape[0];
                b = hold(a, table, back, 2, 2);
                good = b != NULL && b->shape[0] >= rows && b->shape[1] == found[i].count;
            }
            if (good) {
                found[i].table = column_of(b, 0);
                found[i].across = b->strides[1];
            }
        }
        if (!good) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError,
                                "a pair is a list of k numbers and a table [iterations, k]");
            PyMem_Free(found);
            found = NULL;
        }
    }
    Py_DECREF(list);
    return found;
}

static Py_ssize_t loop_over(CallObject **calls, Py_ssize_t call_count, const copying *feeds,
                            Py_ssize_t feed_count, const copying *collects, Py_ssize_t collect_count,
                            Py_ssize_t count)
{
    for (Py_ssize_t s = 0; s < count; s++) {
        for (Py_ssize_t i = 0; i < feed_count; i++)
            copy_row(&feeds[i], s, 0);
        for (Py_ssize_t i = 0; i < call_count; i++)
            if (program_run(calls[i]->program->program, calls[i]->workspace, &calls[i]->arrays.call))
                return s;
        for (Py_ssize_t i = 0; i < collect_count; i++)
            copy_row(&collects[i], s, 1);
    }
    return count;
}

static PyObject *vector_loop(PyObject *module, PyObject *args)
{
    PyObject *given, *feed_pairs, *collect_pairs, *list = NULL, *answer = NULL;
    Py_ssize_t count, call_count = 0, taken = 0, feed_count = 0, collect_count = 0, done = 0;
    CallObject **calls = NULL;
    copying *feeds = NULL, *collects = NULL;
    arrays held = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOn:loop", &given, &feed_pairs, &collect_pairs, &count))
        return NULL;
    list = PySequence_Fast(given, "calls are a sequence");
    if (list == NULL)
        return NULL;
    call_count = PySequence_Fast_GET_SIZE(list);
    calls = PyMem_Calloc((size_t)call_count + 1, sizeof *calls);
    if (calls == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    feeds = read_copying(&held, feed_pairs, 0, count, &feed_count);
    collects = feeds ? read_copying(&held, collect_pairs, 1, count, &collect_count) : NULL;
    if (collects == NULL)
        goto end;
    for (; taken < call_count; taken++) {
        PyObject *one = PySequence_Fast_GET_ITEM(list, taken);
        if (!Py_IS_TYPE(one, CallType)) {
            PyErr_SetString(PyExc_TypeError, "calls come from Program.bind");
            goto end;
        }
        calls[taken] = (CallObject *)one;
        if (calls[taken]->busy) {
            PyErr_SetString(PyExc_RuntimeError, "a call is in another loop, or twice in this one");
            goto end;
        }
        calls[taken]->busy = 1;
        Py_INCREF(one);
    }
    Py_BEGIN_ALLOW_THREADS done =
        loop_over(calls, call_count, feeds, feed_count, collects, collect_count, count);
    Py_END_ALLOW_THREADS answer = PyLong_FromSsize_t(done);
end:
    for (Py_ssize_t i = 0; i < taken; i++) {
        calls[i]->busy = 0;
        Py_DECREF(calls[i]);
    }
    PyMem_Free(calls);
    PyMem_Free(feeds);
    PyMem_Free(collects);
    arrays_free(&held);
    Py_DECREF(list);
    return answer;
}

/* ---- the module --------------------------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"loop", vector_loop, METH_VARARGS,
     "loop(calls, feeds, collects, count, /): so many iterations, or fewer where a guard breaks; how many.\n\n"
     "Before each, row s of each feed's table goes to its list; after it, each collected list to its table."},
    {0},
};

static int vector_exec(PyObject *module)
{
    ProgramType = (PyTypeObject *)PyType_FromModuleAndSpec(module, &program_spec, NULL);
    CallType = (PyTypeObject *)PyType_FromModuleAndSpec(module, &call_spec, NULL);
    if (ProgramType == NULL || CallType == NULL)
        return -1;
    PyObject *kernels = PyDict_New(), *names = PyList_New(0);
    const machine *best = machine_find("", 0);
    int failed = kernels == NULL || names == NULL;
    for (int i = 0; !failed && i < best->kernels; i++) {
        int arity;
        const char *name = best->kernel(i, &arity);
        PyObject *row = Py_BuildValue("(ii)", i, arity);
        failed = row == NULL || PyDict_SetItemString(kernels, name, row) < 0;
        Py_XDECREF(row);
    }
    for (int i = 0; !failed && i < MACHINE_COUNT; i++) {
        const machine *m = MACHINES[i];
        if (m->single || machine_find(m->name, 0) != m)
            continue;
        PyObject *name = PyUnicode_FromString(m->name);
        failed = name == NULL || PyList_Append(names, name) < 0;
        Py_XDECREF(name);
    }
    failed = failed || PyModule_AddObjectRef(module, "KERNELS", kernels) < 0
             || PyModule_AddObjectRef(module, "INSTRUCTION_SETS", names) < 0
             || PyModule_AddObjectRef(module, "Program", (PyObject *)ProgramType) < 0
             || PyModule_AddObjectRef(module, "Call", (PyObject *)CallType) < 0
             || PyModule_AddIntConstant(module, "SOURCES", MINIGRAD_SOURCES) < 0
             || PyModule_AddIntConstant(module, "MOST_DIMS", MOST_DIMS) < 0;
    Py_XDECREF(kernels);
    Py_XDECREF(names);
    return failed ? -1 : 0;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, vector_exec},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
    {0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "vector",      .m_doc = "Programs of vector instructions.",
    .m_methods = methods,  .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit_vector(void) { return PyModuleDef_Init(&definition); }
