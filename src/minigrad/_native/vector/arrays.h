/* Arrays of Python that are held while a program runs on them. */

#ifndef MINIGRAD_ARRAYS_H
#define MINIGRAD_ARRAYS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "vector.h"

/* Arrays that are held, and the call that is made of them. */
typedef struct {
    call call;
    Py_buffer *buffers;
    Py_ssize_t held, room;
} arrays;

/* One more array of float64 or float32, with so many dimensions; NULL with an exception. */
Py_buffer *hold(arrays *, PyObject *object, int writable, int fewest, int most);
column column_of(const Py_buffer *, Py_ssize_t i);

/* (shared, columns, shared_out, out_columns, threads) as a call of a program; -1 with an exception. */
int arrays_read(arrays *, const program *, PyObject *const *args);
void arrays_free(arrays *);

#endif
