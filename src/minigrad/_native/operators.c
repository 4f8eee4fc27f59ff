/* The operators of Value: + - * / ** - abs, and the comparisons of data.

   Two Values, or a Value and a float or small int on either side, are computed here.  Any other
   operand goes to `scalar.py`, which converts it, refuses it, or leaves it to its own type. */

#include "value.h"

#include "kernels.h"

/* ---- numbers as operands --------------------------------------------------------------------- */

#define LARGEST_EXACT ((long long)1 << 53)

int is_exact(PyObject *x, double *number)
{
    if (PyFloat_CheckExact(x)) {
        *number = PyFloat_AS_DOUBLE(x);
        return 1;
    }
    if (!PyLong_CheckExact(x))
        return 0;
    int overflow;
    long long whole = PyLong_AsLongLongAndOverflow(x, &overflow);
    *number = (double)whole;
    return !overflow && -LARGEST_EXACT < whole && whole < LARGEST_EXACT;
}

int constant_of(PyObject *x, PyTypeObject *type, Value **constant)
{
    double data;
    if (!is_exact(x, &data)) {
        PyObject *number = PyObject_CallOneArg(textbook.operand, x);
        if (number == NULL)
            return -1;
        if (number == Py_None) {
            Py_DECREF(number);
            return 0;
        }
        data = PyFloat_AsDouble(number);
        Py_DECREF(number);
        if (data == -1.0 && PyErr_Occurred())
            return -1;
    }
    Value *v = node_new(type);
    if (v == NULL)
        return -1;
    v->data = data;
    *constant = v;
    return 1;
}

PyObject *engine_constant(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count)
{
    PyTypeObject *type = ValueType;
    if (count == 2 && args[1] != Py_None)
        type = Py_TYPE(args[1]);
    if (count < 1 || count > 2 || !PyType_IsSubtype(type, ValueType))
        return PyErr_Format(PyExc_TypeError, "_constant(x, like=None)");
    Value *constant;
    int found = constant_of(args[0], type, &constant);
    if (found < 0)
        return NULL;
    return found ? (PyObject *)constant : Py_NewRef(Py_None);
}

/* ---- two operands ---------------------------------------------------------------------------- */

typedef PyObject *(*Compute)(Value *a, Value *b);

static inline PyObject *compute_add(Value *a, Value *b)
{
    return node_of_two(a, b, a->data + b->data, 1.0, 1.0, OP_add, 0);
}

static inline PyObject *compute_sub(Value *a, Value *b)
{
    return node_of_two(a, b, a->data - b->data, 1.0, -1.0, OP_sub, 0);
}

static inline PyObject *compute_mul(Value *a, Value *b)
{
    return node_of_two(a, b, a->data * b->data, b->data, a->data, OP_mul, 0);
}

static inline PyObject *compute_div(Value *a, Value *b)
{
    double local[2];
    double y = op_div(a->data, b->data, local);
    return node_of_two(a, b, y, local[0], local[1], OP_div, DIVIDES);
}

static inline PyObject *compute_pow(Value *a, Value *b)
{
    double local[2], y;
    if (b->flags & WANTS) {
        y = op_pow(a->data, b->data, local);
    } else { /* a constant exponent never takes the logarithm */
        double x = a->data, p = b->data, q = p - 1.0;
        double slope = p * ieee_pow(x, q), size = fabs(slope);
        if (!(1e-290 < size && size < INFINITY && q + 1.0 == p && p - q == 1.0))
            slope = power_slope(x, p);
        y = ieee_pow(x, p);
        local[0] = slope;
        local[1] = 0.0;
    }
    return node_of_two(a, b, y, local[0], local[1], OP_pow, 0);
}

#define FOR_TEXTBOOK (FOREIGN | BARE)

/* A number on the left is a constant of the right operand's class, and the op is then the class's
   own, which a subclass may have changed. */
static PyObject *compute_reflected(PyObject *left, PyObject *right, Compute compute, binaryfunc operation)
{
    Value *a;
    int found = constant_of(left, Py_TYPE(right), &a);
    if (found <= 0)
        return found < 0 ? NULL : Py_NewRef(Py_NotImplemented);
    PyObject *result =
        Py_IS_TYPE(right, ValueType) ? compute(a, VALUE(right)) : operation((PyObject *)a, right);
    Py_DECREF(a);
    return result;
}

static PyObject *compute_with_number(PyObject *left, PyObject *right, Compute compute)
{
    Value *b;
    int found = constant_of(right, ValueType, &b);
    if (found <= 0)
        return found < 0 ? NULL : Py_NewRef(Py_NotImplemented);
    PyObject *result = compute(VALUE(left), b);
    Py_DECREF(b);
    return result;
}

/* Each operator three times, as a class written in Python has it:
   - `__add__` and `__radd__`, which a subclass calls by super();
   - the slot, which Python tries for both operands.  If the left one is of a subclass, its own
     methods have been asked already, and have said no. */
