/* Memory for nodes: slabs of two megabytes that only hold nodes of class Value.

   A slab counts its living nodes and links its free ones, and goes back to the system when it is
   empty; a few empty ones are kept, so that the graph of each training step finds room at once.
   Later slabs ask for a huge page: for large graphs most of the time would else be page faults.

   Nodes have the header of the cyclic collector in front, as PyObject_GC_New would give them: two
   words of zero while a node is not tracked.  `slabs_ready` looks at one that Python has made and
   turns the slabs off where that is not so; with MINIGRAD_NO_SLABS, which the sanitizers need,
   they are off as well.  A node then is allocated like any other object. */

#ifdef __linux__
#define _DEFAULT_SOURCE
#endif

#include "value.h"

#if !defined(MINIGRAD_NO_SLABS) && !defined(Py_GIL_DISABLED) && !defined(Py_REF_DEBUG) \
    && !defined(Py_TRACE_REFS) && (defined(__linux__) || defined(__APPLE__))
#define HAVE_SLABS
#include <sys/mman.h>
#endif

static Slab none; /* has no room, so that the first node asks for a slab */
Slab *slab = &none;
int have_slabs = 0;

#ifdef HAVE_SLABS

#define MOST_EMPTY 8 /* slabs that are kept, 16 MB */
#define BATCH 32     /* nodes that are laid out at once */
#define HEADER (2 * sizeof(void *))
#define STEP (HEADER + sizeof(Value))
#define FIRST ((sizeof(Slab) + HEADER + 15) & ~(size_t)15)
#define ROOM ((SLAB_SIZE - FIRST) / STEP)

static Slab *available; /* with room, but for the one in use; linked both ways */
static size_t slabs, empty;

static Slab *map_slab(void)
{
    char *memory = mmap(NULL, 2 * SLAB_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    char *start = (char *)(((uintptr_t)memory + SLAB_SIZE - 1) & ~(uintptr_t)(SLAB_SIZE - 1));
    if (start > memory)
        munmap(memory, (size_t)(start - memory));
    munmap(start + SLAB_SIZE, (size_t)(memory + SLAB_SIZE - start));
#ifdef MADV_HUGEPAGE
    if (slabs > 0)
        madvise(start, SLAB_SIZE, MADV_HUGEPAGE);
#endif
    PyTraceMalloc_Track(0, (uintptr_t)start, SLAB_SIZE); /* so that tracemalloc knows of it */
    slabs++;
    return (Slab *)start; /* all zero */
}

static void unmap_slab(Slab *s)
{
    PyTraceMalloc_Untrack(0, (uintptr_t)s);
    munmap(s, SLAB_SIZE);
    slabs--;
}

static void list_slab(Slab *s)
{
    s->listed = 1;
    s->previous = NULL;
    s->next = available;
    if (available != NULL)
        available->previous = s;
    available = s;
}

static void unlist_slab(Slab *s)
{
    s->listed = 0;
    if (s->previous != NULL)
        s->previous->next = s->next;
    else
        available = s->next;
    if (s->next != NULL)
        s->next->previous = s->previous;
}

/* Some more nodes of a slab's unused end become free ones, in the order of their addresses. */
static void lay_out(Slab *s)
{
    Value **link = &s->free;
    for (int i = 0; i < BATCH && s->used < ROOM; i++) {
        Value *v = VALUE((char *)s + FIRST + s->used++ * STEP);
        v->extra = NULL;
        v->weakrefs = NULL;
        *link = v;
        link = &v->next;
    }
    *link = NULL;
}

Value *slab_take(void)
{
    if (slab->free == NULL && (slab == &none || slab->used == ROOM)) {
        Slab *s = available;
        if (s != NULL) {
            unlist_slab(s);
            empty -= s->living == 0;
        } else if ((s = map_slab()) == NULL) {
            return VALUE(PyErr_NoMemory());
        }
        if (s->living == 0) { /* from the start again, so that neighbours stay neighbours */
            s->used = 0;
            s->free = NULL;
        }
        slab = s;
    }
    if (slab->free == NULL)
        lay_out(slab);
    Value *v = slab->free;
    slab->free = v->next;
    slab->living++;
    return v;
}

void slab_was_left(Slab *s)
{
    if (!s->listed)
        list_slab(s);
    if (s->living == 0) {
        if (empty == MOST_EMPTY) {
            unlist_slab(s);
            unmap_slab(s);
        } else {
            empty++;
        }
    }
}

int slabs_ready(void)
{
    Value *probe = VALUE(node_allocate(ValueType));
    if (probe == NULL)
        return -1;
    size_t word[2];
    memcpy(word, (char *)probe - HEADER, HEADER);
    PyObject *size = PyObject_CallMethod((PyObject *)probe, "__sizeof__", NULL);
    PyObject *getsizeof = PySys_GetObject("getsizeof");
    PyObject *whole = getsizeof == NULL ? NULL : PyObject_CallOneArg(getsizeof, (PyObject *)probe);
    if (size != NULL && whole != NULL)
        have_slabs = PyLong_AsSize_t(whole) - PyLong_AsSize_t(size) == HEADER && word[0] == 0 && word[1] == 0;
    Py_XDECREF(size);
    Py_XDECREF(whole);
    PyObject_GC_Del(probe);
    Py_DECREF(ValueType);
    return PyErr_Occurred() ? -1 : 0;
}

#else

Value *slab_take(void) { return NULL; }
void slab_was_left(Slab *s) { (void)s; }
int slabs_ready(void) { return 0; }

#endif
