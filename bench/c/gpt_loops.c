/* The small GPT in ordinary loops, its gradients derived by hand.
 *
 * The slopes are those of by_hand.py, as in gpt_vectors.c, which says the same in vector types.  Here a matrix
 * of activations has a row per position, as one would write it down, and there are nothing but loops over
 * arrays of constant sizes: what of it runs on vectors is the compiler's affair.  Where an order of loops lets
 * the innermost one run over numbers side by side without reordering a sum, that order is taken.
 */
#include "gpt.h"

/* ---- steps, and their slopes --------------------------------------------------------------------- */

/* y[t][o] is the sum over i of w[o][i] x[t][i].  x is turned first: then the innermost loop runs across
 * positions. */
static inline void linear(int outputs, int inputs, const double *restrict w, const double *restrict x,
                          double *restrict y)
{
    double turned[POSITIONS * WIDE];
    for (int t = 0; t < POSITIONS; t++)
        for (int i = 0; i < inputs; i++)
            turned[i * POSITIONS + t] = x[t * inputs + i];
    for (int o = 0; o < outputs; o++) {
        double sums[POSITIONS] = {0.0};
        for (int i = 0; i < inputs; i++)
            for (int t = 0; t < POSITIONS; t++)
                sums[t] += w[o * inputs + i] * turned[i * POSITIONS + t];
        for (int t = 0; t < POSITIONS; t++)
            y[t * outputs + o] = sums[t];
    }
}

/* dx += dy w and dw += dyT x */
static inline void linear_back(int outputs, int inputs, const double *restrict w, const double *restrict x,
                               const double *restrict dy, double *restrict dx, double *restrict dw)
{
    for (int t = 0; t < POSITIONS; t++) {
        double sums[WIDE];
        for (int i = 0; i < inputs; i++)
            sums[i] = dx[t * inputs + i];
        for (int o = 0; o < outputs; o++)
            for (int i = 0; i < inputs; i++)
                sums[i] += dy[t * outputs + o] * w[o * inputs + i];
        for (int i = 0; i < inputs; i++)
            dx[t * inputs + i] = sums[i];
    }
    for (int o = 0; o < outputs; o++) {
        double sums[WIDE];
        for (int i = 0; i < inputs; i++)
            sums[i] = dw[o * inputs + i];
        for (int t = 0; t < POSITIONS; t++)
            for (int i = 0; i < inputs; i++)
                sums[i] += dy[t * outputs + o] * x[t * inputs + i];
        for (int i = 0; i < inputs; i++)
            dw[o * inputs + i] = sums[i];
    }
}

/* y = s x with s = (mean(x^2) + EPSILON)^-1/2, position by position. */
static void normalised(const double *restrict x, double *restrict y, double *restrict s)
{
    for (int t = 0; t < POSITIONS; t++) {
        double squares = 0.0;
        for (int i = 0; i < WIDTH; i++)
            squares += x[t * WIDTH + i] * x[t * WIDTH + i];
        s[t] = 1.0 / sqrt(squares / WIDTH + EPSILON);
        for (int i = 0; i < WIDTH; i++)
            y[t * WIDTH + i] = x[t * WIDTH + i] * s[t];
    }
}

/* dx += s (dy - y mean(y dy)) */
static void normalised_back(const double *restrict dy, const double *restrict y, const double *restrict s,
                            double *restrict dx)
{
    for (int t = 0; t < POSITIONS; t++) {
        double along = 0.0;
        for (int i = 0; i < WIDTH; i++)
            along += y[t * WIDTH + i] * dy[t * WIDTH + i];
        along /= WIDTH;
        for (int i = 0; i < WIDTH; i++)
            dx[t * WIDTH + i] += s[t] * (dy[t * WIDTH + i] - y[t * WIDTH + i] * along);
    }
}

