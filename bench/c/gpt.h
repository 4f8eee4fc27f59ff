/* The small GPT of programs.py: its sizes, where its matrices lie among all weights, and Adam.
 *
 * All weights are in one array, in the order in which the program makes them: a matrix after the other, one
 * row per output.  POSITIONS is how many tokens are read, and is said when this is compiled.
 */
#ifndef MINIGRAD_BENCH_GPT_H
#define MINIGRAD_BENCH_GPT_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef POSITIONS
#define POSITIONS 7
#endif

enum {
    VOCABULARY = 27,
    BLOCK = 16,
    WIDTH = 16,
    HEADS = 4,
    HEAD = WIDTH / HEADS,
    WIDE = 4 * WIDTH,
    TOKENS = 0,
    PLACES = TOKENS + VOCABULARY * WIDTH,
    QUERY = PLACES + BLOCK * WIDTH,
    KEY = QUERY + WIDTH * WIDTH,
    VALUE = KEY + WIDTH * WIDTH,
    ATTENDED = VALUE + WIDTH * WIDTH,
    UP = ATTENDED + WIDTH * WIDTH,
    DOWN = UP + WIDE * WIDTH,
    LOGITS = DOWN + WIDTH * WIDE,
    WEIGHTS = LOGITS + VOCABULARY * WIDTH
};

#define EPSILON 1e-5 /* under the root of RMSNorm */

typedef struct {
    double *weights, *gradient, *mean, *square; /* WEIGHTS numbers each */
    long steps;
} Learner;

/* Adam with (0.85, 0.99), rate 0.01 and 1e-8, as in programs.py; the corrections are computed once. */
static void adam(Learner *learner)
{
    double *restrict w = learner->weights, *restrict g = learner->gradient;
    double *restrict m = learner->mean, *restrict v = learner->square;
    learner->steps++;
    double rate = 0.01 / (1.0 - pow(0.85, (double)learner->steps));
    double correction = 1.0 / (1.0 - pow(0.99, (double)learner->steps));
    for (int i = 0; i < WEIGHTS; i++) {
        m[i] = 0.85 * m[i] + (1.0 - 0.85) * g[i];
        v[i] = 0.99 * v[i] + (1.0 - 0.99) * g[i] * g[i];
        w[i] -= rate * m[i] / (sqrt(v[i] * correction) + 1e-8);
    }
}

/* The mean loss of `batch` names of POSITIONS + 1 tokens each; its slopes go to learner->gradient. */
double gradient(Learner *learner, const int *tokens, int batch);

/* `count` whole training steps on the same names; the loss of the last one. */
double train(Learner *learner, const int *tokens, int batch, long count)
{
    double loss = 0.0;
    for (long i = 0; i < count; i++) {
        loss = gradient(learner, tokens, batch);
        adam(learner);
    }
    return loss;
}

#endif