#define OPERATOR(name, python, operation)                                      \
    static inline PyObject *value_left_##name(PyObject *self, PyObject *other) \
    {                                                                          \
        int flags = VALUE(self)->flags;                                        \
        if (!IS_VALUE(other)) {                                                \
            if (!(flags & FOR_TEXTBOOK))                                       \
                return compute_with_number(self, other, compute_##name);       \
        } else if (!((flags | VALUE(other)->flags) & FOR_TEXTBOOK)) {          \
            return compute_##name(VALUE(self), VALUE(other));                  \
        }                                                                      \
        return textbook_call("__" python "__", self, &other, 1, NULL);         \
    }                                                                          \
    static PyObject *value_right_##name(PyObject *self, PyObject *other)       \
    {                                                                          \
        if (IS_VALUE(other))                                                   \
            return Py_NewRef(Py_NotImplemented);                               \
        return compute_reflected(other, self, compute_##name, operation);      \
    }                                                                          \
    PyObject *value_##name(PyObject *left, PyObject *right)                    \
    {                                                                          \
        if (Py_IS_TYPE(left, ValueType))                                       \
            return value_left_##name(left, right);                             \
        return value_right_##name(right, left);                                \
    }

static PyObject *power(PyObject *left, PyObject *right) { return PyNumber_Power(left, right, Py_None); }

OPERATOR(add, "add", PyNumber_Add)
OPERATOR(sub, "sub", PyNumber_Subtract)
OPERATOR(mul, "mul", PyNumber_Multiply)
OPERATOR(div, "truediv", PyNumber_TrueDivide)
OPERATOR(pow, "pow", power)

PyObject *value_power(PyObject *left, PyObject *right, PyObject *modulus)
{
    if (modulus == Py_None)
        return value_pow(left, right);
    PyObject *args[] = {right, modulus};
    return IS_VALUE(left) ? textbook_call("__pow__", left, args, 2, NULL) : Py_NewRef(Py_NotImplemented);
}

/* __pow__(other, modulus=None): pow() of three numbers comes here */
static PyObject *value_left_power(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    if (count == 1 || (count == 2 && args[1] == Py_None))
        return value_left_pow(self, args[0]);
    return textbook_call("__pow__", self, args, count, NULL);
}

#define METHODS(python, name)                                                                                \
    {"__" python "__", value_left_##name, METH_O | METH_COEXIST, "__" python "__($self, other, /)\n--\n\n"}, \
        {"__r" python "__", value_right_##name, METH_O | METH_COEXIST,                                       \
         "__r" python "__($self, other, /)\n--\n\n"},

/* clang-format off */
PyMethodDef operator_methods[] = {
    METHODS("add", add) METHODS("sub", sub) METHODS("mul", mul) METHODS("truediv", div)
    {"__pow__", (PyCFunction)(void (*)(void))value_left_power, METH_FASTCALL | METH_COEXIST,
     "__pow__($self, other, modulus=None, /)\n--\n\n"},
    {"__rpow__", value_right_pow, METH_O | METH_COEXIST, "__rpow__($self, other, /)\n--\n\n"},
    {0},
};
/* clang-format on */

/* ---- one operand ----------------------------------------------------------------------------- */

PyObject *value_neg(PyObject *self)
{
    if (VALUE(self)->flags & FOR_TEXTBOOK)
        return textbook_call("__neg__", self, NULL, 0, NULL);
    return node_of_one(VALUE(self), -VALUE(self)->data, -1.0, OP_neg);
}

PyObject *value_abs(PyObject *self)
{
    if (VALUE(self)->flags & FOR_TEXTBOOK)
        return textbook_call("__abs__", self, NULL, 0, NULL);
    double local, y = op_abs(VALUE(self)->data, &local);
    return node_of_one(VALUE(self), y, local, OP_abs);
}

PyObject *value_pos(PyObject *self) { return Py_NewRef(self); }

/* ---- comparisons ----------------------------------------------------------------------------- */

PyObject *value_richcompare(PyObject *self, PyObject *other, int comparison)
{
    if (comparison == Py_EQ || comparison == Py_NE) { /* identity, as for any object */
        if (self == other)
            return PyBool_FromLong(comparison == Py_EQ);
        return Py_NewRef(Py_NotImplemented);
    }
    double a = VALUE(self)->data, b;
    if (VALUE(self)->flags & FOR_TEXTBOOK || (IS_VALUE(other) && VALUE(other)->flags & FOR_TEXTBOOK)) {
        static const char *const names[] = {
            [Py_LT] = "__lt__", [Py_LE] = "__le__", [Py_GT] = "__gt__", [Py_GE] = "__ge__"};
        return textbook_call(names[comparison], self, &other, 1, NULL);
    }
    if (IS_VALUE(other)) {
        b = VALUE(other)->data;
    } else if (!is_exact(other, &b)) { /* an int beyond the floats, a fraction, an array */
        PyObject *number = PyObject_CallOneArg(textbook.comparable, other);
        if (number == NULL)
            return NULL;
        PyObject *mine = NULL, *result = NULL;
        if (number == Py_None)
            result = Py_NewRef(Py_NotImplemented);
        else if ((mine = PyFloat_FromDouble(a)) != NULL)
            result = PyObject_RichCompare(mine, number, comparison);
        Py_XDECREF(mine);
        Py_DECREF(number);
        return result;
    }
    Py_RETURN_RICHCOMPARE(a, b, comparison);
}
