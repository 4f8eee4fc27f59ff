/* A run of a program: shared numbers once, a batch in chunks that threads share.

   Contract: the same bits for every number of threads.  A chunk is computed by one thread; the sums of the
   chunks are added in their order, whoever is done first. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "targets.h"
#include "vector.h"

#if defined(_WIN32)
#define HAS_THREADS 0
#else
#define HAS_THREADS 1
#include <pthread.h>
#endif

extern const machine machine_baseline_double, machine_baseline_float;
#if HAS_TARGETS
extern const machine machine_avx2_double, machine_avx2_float, machine_avx512_double, machine_avx512_float;
#endif

const machine *const MACHINES[] = {
#if HAS_TARGETS
    &machine_avx512_double,   &machine_avx512_float,   &machine_avx2_double, &machine_avx2_float,
#endif
    &machine_baseline_double, &machine_baseline_float,
};
const int MACHINE_COUNT = sizeof MACHINES / sizeof MACHINES[0];

static int supported(const machine *m)
{
#if HAS_TARGETS
    __builtin_cpu_init();
    if (strcmp(m->name, "avx512") == 0)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
               && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    if (strcmp(m->name, "avx2") == 0)
        return __builtin_cpu_supports("avx2");
#endif
    return m != NULL;
}

/* The machine of this name, or the best one for ""; NULL if this processor has none such. */
const machine *machine_find(const char *name, int single)
{
    for (int i = 0; i < MACHINE_COUNT; i++) {
        const machine *m = MACHINES[i];
        if (m->single == single && (name[0] == 0 || strcmp(name, m->name) == 0) && supported(m))
            return m;
    }
    return NULL;
}

/* ---- memory -------------------------------------------------------------------------------------- */

/* Zeros, with room for a vector that is read beyond the end; on a line of the cache. */
#define LINE 64

static void *numbers(size_t count, size_t size)
{
    if (count > (SIZE_MAX / 2) / size - MOST_WIDTH)
        return NULL;
    char *memory = PyMem_RawCalloc(1, (count + MOST_WIDTH) * size + LINE + sizeof(void *));
    if (memory == NULL)
        return NULL;
    const uintptr_t start = ((uintptr_t)memory + sizeof(void *) + LINE - 1) / LINE * LINE;
    ((void **)start)[-1] = memory;
    return (void *)start;
}

static void numbers_free(void *start)
{
    if (start != NULL)
        PyMem_RawFree(((void **)start)[-1]);
}

workspace *workspace_new(const program *p, int desks)
{
    const size_t size = p->machine->size;
    workspace *w = PyMem_RawCalloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->desk = PyMem_RawCalloc((size_t)desks, sizeof *w->desk);
    w->shared = numbers((size_t)p->cells[SHARED], size);
    w->totals = numbers((size_t)p->sums, size);
    w->direct = PyMem_RawCalloc((size_t)(p->inputs[LANES] + p->outputs[LANES]) + 1, 1);
    if (w->desk == NULL || w->direct == NULL || w->shared == NULL || w->totals == NULL) {
        workspace_free(w);
        return NULL;
    }
    for (; w->desks < desks; w->desks++) {
        desk *d = &w->desk[w->desks];
        d->lanes = numbers((size_t)p->cells[LANES] * (size_t)p->lanes, size);
        d->scratch = numbers((size_t)p->scratch, size);
        d->sums = numbers(8 * (size_t)p->sums, size);
        d->pairs = PyMem_RawCalloc((size_t)p->most_pairs + 1, 2 * sizeof(void *));
        d->at = PyMem_RawCalloc(p->column[0] != NULL ? (size_t)p->cells[LANES] + 1 : 1, sizeof *d->at);
        d->views = PyMem_RawCalloc((size_t)p->most_runs + 1, p->machine->view);
        d->terms = PyMem_RawCalloc((size_t)p->most_terms + 1, sizeof *d->terms);
        if (!d->lanes || !d->scratch || !d->sums || !d->views || !d->pairs || !d->at || !d->terms) {
            w->desks++; /* it is freed too */
            workspace_free(w);
            return NULL;
        }
    }
    return w;
}

