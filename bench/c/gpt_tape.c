/* The small GPT on a tape: one node per scalar op, as a scalar engine written by hand in C has it.
 *
 * A node is an op, the numbers of its two arguments, its data and its grad, each in an array of its own.  The
 * forward pass makes the nodes anew in every step; the way back walks over them from the last to the first.
 * What makes it quick: no allocation, nodes of 25 bytes, results that stay in registers until they are used
 * (a Number is its node and its data), constants inside ops and never nodes.
 */
#include "gpt.h"

enum { MOST = 1 << 17 };
enum { LEAF, ADD, MUL, DIV, SCALE, SHIFT, INVERSE_ROOT, EXP, LOG, RELU };

static unsigned char op[MOST];
static unsigned long long arguments[MOST]; /* the first one below, the second one in the upper half */
static double data[MOST], grad[MOST], constant[MOST];
static int used;

typedef struct {
    int node;
    double x;
} Number;

static inline Number push(int kind, int a, int b, double x)
{
    int node = used++;
    op[node] = (unsigned char)kind;
    arguments[node] = (unsigned long long)(unsigned)b << 32 | (unsigned)a;
    data[node] = x;
    return (Number){node, x};
}

static inline Number add(Number a, Number b) { return push(ADD, a.node, b.node, a.x + b.x); }
static inline Number mul(Number a, Number b) { return push(MUL, a.node, b.node, a.x * b.x); }
static inline Number divide(Number a, Number b) { return push(DIV, a.node, b.node, a.x / b.x); }
static inline Number scale(Number a, double by)
{
    Number made = push(SCALE, a.node, a.node, a.x * by);
    constant[made.node] = by;
    return made;
}
static inline Number shift(Number a, double by) { return push(SHIFT, a.node, a.node, a.x + by); }
static inline Number inverse_root(Number a) { return push(INVERSE_ROOT, a.node, a.node, 1.0 / sqrt(a.x)); }
static inline Number exponential(Number a) { return push(EXP, a.node, a.node, exp(a.x)); }
static inline Number logarithm(Number a) { return push(LOG, a.node, a.node, log(a.x)); }
static inline Number relu(Number a) { return push(RELU, a.node, a.node, a.x > 0.0 ? a.x : 0.0); }

static void walk_back(int from)
{
    memset(grad + WEIGHTS, 0, sizeof(double) * (from + 1 - WEIGHTS));
    grad[from] = 1.0;
    for (int i = from; i >= WEIGHTS; i--) {
        double g = grad[i];
        unsigned a = (unsigned)arguments[i], b = (unsigned)(arguments[i] >> 32);
        switch (op[i]) {
        case ADD:
            grad[a] += g;
            grad[b] += g;
            break;
        case MUL:
            grad[a] += data[b] * g;
            grad[b] += data[a] * g;
            break;
        case DIV: {
            double share = g / data[b];
            grad[a] += share;
            grad[b] -= share * data[i];
            break;
        }
        case SCALE:
            grad[a] += constant[i] * g;
            break;
        case SHIFT:
            grad[a] += g;
            break;
        case INVERSE_ROOT: /* -1/2 a^(-3/2) */
            grad[a] -= 0.5 * data[i] / data[a] * g;
            break;
        case EXP:
            grad[a] += data[i] * g;
            break;
        case LOG:
            grad[a] += g / data[a];
            break;
        case RELU:
            grad[a] += data[i] > 0.0 ? g : 0.0;
            break;
        }
    }
}

/* ---- the model, as the program writes it --------------------------------------------------------- */

static inline Number weight(int at) { return (Number){at, data[at]}; }

static inline void linear(const Number *xs, int inputs, int matrix, int outputs, Number *ys)
{
    for (int o = 0; o < outputs; o++) {
        Number sum = mul(weight(matrix + o * inputs), xs[0]);
        for (int i = 1; i < inputs; i++)
            sum = add(sum, mul(weight(matrix + o * inputs + i), xs[i]));
        ys[o] = sum;
    }
}