/* Scores to shares that add up to one. */
static void softmax(int count, double *x)
{
    double top = x[0], total = 0.0;
    for (int i = 1; i < count; i++)
        top = x[i] > top ? x[i] : top;
    for (int i = 0; i < count; i++)
        total += x[i] = exp(x[i] - top);
    for (int i = 0; i < count; i++)
        x[i] *= 1.0 / total;
}

/* ---- attention: shares[h][t][u] is how much position t takes of position u <= t ------------------- */

typedef double Shares[HEADS][POSITIONS][POSITIONS];

static void attend(const double *restrict query, const double *restrict key, const double *restrict value,
                   Shares shares, double *restrict found)
{
    for (int h = 0; h < HEADS; h++)
        for (int t = 0; t < POSITIONS; t++) {
            double *mine = shares[h][t], sums[HEAD] = {0.0};
            for (int u = 0; u <= t; u++) {
                double score = 0.0;
                for (int j = 0; j < HEAD; j++)
                    score += query[t * WIDTH + h * HEAD + j] * key[u * WIDTH + h * HEAD + j];
                mine[u] = 0.5 * score; /* by the root of HEAD */
            }
            softmax(t + 1, mine);
            for (int u = 0; u <= t; u++)
                for (int j = 0; j < HEAD; j++)
                    sums[j] += mine[u] * value[u * WIDTH + h * HEAD + j];
            for (int j = 0; j < HEAD; j++)
                found[t * WIDTH + h * HEAD + j] = sums[j];
        }
}

/* dquery, dkey and dvalue are 0 before. */
static void attend_back(const double *restrict dfound, const double *restrict query,
                        const double *restrict key, const double *restrict value, const Shares shares,
                        double *restrict dquery, double *restrict dkey, double *restrict dvalue)
{
    for (int h = 0; h < HEADS; h++)
        for (int t = 0; t < POSITIONS; t++) {
            const double *mine = shares[h][t], *slope = dfound + t * WIDTH + h * HEAD;
            double dshares[POSITIONS], along = 0.0;
            for (int u = 0; u <= t; u++) {
                double sum = 0.0;
                for (int j = 0; j < HEAD; j++)
                    sum += slope[j] * value[u * WIDTH + h * HEAD + j];
                dshares[u] = sum;
                along += sum * mine[u];
            }
            for (int u = 0; u <= t; u++) {
                double dscore = 0.5 * mine[u] * (dshares[u] - along);
                for (int j = 0; j < HEAD; j++) {
                    dvalue[u * WIDTH + h * HEAD + j] += mine[u] * slope[j];
                    dquery[t * WIDTH + h * HEAD + j] += dscore * key[u * WIDTH + h * HEAD + j];
                    dkey[u * WIDTH + h * HEAD + j] += dscore * query[t * WIDTH + h * HEAD + j];
                }
            }
        }
}

/* ---- one name ------------------------------------------------------------------------------------- */

enum { NUMBERS = POSITIONS * WIDTH };

