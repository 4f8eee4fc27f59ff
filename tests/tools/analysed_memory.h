/* Python's functions for memory as those of the C library, whose meaning gcc's analyser knows.  Only for
   tests/tools/analysis.sh: nothing that runs is built with it. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdlib.h>

#define PyMem_Malloc malloc
#define PyMem_Calloc calloc
#define PyMem_Realloc realloc
#define PyMem_Free free
#define PyMem_RawMalloc malloc
#define PyMem_RawCalloc calloc
#define PyMem_RawRealloc realloc
#define PyMem_RawFree free
