/* Memory for nodes: slabs of two megabytes that only hold nodes of class Value.

   A slab counts its living nodes and links its free ones, and goes back to the system when it is
   empty; a few empty ones are kept, so that the graph of each training step finds room at once.
   Later slabs ask for a huge page: for large graphs most of the time would else be page faults.

   Nodes have the header of the cyclic collector in front, as PyObject_GC_New would give them: two
   words of zero while a node is not tracked.  `slabs_ready` looks at one that Python has made and
   turns the slabs off where that is not so; with MINIGRAD_NO_SLABS, which the sanitizers need,
   they are off as well.  A node then is allocated, and tracked, like any other object. */

#include "walks.h"

#if !defined(MINIGRAD_NO_SLABS) && !defined(Py_GIL_DISABLED) && !defined(Py_REF_DEBUG) \
    && !defined(Py_TRACE_REFS)
#define HAVE_SLABS
#ifdef _WIN32
#include <malloc.h>
#else
#include <sys/mman.h>
#endif
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

static Slab *all;       /* linked both ways */
static Slab *available; /* with room, but for the one in use; linked both ways */
static size_t slabs, empty;

#ifdef _WIN32

static Slab *map_memory(void)
{
    Slab *s = _aligned_malloc(SLAB_SIZE, SLAB_SIZE);
    if (s != NULL)
        memset(s, 0, SLAB_SIZE);
    return s;
}

static void unmap_memory(Slab *s) { _aligned_free(s); }

#else

static Slab *map_memory(void)
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
    return (Slab *)start;
}

static void unmap_memory(Slab *s) { munmap(s, SLAB_SIZE); }

#endif

static Slab *map_slab(void)
{
    Slab *s = map_memory(); /* all zero */
    if (s == NULL)
        return NULL;
    PyTraceMalloc_Track(0, (uintptr_t)s, SLAB_SIZE); /* so that tracemalloc knows of it */
    s->after = all;
    if (all != NULL)
        all->before = s;
    all = s;
    slabs++;
    return s;
}

static void unmap_slab(Slab *s)
{
    if (s->before != NULL)
        s->before->after = s->after;
    else
        all = s->after;
    if (s->after != NULL)
        s->after->before = s->before;
    PyTraceMalloc_Untrack(0, (uintptr_t)s);
    unmap_memory(s);
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

static Value *node_in(Slab *s, size_t i) { return VALUE((char *)s + FIRST + i * STEP); }

/* Some more nodes of a slab's unused end become free ones, in the order of their addresses. */
static void lay_out(Slab *s)
{
    Value **link = &s->free;
    for (int i = 0; i < BATCH && s->used < ROOM; i++) {
        Value *v = node_in(s, s->used++);
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

Py_ssize_t slabs_living(void) { return (Py_ssize_t)(slabs * ROOM); }

void slabs_track_more(void)
{
    Nodes found = {0};
    int failed = 0;
    for (Slab *s = all; s != NULL; s = s->after)
        for (size_t i = 0; i < s->used && !failed; i++) {
            Value *v = node_in(s, i); /* a free one has no references */
            if (Py_REFCNT(v) > 0 && v->count > 0 && !(v->flags & TRACKED))
                failed = nodes_append(&found, v);
        }
    if (!failed && sort_by_age(&found) == 0)
        for (size_t i = found.count; i-- > 0;) { /* oldest first: what is tracked on the way counts */
            Value *v = found.item[i], **children = children_of(v);
            for (uint32_t j = 0; j < v->count; j++)
                if (children[j]->flags & TRACKED) {
                    node_track(v);
                    break;
                }
        }
    nodes_free(&found);
}

int slabs_ready(void)
{
    Value *probe = VALUE(node_allocate(ValueType));
    if (probe == NULL)
        return -1;
    PyObject_GC_UnTrack(probe);
    probe->flags &= (uint16_t)~TRACKED;
    size_t word[2];
    memcpy(word, (char *)probe - HEADER, HEADER);
    PyObject *size = PyObject_CallMethod((PyObject *)probe, "__sizeof__", NULL);
    PyObject *getsizeof = PySys_GetObject("getsizeof");
    PyObject *whole = getsizeof == NULL ? NULL : PyObject_CallOneArg(getsizeof, (PyObject *)probe);
    if (size != NULL && whole != NULL)
        have_slabs = PyLong_AsSize_t(whole) - PyLong_AsSize_t(size) == HEADER && word[0] == 0 && word[1] == 0;
    Py_XDECREF(size);
    Py_XDECREF(whole);
    Py_DECREF(probe);
    return PyErr_Occurred() ? -1 : 0;
}

#else

Value *slab_take(void) { return NULL; }
void slab_was_left(Slab *s) { (void)s; }
int slabs_ready(void) { return 0; }
void slabs_track_more(void) {}
Py_ssize_t slabs_living(void) { return 0; }

#endif
