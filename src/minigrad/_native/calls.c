/* Every op of the table as a method, as a function, and by its row.

   The lists of ops in kernels.h are expanded here, once per use.  A call with floats, small ints
   and Values in the right number is computed; any other goes to the method or function of the
   same name that the table makes in Python, which knows what to say. */

#include "value.h"

#include "kernels.h"
#include "reductions.h"

#define MOST_ON_STACK 64 /* operands; for more, memory is allocated */

typedef double (*Kernel)(const double *xs, Py_ssize_t n, double *local);

typedef struct {
    const char *name, *symbol, *doc;
    Kernel kernel;
    int flags;       /* of a node: DIVIDES, SELECTS */
    int least, most; /* arguments that a call may have; most is -1 for one list of any length */
    double fallback; /* of the last argument, where least < most */
} Row;

/* ---- kernels of one signature ---------------------------------------------------------------- */

#define KERNEL_1(name, ...)                                               \
    static double kernel_##name(const double *x, Py_ssize_t n, double *d) \
    {                                                                     \
        (void)n;                                                          \
        return op_##name(x[0], d);                                        \
    }
#define KERNEL_2(name, ...)                                               \
    static double kernel_##name(const double *x, Py_ssize_t n, double *d) \
    {                                                                     \
        (void)n;                                                          \
        return op_##name(x[0], x[1], d);                                  \
    }
#define KERNEL_3(name, ...)                                               \
    static double kernel_##name(const double *x, Py_ssize_t n, double *d) \
    {                                                                     \
        (void)n;                                                          \
        return op_##name(x[0], x[1], x[2], d);                            \
    }
UNARY_OPS(KERNEL_1)
BINARY_OPS(KERNEL_2)
TERNARY_OPS(KERNEL_3)