static double one(const double *restrict w, double *restrict dw, const int *tokens)
{
    double sum[NUMBERS], before[NUMBERS], x[NUMBERS], query[NUMBERS], key[NUMBERS], value[NUMBERS];
    double found[NUMBERS], middle[NUMBERS], y[NUMBERS], wide[POSITIONS * WIDE], last[NUMBERS];
    double guesses[POSITIONS * VOCABULARY], s_before[POSITIONS], s_x[POSITIONS], s_y[POSITIONS];
    Shares shares;

    for (int t = 0; t < POSITIONS; t++)
        for (int i = 0; i < WIDTH; i++)
            sum[t * WIDTH + i] = w[TOKENS + tokens[t] * WIDTH + i] + w[PLACES + t * WIDTH + i];
    normalised(sum, before, s_before);
    normalised(before, x, s_x);
    linear(WIDTH, WIDTH, w + QUERY, x, query);
    linear(WIDTH, WIDTH, w + KEY, x, key);
    linear(WIDTH, WIDTH, w + VALUE, x, value);
    attend(query, key, value, shares, found);
    linear(WIDTH, WIDTH, w + ATTENDED, found, middle);
    for (int i = 0; i < NUMBERS; i++)
        middle[i] += before[i];
    normalised(middle, y, s_y);
    linear(WIDE, WIDTH, w + UP, y, wide);
    for (int i = 0; i < POSITIONS * WIDE; i++)
        wide[i] = wide[i] > 0.0 ? wide[i] : 0.0;
    linear(WIDTH, WIDE, w + DOWN, wide, last);
    for (int i = 0; i < NUMBERS; i++)
        last[i] += middle[i];
    linear(VOCABULARY, WIDTH, w + LOGITS, last, guesses);

    /* The log of a softmax: its slope is p - [wanted]. */
    double loss = 0.0;
    for (int t = 0; t < POSITIONS; t++) {
        double *mine = guesses + t * VOCABULARY;
        softmax(VOCABULARY, mine);
        loss -= log(mine[tokens[t + 1]]);
        mine[tokens[t + 1]] -= 1.0;
        for (int v = 0; v < VOCABULARY; v++)
            mine[v] *= 1.0 / POSITIONS;
    }

    /* The way back; dx is the slope of the loss by x, and guesses has become that of the logits. */
    double dlast[NUMBERS] = {0.0}, dwide[POSITIONS * WIDE] = {0.0}, dy[NUMBERS] = {0.0},
           dsum[NUMBERS] = {0.0};
    double dquery[NUMBERS] = {0.0}, dkey[NUMBERS] = {0.0}, dvalue[NUMBERS] = {0.0}, dx[NUMBERS] = {0.0};
    double dfound[NUMBERS] = {0.0};
    linear_back(VOCABULARY, WIDTH, w + LOGITS, last, guesses, dlast, dw + LOGITS);
    linear_back(WIDTH, WIDE, w + DOWN, wide, dlast, dwide, dw + DOWN);
    for (int i = 0; i < POSITIONS * WIDE; i++)
        dwide[i] = wide[i] > 0.0 ? dwide[i] : 0.0;
    linear_back(WIDE, WIDTH, w + UP, y, dwide, dy, dw + UP);
    normalised_back(dy, y, s_y, dlast); /* dlast is dmiddle from here on */
    linear_back(WIDTH, WIDTH, w + ATTENDED, found, dlast, dfound, dw + ATTENDED);
    attend_back(dfound, query, key, value, (const double (*)[POSITIONS][POSITIONS])shares, dquery, dkey,
                dvalue);
    linear_back(WIDTH, WIDTH, w + QUERY, x, dquery, dx, dw + QUERY);
    linear_back(WIDTH, WIDTH, w + KEY, x, dkey, dx, dw + KEY);
    linear_back(WIDTH, WIDTH, w + VALUE, x, dvalue, dx, dw + VALUE);
    normalised_back(dx, x, s_x, dlast); /* dlast is dbefore from here on */
    normalised_back(dlast, before, s_before, dsum);
    for (int t = 0; t < POSITIONS; t++)
        for (int i = 0; i < WIDTH; i++) {
            dw[TOKENS + tokens[t] * WIDTH + i] += dsum[t * WIDTH + i];
            dw[PLACES + t * WIDTH + i] += dsum[t * WIDTH + i];
        }
    return loss / POSITIONS;
}

double gradient(Learner *learner, const int *tokens, int batch)
{
    double loss = 0.0;
    memset(learner->gradient, 0, sizeof(double) * WEIGHTS);
    for (int sample = 0; sample < batch; sample++)
        loss += one(learner->weights, learner->gradient, tokens + sample * (POSITIONS + 1));
    if (batch > 1)
        for (int i = 0; i < WEIGHTS; i++)
            learner->gradient[i] /= batch;
    return loss / batch;
}
