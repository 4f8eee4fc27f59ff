/* The order of a pass, newest first, without sorting.  Included by backward.c alone.

   In a chain one node waits at a time; it is held.  Else nodes wait in a ring that has one place
   for each of the last 65,536 indices, with one bit each to find the next.  Graphs are built in one
   go, so nearly all nodes are as near to their consumers as that; the few that are further away
   wait in a heap.  The ring is empty between passes, and memory does not grow with the graph. */

#ifndef MINIGRAD_QUEUE_H
#define MINIGRAD_QUEUE_H

#include "walks.h"

typedef enum { TAKEN, OUT_OF_ORDER, NO_MEMORY } Pushed;

#define PLACES 65536
#define PLACE(index) ((uint64_t)(index) & (PLACES - 1))

static Value *held; /* newer than all others that wait, or NULL */
static Value *place[PLACES];
static uint64_t taken[PLACES / 64];
static size_t in_ring;
static int64_t cursor; /* all waiting nodes have a smaller index, all given out this one or a larger */
static Nodes distant;  /* a heap: each is newer than its two followers */
static int tied;       /* did two nodes with one index wait at the same time? */

static void queue_start(int64_t newest)
{
    cursor = newest + 1;
    held = NULL;
    in_ring = distant.count = 0;
    tied = 0;
}

static Pushed push_distant(Value *v)
{
    if (nodes_append(&distant, v) < 0)
        return NO_MEMORY;
    size_t at = distant.count - 1;
    while (at > 0 && distant.item[(at - 1) / 2]->index < v->index) {
        distant.item[at] = distant.item[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    distant.item[at] = v;
    return TAKEN;
}

static Value *pop_distant(void)
{
    Value *top = distant.item[0], *last = distant.item[--distant.count];
    size_t at = 0;
    for (;;) {
        size_t next = 2 * at + 1;
        if (next >= distant.count)
            break;
        if (next + 1 < distant.count && distant.item[next + 1]->index > distant.item[next]->index)
            next++;
        if (distant.item[next]->index <= last->index)
            break;
        distant.item[at] = distant.item[next];
        at = next;
    }
    if (distant.count > 0)
        distant.item[at] = last;
    return top;
}

static Pushed push_among_others(Value *v)
{
    if (v->index >= cursor)
        return OUT_OF_ORDER;
    if (cursor - v->index >= PLACES)
        return push_distant(v);
    uint64_t at = PLACE(v->index);
    if (taken[at / 64] >> (at % 64) & 1) {
        tied = 1;
        return OUT_OF_ORDER;
    }
    place[at] = v;
    taken[at / 64] |= (uint64_t)1 << (at % 64);
    in_ring++;
    return TAKEN;
}

static inline Pushed queue_push(Value *v)
{
    if (held != NULL ? v->index > held->index : in_ring == 0 && distant.count == 0) {
        if (v->index >= cursor)
            return OUT_OF_ORDER;
        Value *other = held;
        held = v;
        if (other == NULL)
            return TAKEN;
        Pushed pushed = push_among_others(other);
        if (pushed != TAKEN) /* it waits no more, and the pass will stop */
            other->flags &= (uint16_t)~MARKED;
        return pushed;
    }
    if (held != NULL && v->index == held->index)
        tied = 1;
    return push_among_others(v);
}

static inline int highest_bit(uint64_t word)
{
#if defined(__GNUC__) || defined(__clang__)
    return 63 - __builtin_clzll(word);
#else
    int bit = 0;
    for (int shift = 32; shift > 0; shift /= 2)
        if (word >> shift) {
            word >>= shift;
            bit += shift;
        }
    return bit;
#endif
}

/* The newest node in the ring: the first taken place below the cursor, going round. */
static Value *newest_in_ring(void)
{
    uint64_t at = PLACE(cursor - 1), word = at / 64;
    uint64_t bits = taken[word] & (~(uint64_t)0 >> (63 - at % 64));
    while (bits == 0) {
        word = (word - 1) & (PLACES / 64 - 1);
        bits = taken[word];
    }
    return place[word * 64 + (uint64_t)highest_bit(bits)];
}

static Value *pop_among_others(void)
{
    Value *v = in_ring > 0 ? newest_in_ring() : NULL;
    if (distant.count > 0 && (v == NULL || distant.item[0]->index >= v->index)) {
        tied |= v != NULL && distant.item[0]->index == v->index;
        v = pop_distant();
        tied |= distant.count > 0 && distant.item[0]->index == v->index;
    } else if (v != NULL) {
        uint64_t at = PLACE(v->index);
        taken[at / 64] &= ~((uint64_t)1 << (at % 64));
        in_ring--;
    } else {
        if (distant.room > PLACES) { /* do not keep what one strange graph needed */
            PyMem_RawFree(distant.item);
            distant.item = NULL;
            distant.room = 0;
        }
        return NULL;
    }
    cursor = v->index;
    return v;
}

/* NULL at the end. */
static inline Value *queue_pop(void)
{
    Value *v = held;
    if (v == NULL)
        return pop_among_others();
    held = NULL;
    cursor = v->index;
    return v;
}

#endif