#define NODE_FLAGS(flags) (((flags) & INVERTED ? DIVIDES : 0) | ((flags) & SELECTIVE ? SELECTS : 0))
#define ROW(name, symbol, flags, least, most, fallback, doc, kernel) \
    [OP_##name] = {#name, symbol, doc, kernel, NODE_FLAGS(flags), least, most, fallback},
#define ROW_1(name, symbol, flags, least, fallback, signature, doc) \
    ROW(name, symbol, flags, least, 1, fallback, doc, kernel_##name)
#define ROW_2(name, symbol, flags, least, fallback, signature, doc) \
    ROW(name, symbol, flags, least, 2, fallback, doc, kernel_##name)
#define ROW_3(name, symbol, flags, least, fallback, signature, doc) \
    ROW(name, symbol, flags, least, 3, fallback, doc, kernel_##name)
#define ROW_N(name, symbol, flags, least, fallback, signature, doc) \
    ROW(name, symbol, flags, least, -1, fallback, doc, nary_##name)

/* clang-format off */
static const Row rows[OP_COUNT] = {
    [OP_none] = {"", "", "", NULL, 0, 0, 0, 0.0},
    UNARY_OPS(ROW_1) BINARY_OPS(ROW_2) TERNARY_OPS(ROW_3) NARY_OPS(ROW_N)
};
/* clang-format on */

PyObject *op_symbols[OP_COUNT];
PyObject *op_names, *op_codes;

int ops_ready(void)
{
    op_names = PyDict_New();
    op_codes = PyDict_New();
    for (int op = 0; op < OP_COUNT; op++) {
        PyObject *code = PyLong_FromLong(op);
        op_symbols[op] = PyUnicode_InternFromString(rows[op].symbol);
        if (op_names == NULL || op_codes == NULL || code == NULL || op_symbols[op] == NULL
            || PyDict_SetItem(op_codes, op_symbols[op], code) < 0
            || (op != OP_none && PyDict_SetItemString(op_names, rows[op].name, code) < 0)) {
            Py_XDECREF(code);
            return -1;
        }
        Py_DECREF(code);
    }
    return 0;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* The arguments of a call as Values, and the numbers in them. */
typedef struct {
    Value **value;
    double *x, *local;
    Py_ssize_t count;
    Value *values_here[MOST_ON_STACK];
    double numbers_here[2 * MOST_ON_STACK];
} Operands;

static int operands_make_room(Operands *operands, Py_ssize_t n)
{
    operands->count = 0;
    operands->value = operands->values_here;
    operands->x = operands->numbers_here;
    operands->local = operands->numbers_here + MOST_ON_STACK;
    if (n > MOST_ON_STACK) {
        operands->x = PyMem_Malloc((size_t)n * (2 * sizeof(double) + sizeof(Value *)));
        if (operands->x == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        operands->local = operands->x + n;
        operands->value = (Value **)(operands->local + n);
    }
    return 0;
}

/* 1; 0 for what the textbook has to convert or refuse; -1 with an exception. */
static inline int operands_add(Operands *operands, PyObject *x)
{
    Value *v;
    double number;
    if (IS_VALUE(x)) {
        if (VALUE(x)->flags & (FOREIGN | BARE))
            return 0;
        v = VALUE(Py_NewRef(x));
    } else if (!is_exact(x, &number)) {
        return 0;
    } else {
        v = node_new(ValueType);
        if (v == NULL)
            return -1;
        v->data = number;
    }
    operands->x[operands->count] = v->data;
    operands->value[operands->count++] = v;
    return 1;
}

static void operands_free(Operands *operands)
{
    for (Py_ssize_t i = 0; i < operands->count; i++)
        Py_DECREF(operands->value[i]);
    if (operands->x != operands->numbers_here)
        PyMem_Free(operands->x);
}

static PyObject *operands_compute(Operands *operands, int op)
{
    double y = rows[op].kernel(operands->x, operands->count, operands->local);
    return (PyObject *)node_of_many(y, operands->value, operands->local, operands->count, op, rows[op].flags);
}

/* A result, or NULL: with an exception, or without one if the textbook is to do it. */
static PyObject *compute(int op, PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    const Row *row = &rows[op];
    Py_ssize_t given = count + (self != NULL);
    if (given < row->least || given > row->most)
        return NULL;
    Operands operands;
    PyObject *result = NULL;
    if (operands_make_room(&operands, row->most) < 0)
        return NULL;
    int usual = self == NULL ? 1 : operands_add(&operands, self);
    for (Py_ssize_t i = 0; i < count && usual > 0; i++)
        usual = operands_add(&operands, args[i]);
    if (usual > 0 && given < row->most) {
        PyObject *fallback = PyFloat_FromDouble(row->fallback);
        usual = fallback == NULL ? -1 : operands_add(&operands, fallback);
        Py_XDECREF(fallback);
    }
    if (usual > 0)
        result = operands_compute(&operands, op);
    operands_free(&operands);
    return result;
}

/* ---- methods --------------------------------------------------------------------------------- */

static PyObject *call_method(int op, PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    PyObject *result = compute(op, self, args, count);
    if (result == NULL && !PyErr_Occurred())
        return textbook_call(rows[op].name, self, args, count, NULL);
    return result;
}

#define METHOD_1(name, ...)                                                   \
    static PyObject *method_##name(PyObject *self, PyObject *Py_UNUSED(none)) \
    {                                                                         \
        if (VALUE(self)->flags & (FOREIGN | BARE))                            \
            return textbook_call(#name, self, NULL, 0, NULL);                 \
        double local, y = op_##name(VALUE(self)->data, &local);               \
        return node_of_one(VALUE(self), y, local, OP_##name);                 \
    }
#define METHOD_MORE(name, ...)                                                              \
    static PyObject *method_##name(PyObject *self, PyObject *const *args, Py_ssize_t count) \
    {                                                                                       \
        return call_method(OP_##name, self, args, count);                                   \
    }
UNARY_OPS(METHOD_1)
BINARY_OPS(METHOD_MORE)
TERNARY_OPS(METHOD_MORE)

#define DEFINED_1(name, symbol, flags, least, fallback, signature, doc) \
    {#name, method_##name, METH_NOARGS, #name "($self" signature ", /)\n--\n\n" doc},
#define DEFINED_MORE(name, symbol, flags, least, fallback, signature, doc) \
    {#name, (PyCFunction)(void (*)(void))method_##name, METH_FASTCALL,     \
     #name "($self" signature ", /)\n--\n\n" doc},

/* clang-format off */
PyMethodDef op_methods[] = {
    UNARY_OPS(DEFINED_1) BINARY_OPS(DEFINED_MORE) TERNARY_OPS(DEFINED_MORE)
    {0},
};
/* clang-format on */

/* ---- functions ------------------------------------------------------------------------------- */

static PyObject *plain_functions[OP_COUNT]; /* those of functions.py that these stand for */

static PyObject *call_function(int op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    PyObject *result = names == NULL ? compute(op, NULL, args, count) : NULL;
    if (result == NULL && !PyErr_Occurred())
        return PyObject_Vectorcall(plain_functions[op], args, (size_t)count, names);
    return result;
}

/* One list of operands; dot takes two, one after the other. */
static PyObject *call_reduction(int op, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    Py_ssize_t n = 0, lists = op == OP_dot ? 2 : 1;
    int usual = names == NULL && count == lists;
    for (Py_ssize_t i = 0; i < count && usual; i++) {
        usual = PyList_CheckExact(args[i]) || PyTuple_CheckExact(args[i]);
        if (usual)
            n += PySequence_Fast_GET_SIZE(args[i]);
    }
    usual = usual && n > 0 && (lists == 1 || 2 * PySequence_Fast_GET_SIZE(args[0]) == n);
    if (usual) {
        Operands operands;
        PyObject *result = NULL;
        if (operands_make_room(&operands, n) < 0)
            return NULL;
        for (Py_ssize_t i = 0, at = 0; i < n && usual > 0; i++) {
            if (i == PySequence_Fast_GET_SIZE(args[0]))
                at = i;
            PyObject *list = args[at > 0]; /* without slabs a constant may collect, and lists may change */
            usual = i - at < PySequence_Fast_GET_SIZE(list)
                        ? operands_add(&operands, PySequence_Fast_GET_ITEM(list, i - at))
                        : 0;
        }
        if (usual > 0 && operands.count == n)
            result = operands_compute(&operands, op);
        operands_free(&operands);
        if (result != NULL || PyErr_Occurred())
            return result;
    }
    return PyObject_Vectorcall(plain_functions[op], args, (size_t)count, names);
}

#define FUNCTION(name, call)                                                                               \
    static PyObject *function_##name(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count, \
                                     PyObject *names)                                                      \
    {                                                                                                      \
        return call(OP_##name, args, count, names);                                                        \
    }
#define FUNCTION_FIXED(name, ...) FUNCTION(name, call_function)
#define FUNCTION_LIST(name, ...) FUNCTION(name, call_reduction)
UNARY_OPS(FUNCTION_FIXED)
BINARY_OPS(FUNCTION_FIXED)
TERNARY_OPS(FUNCTION_FIXED)
NARY_OPS(FUNCTION_LIST)

#define FUNCTION_DEFINED(name, ...) \
    [OP_##name] = {#name, (PyCFunction)(void (*)(void))function_##name, METH_FASTCALL | METH_KEYWORDS, NULL},

/* clang-format off */
static PyMethodDef functions[OP_COUNT] = {
    UNARY_OPS(FUNCTION_DEFINED) BINARY_OPS(FUNCTION_DEFINED) TERNARY_OPS(FUNCTION_DEFINED)
    NARY_OPS(FUNCTION_DEFINED)
};
/* clang-format on */

/* 0 for a name that is not in the table, -1 with an exception. */
static int opcode_of(PyObject *name)
{
    PyObject *code = PyDict_GetItemWithError(op_names, name);
    return code != NULL ? (int)PyLong_AsLong(code) : PyErr_Occurred() ? -1 : OP_none;
}

/* The opcode of a row of the table itself; one with a piece replaced is for the textbook. */
static int opcode_of_row(PyObject *row)
{
    int op = PyTuple_Check(row) && PyTuple_GET_SIZE(row) > 0 ? opcode_of(PyTuple_GET_ITEM(row, 0)) : OP_none;
    if (op <= 0)
        return op;
    PyObject *known = PyObject_GetItem(textbook.ops, PyTuple_GET_ITEM(row, 0));
    Py_XDECREF(known);
    return known == NULL ? -1 : known == row ? op : OP_none;
}

/* compiled(name, signature, function): the function's compiled twin, or itself where there is none */
PyObject *engine_compiled(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    if (count != 3)
        return PyErr_Format(PyExc_TypeError, "compiled(name, signature, function)");
    int op = opcode_of(args[0]);
    if (op <= 0 || plain_functions[op] != NULL)
        return op < 0 ? NULL : Py_NewRef(args[2]);
    PyObject *doc = PyObject_GetAttrString(args[2], "__doc__");
    PyObject *text = doc == NULL ? NULL : PyUnicode_FromFormat("%U(%U)\n--\n\n%U", args[0], args[1], doc);
    PyObject *name = PyObject_GetAttrString(args[2], "__module__");
    PyObject *home = name == NULL ? NULL : PyImport_GetModule(name); /* where pickle finds it again */
    PyObject *twin = NULL;
    if (text != NULL && home != NULL && (functions[op].ml_doc = PyUnicode_AsUTF8(text)) != NULL)
        twin = PyCFunction_NewEx(&functions[op], home, name);
    if (twin != NULL) {
        plain_functions[op] = Py_NewRef(args[2]);
        Py_INCREF(text); /* the definition points into it for good */
    } else if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_ImportError, "compiled: the function's module is not imported");
    }
    Py_XDECREF(doc);
    Py_XDECREF(text);
    Py_XDECREF(name);
    Py_XDECREF(home);
    return twin;
}

/* _apply(row, like, children): any op of the table on Values */
PyObject *engine_apply(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    if (count == 3 && PyTuple_Check(args[2])) {
        int op = opcode_of_row(args[0]);
        Py_ssize_t n = PyTuple_GET_SIZE(args[2]), most = op > 0 ? rows[op].most : 0;
        int usual = op > 0 && n > 0 && (n == most || (most < 0 && (op != OP_dot || n % 2 == 0)));
        if (op < 0)
            return NULL;
        Operands operands;
        if (usual && operands_make_room(&operands, n) < 0)
            return NULL;
        if (usual) {
            PyObject *result = NULL;
            usual = args[1] == PyTuple_GET_ITEM(args[2], 0);
            for (Py_ssize_t i = 0; i < n && usual > 0; i++)
                usual = IS_VALUE(PyTuple_GET_ITEM(args[2], i))
                            ? operands_add(&operands, PyTuple_GET_ITEM(args[2], i))
                            : 0;
            if (usual > 0)
                result = operands_compute(&operands, op);
            operands_free(&operands);
            if (result != NULL || PyErr_Occurred())
                return result;
        }
    }
    return PyObject_Vectorcall(textbook.apply, args, (size_t)count, NULL);
}
