/* Arrays come in by the buffer protocol, as float64 or float32 of any strides; their shapes are checked here,
   in each call. */

#include "arrays.h"

/* The next buffer of an array of float64 or float32 with so many dimensions; NULL with an exception. */
Py_buffer *hold(arrays *a, PyObject *object, int writable, int fewest, int most)
{
    if (a->held == a->room) {
        const Py_ssize_t room = 2 * a->room + 4;
        Py_buffer *more = PyMem_Realloc(a->buffers, (size_t)room * sizeof *more);
        if (more == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        a->buffers = more;
        a->room = room;
    }
    Py_buffer *b = &a->buffers[a->held];
    if (PyObject_GetBuffer(object, b, writable ? PyBUF_RECORDS : PyBUF_RECORDS_RO) < 0)
        return NULL;
    a->held++;
    const char *format = b->format == NULL ? "B" : b->format;
    if (format[0] == '@' || format[0] == '=' || (format[0] == '<' && PY_LITTLE_ENDIAN))
        format++;
    if ((format[0] != 'd' && format[0] != 'f') || format[1] != 0) {
        PyErr_SetString(PyExc_TypeError, "an array is neither float64 nor float32");
        return NULL;
    }
    if (b->ndim < fewest || b->ndim > most) {
        PyErr_SetString(PyExc_ValueError, "an array has another number of dimensions");
        return NULL;
    }
    uintptr_t aligned = (uintptr_t)b->buf;
    for (int d = 0; d < b->ndim; d++)
        aligned |= (uintptr_t)b->strides[d];
    if (aligned % (uintptr_t)b->itemsize != 0) {
        PyErr_SetString(PyExc_ValueError, "an array is not aligned");
        return NULL;
    }
    return b;
}

column column_of(const Py_buffer *b, Py_ssize_t i)
{
    column c = {b->buf, b->ndim > 0 ? b->strides[0] : 0, b->itemsize == (Py_ssize_t)sizeof(float)};
    if (b->ndim == 2)
        c.data += i * b->strides[1];
    return c;
}

static int hold_shared(arrays *a, PyObject *object, int writable, int64_t count, column *found)
{
    if (object == Py_None && count == 0)
        return 0;
    const Py_buffer *b = hold(a, object, writable, 1, 1);
    if (b == NULL)
        return -1;
    if (b->shape[0] != count) {
        PyErr_Format(PyExc_ValueError, "%zd shared numbers, where the program has %lld", b->shape[0],
                     (long long)count);
        return -1;
    }
    *found = column_of(b, 0);
    return 0;
}

/* The columns of one array or of several, which have one length; -1 in `batch` stands for any. */
static column *hold_columns(arrays *a, PyObject *object, int writable, int64_t count, int64_t *batch)
{
    column *columns = PyMem_Calloc((size_t)count + 1, sizeof *columns);
    PyObject *list = NULL;
    Py_ssize_t items = object == Py_None ? 0 : 1;
    int64_t found = 0;
    if (columns == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    if (object != Py_None && !PyObject_CheckBuffer(object)) {
        list = PySequence_Fast(object, "columns are an array or a sequence of arrays");
        if (list == NULL)
            goto failed;
        items = PySequence_Fast_GET_SIZE(list);
    }
    for (Py_ssize_t i = 0; i < items; i++) {
        const Py_buffer *b = hold(a, list ? PySequence_Fast_GET_ITEM(list, i) : object, writable, 1, 2);
        if (b == NULL)
            goto failed;
        const Py_ssize_t more = b->ndim == 2 ? b->shape[1] : 1;
        if (*batch < 0)
            *batch = b->shape[0];
        if (b->shape[0] != *batch) {
            PyErr_Format(PyExc_ValueError, "a column has %zd numbers, the batch has %lld", b->shape[0],
                         (long long)*batch);
            goto failed;
        }
        if (more > count - found) {
            PyErr_Format(PyExc_ValueError, "more columns than the %lld of the program", (long long)count);
            goto failed;
        }
        for (Py_ssize_t j = 0; j < more; j++)
            columns[found++] = column_of(b, j);
    }
    if (found != count) {
        PyErr_Format(PyExc_ValueError, "%lld columns, where the program has %lld", (long long)found,
                     (long long)count);
        goto failed;
    }
    Py_XDECREF(list);
    return columns;
failed:
    Py_XDECREF(list);
    PyMem_Free(columns);
    return NULL;
}

void arrays_free(arrays *a)
{
    for (Py_ssize_t i = 0; i < a->held; i++)
        PyBuffer_Release(&a->buffers[i]);
    PyMem_Free(a->buffers);
    PyMem_Free(a->call.in);
    PyMem_Free(a->call.out);
    PyMem_Free(a->call.guard[SHARED]);
    PyMem_Free(a->call.guard[LANES]);
    memset(a, 0, sizeof *a);
}

/* (shared, columns, shared_out, out_columns, threads) */
int arrays_read(arrays *a, const program *p, PyObject *const *args)
{
    call *c = &a->call;
    int64_t batch = -1;
    if (hold_shared(a, args[0], 0, p->inputs[SHARED], &c->shared) < 0
        || hold_shared(a, args[2], 1, p->outputs[SHARED], &c->shared_out) < 0)
        return -1;
    c->in = hold_columns(a, args[1], 0, p->inputs[LANES], &batch);
    if (c->in == NULL)
        return -1;
    c->out = hold_columns(a, args[3], 1, p->outputs[LANES], &batch);
    if (c->out == NULL)
        return -1;
    if (batch < 0 && p->cells[LANES] > 0) {
        PyErr_SetString(PyExc_ValueError, "a program for batches has no columns");
        return -1;
    }
    c->batch = batch < 0 ? 0 : batch;
    const long threads = PyLong_AsLong(args[4]);
    if (threads == -1 && PyErr_Occurred())
        return -1;
    c->threads = threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : (int)threads;
    return 0;
}