static void normalised(const Number *xs, Number *ys)
{
    Number sum = mul(xs[0], xs[0]);
    for (int i = 1; i < WIDTH; i++)
        sum = add(sum, mul(xs[i], xs[i]));
    Number factor = inverse_root(shift(scale(sum, 1.0 / WIDTH), EPSILON));
    for (int i = 0; i < WIDTH; i++)
        ys[i] = mul(xs[i], factor);
}

static void softmax(const Number *xs, int count, Number *ys)
{
    double top = xs[0].x;
    for (int i = 1; i < count; i++)
        top = xs[i].x > top ? xs[i].x : top;
    for (int i = 0; i < count; i++)
        ys[i] = exponential(shift(xs[i], -top));
    Number total = ys[0];
    for (int i = 1; i < count; i++)
        total = add(total, ys[i]);
    for (int i = 0; i < count; i++)
        ys[i] = divide(ys[i], total);
}

static Number loss_of(const int *tokens)
{
    Number keys[POSITIONS][WIDTH], values[POSITIONS][WIDTH], losses = {0, 0.0};
    for (int t = 0; t < POSITIONS; t++) {
        Number x[WIDTH], before[WIDTH], query[WIDTH], found[WIDTH], wide[WIDE], guesses[VOCABULARY];
        for (int i = 0; i < WIDTH; i++)
            x[i] = add(weight(TOKENS + tokens[t] * WIDTH + i), weight(PLACES + t * WIDTH + i));
        normalised(x, before);
        normalised(before, x);
        linear(x, WIDTH, QUERY, WIDTH, query);
        linear(x, WIDTH, KEY, WIDTH, keys[t]);
        linear(x, WIDTH, VALUE, WIDTH, values[t]);
        for (int start = 0; start < WIDTH; start += HEAD) {
            Number shares[POSITIONS];
            for (int u = 0; u <= t; u++) {
                Number sum = mul(query[start], keys[u][start]);
                for (int j = start + 1; j < start + HEAD; j++)
                    sum = add(sum, mul(query[j], keys[u][j]));
                shares[u] = scale(sum, 0.5); /* the root of HEAD */
            }
            softmax(shares, t + 1, shares);
            for (int j = start; j < start + HEAD; j++) {
                Number sum = mul(shares[0], values[0][j]);
                for (int u = 1; u <= t; u++)
                    sum = add(sum, mul(shares[u], values[u][j]));
                found[j] = sum;
            }
        }
        linear(found, WIDTH, ATTENDED, WIDTH, x);
        for (int i = 0; i < WIDTH; i++)
            before[i] = add(x[i], before[i]);
        normalised(before, x);
        linear(x, WIDTH, UP, WIDE, wide);
        for (int i = 0; i < WIDE; i++)
            wide[i] = relu(wide[i]);
        linear(wide, WIDE, DOWN, WIDTH, x);
        for (int i = 0; i < WIDTH; i++)
            x[i] = add(x[i], before[i]);
        linear(x, WIDTH, LOGITS, VOCABULARY, guesses);
        softmax(guesses, VOCABULARY, guesses);
        Number loss = scale(logarithm(guesses[tokens[t + 1]]), -1.0);
        losses = t ? add(losses, loss) : loss;
    }
    return scale(losses, 1.0 / POSITIONS);
}

double gradient(Learner *learner, const int *tokens, int batch)
{
    memcpy(data, learner->weights, sizeof(double) * WEIGHTS);
    memset(grad, 0, sizeof(double) * WEIGHTS);
    double loss = 0.0;
    for (int sample = 0; sample < batch; sample++) {
        used = WEIGHTS;
        Number found = loss_of(tokens + sample * (POSITIONS + 1));
        walk_back(found.node);
        loss += found.x;
    }
    for (int i = 0; i < WEIGHTS; i++)
        learner->gradient[i] = grad[i] / batch;
    return loss / batch;
}

/* How many nodes a step makes, the weights among them. */
int nodes(void) { return used; }