void workspace_free(workspace *w)
{
    if (w == NULL)
        return;
    for (int i = 0; i < w->desks; i++) {
        numbers_free(w->desk[i].lanes);
        numbers_free(w->desk[i].scratch);
        numbers_free(w->desk[i].sums);
        PyMem_RawFree(w->desk[i].views);
        PyMem_RawFree(w->desk[i].at);
        PyMem_RawFree(w->desk[i].pairs);
        PyMem_RawFree(w->desk[i].terms);
    }
    numbers_free(w->shared);
    numbers_free(w->totals);
    PyMem_RawFree(w->direct);
    PyMem_RawFree(w->desk);
    PyMem_RawFree(w);
}

/* ---- running ------------------------------------------------------------------------------------- */

static int64_t chunks_of(const call *c) { return (c->batch + SAMPLES - 1) / SAMPLES; }

static int run_chunk(const program *p, const workspace *w, const desk *d, const call *c, int64_t chunk)
{
    const int64_t first = chunk * SAMPLES, left = c->batch - first;
    return p->machine->chunk(p, w, d, c, first, left < SAMPLES ? left : SAMPLES);
}

#if HAS_THREADS
typedef struct {
    const program *program;
    workspace *workspace;
    const call *call;
    pthread_mutex_t lock;
    pthread_cond_t turned;
    int64_t next; /* chunk that nobody has taken */
    int64_t turn; /* chunk whose sums are added next */
    int bad;
} shift;

typedef struct {
    shift *shift;
    const desk *desk;
} worker;

static void *work(void *given)
{
    const worker *me = given;
    shift *s = me->shift;
    const int64_t chunks = chunks_of(s->call);
    pthread_mutex_lock(&s->lock);
    while (s->next < chunks) {
        const int64_t chunk = s->next++;
        pthread_mutex_unlock(&s->lock);
        const int bad = run_chunk(s->program, s->workspace, me->desk, s->call, chunk);
        pthread_mutex_lock(&s->lock);
        while (s->turn != chunk)
            pthread_cond_wait(&s->turned, &s->lock);
        s->program->machine->add(s->program, s->workspace, me->desk);
        s->bad |= bad;
        s->turn++;
        pthread_cond_broadcast(&s->turned);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static int run_together(const program *p, workspace *w, const call *c, int threads)
{
    shift s = {.program = p, .workspace = w, .call = c};
    worker workers[MOST_THREADS];
    pthread_t others[MOST_THREADS];
    int started = 0;
    pthread_mutex_init(&s.lock, NULL);
    pthread_cond_init(&s.turned, NULL);
    for (int i = 0; i < threads; i++)
        workers[i] = (worker){&s, &w->desk[i]};
    while (started < threads - 1 && pthread_create(&others[started], NULL, work, &workers[started + 1]) == 0)
        started++; /* where no thread is to be had, the others do its work */
    work(&workers[0]);
    for (int i = 0; i < started; i++)
        pthread_join(others[i], NULL);
    pthread_cond_destroy(&s.turned);
    pthread_mutex_destroy(&s.lock);
    return s.bad;
}
#endif

static int run_batch(const program *p, workspace *w, const call *c)
{
    const int64_t chunks = chunks_of(c);
#if HAS_THREADS
    int64_t threads = c->threads < w->desks ? c->threads : w->desks;
    threads = threads < chunks ? threads : chunks;
    if (threads > 1)
        return run_together(p, w, c, (int)threads);
#endif
    int bad = 0;
    for (int64_t i = 0; i < chunks; i++) {
        bad |= run_chunk(p, w, &w->desk[0], c, i);
        p->machine->add(p, w, &w->desk[0]);
    }
    return bad;
}

/* 0, or 1 where a guard is broken: then the shared outputs are as they were. */
int program_run(const program *p, workspace *w, const call *c)
{
    p->machine->begin(p, w, c);
    if (p->cells[LANES] > 0 && run_batch(p, w, c))
        return 1;
    return p->machine->end(p, w, c);
}
