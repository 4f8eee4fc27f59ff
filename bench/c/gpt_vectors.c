/* The small GPT in loops, its gradients derived by hand: what C without a library can do.
 *
 * Nothing here differentiates: the slopes are those of by_hand.py.  A matrix of activations has a row per
 * feature and a column per position, with the positions filled up to a whole vector (PADDED), so that the
 * innermost loops run across positions, over numbers side by side, and no sum has to be reordered to be
 * computed eight at a time.  What fills up is 0 and stays 0.  Sizes are constants, loops over outputs are
 * blocked by four, and nothing is allocated.
 */
#include "gpt.h"

enum { PADDED = (POSITIONS + 7) / 8 * 8, FOUR = 4 };

typedef double Row __attribute__((vector_size(PADDED * sizeof(double))));

typedef double Whole __attribute__((vector_size(WIDTH * sizeof(double)))); /* all features of a position */
typedef long long Mask __attribute__((vector_size(PADDED * sizeof(long long)))); /* of a comparison */

/* Number by number: the larger one; x where the other number is above 0, else 0. */
#define LARGER(x, y) ((Row)((((Mask)(x)) & ((x) > (y))) | (((Mask)(y)) & ~((x) > (y)))))
#define ABOVE(other, x) ((Row)(((Mask)(x)) & ((other) > 0.0)))

/* ---- steps, and their slopes --------------------------------------------------------------------- */

/* y = w x: y[o][t] is the sum over i of w[o][i] x[i][t]. */
static inline void linear(int outputs, int inputs, const double *restrict w, const Row *restrict x,
                          Row *restrict y)
{
    int left = outputs % FOUR;
    for (int o = 0; o < outputs - left; o += FOUR) {
        Row sums[FOUR] = {{0.0}};
        for (int i = 0; i < inputs; i++)
            for (int k = 0; k < FOUR; k++)
                sums[k] += w[(o + k) * inputs + i] * x[i];
        for (int k = 0; k < FOUR; k++)
            y[o + k] = sums[k];
    }
    for (int o = outputs - left; o < outputs; o++) {
        Row sum = {0.0};
        for (int i = 0; i < inputs; i++)
            sum += w[o * inputs + i] * x[i];
        y[o] = sum;
    }
}

/* dx += wT dy */
static inline void linear_back(int outputs, int inputs, const double *restrict w, const Row *restrict dy,
                               Row *restrict dx)
{
    for (int i = 0; i < inputs; i += FOUR) {
        Row sums[FOUR];
        for (int k = 0; k < FOUR; k++)
            sums[k] = dx[i + k];
        for (int o = 0; o < outputs; o++)
            for (int k = 0; k < FOUR; k++)
                sums[k] += w[o * inputs + i + k] * dy[o];
        for (int k = 0; k < FOUR; k++)
            dx[i + k] = sums[k];
    }
}

/* dw += dy xT; `x_by_position` has a row per position, so that a row of dw is a sum of such rows. */
static inline void weights_back(int outputs, int inputs, const Row *restrict dy,
                                const double *restrict x_by_position, double *restrict dw)
{
    for (int start = 0; start < inputs; start += WIDTH) {
        Whole x[POSITIONS];
        for (int t = 0; t < POSITIONS; t++)
            memcpy(x + t, x_by_position + t * inputs + start, sizeof *x);
        for (int o = 0; o < outputs; o++) {
            Whole sum;
            memcpy(&sum, dw + o * inputs + start, sizeof sum);
            for (int t = 0; t < POSITIONS; t++)
                sum += dy[o][t] * x[t];
            memcpy(dw + o * inputs + start, &sum, sizeof sum);
        }
    }
}

static inline void by_position(int features, const Row *restrict x, double *restrict y)
{
    for (int t = 0; t < POSITIONS; t++)
        for (int i = 0; i < features; i++)
            y[t * features + i] = x[i][t];
}

/* y = s x with s = (mean(x^2) + EPSILON)^-1/2, position by position. */
static inline void normalised(const Row *restrict x, Row *restrict y, Row *restrict s)
{
    Row squares = {0.0};
    for (int i = 0; i < WIDTH; i++)
        squares += x[i] * x[i];
    for (int t = 0; t < PADDED; t++)
        (*s)[t] = 1.0 / sqrt(squares[t] * (1.0 / WIDTH) + EPSILON);
    for (int i = 0; i < WIDTH; i++)
        y[i] = x[i] * *s;
}

/* dx += s (dy - y mean(y dy)) */
static inline void normalised_back(const Row *restrict dy, const Row *restrict y, const Row *restrict s,
                                   Row *restrict dx)
{
    Row along = {0.0};
    for (int i = 0; i < WIDTH; i++)
        along += y[i] * dy[i];
    along *= 1.0 / WIDTH;
    for (int i = 0; i < WIDTH; i++)
        dx[i] += *s * (dy[i] - y[i] * along);
}

/* The sum across positions, by halves. */
static inline double across(const Row *x)
{
    double halves[PADDED];
    memcpy(halves, x, sizeof halves);
    for (int half = PADDED / 2; half; half /= 2)
        for (int t = 0; t < half; t++)
            halves[t] += halves[t + half];
    return halves[0];
}

/* ---- attention: shares[u][t] is how much position t takes of position u <= t, for one head -------- */

static inline void attend(const Row *restrict query, const Row *restrict key, const Row *restrict value,
                          Row *restrict shares, Row *restrict found)
{
    Row top = key[0][0] * query[0], total = {0.0}, sums[HEAD] = {{0.0}};
    for (int u = 0; u < POSITIONS; u++) {
        Row scores = {0.0};
        for (int j = 0; j < HEAD; j++)
            scores += key[j][u] * query[j];
        for (int t = 0; t < u; t++)
            scores[t] = -INFINITY; /* nobody looks ahead */
        shares[u] = 0.5 * scores;  /* by the root of HEAD */
        top = u ? LARGER(shares[u], top) : shares[u];
    }
    for (int u = 0; u < POSITIONS; u++) {
        Row scores = shares[u] - top, powers = {0.0};
        for (int t = u; t < POSITIONS; t++)
            powers[t] = exp(scores[t]);
        shares[u] = powers;
        total += powers;
    }
    for (int t = POSITIONS; t < PADDED; t++)
        total[t] = 1.0;
    total = 1.0 / total;
    for (int u = 0; u < POSITIONS; u++) {
        shares[u] *= total;
        for (int j = 0; j < HEAD; j++)
            sums[j] += shares[u] * value[j][u];
    }
    for (int j = 0; j < HEAD; j++)
        found[j] = sums[j];
}

static inline void attend_back(const Row *restrict dfound, const Row *restrict query, const Row *restrict key,
                               const Row *restrict value, const Row *restrict shares, Row *restrict dquery,
                               Row *restrict dkey, Row *restrict dvalue)
{
    Row dshares[POSITIONS], along = {0.0}, sums[HEAD] = {{0.0}};
    for (int u = 0; u < POSITIONS; u++) {
        Row sum = {0.0};
        for (int j = 0; j < HEAD; j++)
            sum += value[j][u] * dfound[j];
        along += sum * shares[u];
        dshares[u] = sum;
    }
    for (int j = 0; j < HEAD; j++)
        dkey[j] = dvalue[j] = (Row){0.0};
    for (int u = 0; u < POSITIONS; u++) {
        Row dscores = 0.5 * shares[u] * (dshares[u] - along);
        for (int j = 0; j < HEAD; j++) {
            Row to_key = dscores * query[j], to_value = shares[u] * dfound[j];
            dkey[j][u] = across(&to_key);
            dvalue[j][u] = across(&to_value);
            sums[j] += dscores * key[j][u];
        }
    }
    for (int j = 0; j < HEAD; j++)
        dquery[j] = sums[j];
}

/* ---- one name ------------------------------------------------------------------------------------- */

static double one(const double *restrict w, double *restrict dw, const int *tokens)
{
    Row sum[WIDTH] = {{0.0}}, before[WIDTH], x[WIDTH], query[WIDTH], key[WIDTH], value[WIDTH];
    Row shares[HEADS][POSITIONS], found[WIDTH], middle[WIDTH], y[WIDTH], wide[WIDE], last[WIDTH];
    Row guesses[VOCABULARY], s_before, s_x, s_y;
    const Row zero = {0.0};
    double rows[POSITIONS * WIDE]; /* activations by position, for slopes of weights */

    for (int t = 0; t < POSITIONS; t++)
        for (int i = 0; i < WIDTH; i++)
            sum[i][t] = w[TOKENS + tokens[t] * WIDTH + i] + w[PLACES + t * WIDTH + i];
    normalised(sum, before, &s_before);
    normalised(before, x, &s_x);
    linear(WIDTH, WIDTH, w + QUERY, x, query);
    linear(WIDTH, WIDTH, w + KEY, x, key);
    linear(WIDTH, WIDTH, w + VALUE, x, value);
    for (int h = 0; h < HEADS; h++)
        attend(query + h * HEAD, key + h * HEAD, value + h * HEAD, shares[h], found + h * HEAD);
    linear(WIDTH, WIDTH, w + ATTENDED, found, middle);
    for (int i = 0; i < WIDTH; i++)
        middle[i] += before[i];
    normalised(middle, y, &s_y);
    linear(WIDE, WIDTH, w + UP, y, wide);
    for (int i = 0; i < WIDE; i++)
        wide[i] = ABOVE(wide[i], wide[i]);
    linear(WIDTH, WIDE, w + DOWN, wide, last);
    for (int i = 0; i < WIDTH; i++)
        last[i] += middle[i];
    linear(VOCABULARY, WIDTH, w + LOGITS, last, guesses);

    /* The log of a softmax: its slope is p - [wanted]. */
    Row top = guesses[0], total = zero;
    double loss = 0.0;
    for (int v = 1; v < VOCABULARY; v++)
        top = LARGER(guesses[v], top);
    for (int t = 0; t < POSITIONS; t++)
        loss += top[t] - guesses[tokens[t + 1]][t];
    for (int v = 0; v < VOCABULARY; v++) {
        Row scores = guesses[v] - top, powers = zero;
        for (int t = 0; t < POSITIONS; t++)
            powers[t] = exp(scores[t]);
        guesses[v] = powers;
        total += powers;
    }
    for (int t = 0; t < POSITIONS; t++)
        loss += log(total[t]);
    for (int t = POSITIONS; t < PADDED; t++)
        total[t] = 1.0;
    total = 1.0 / (POSITIONS * total);
    for (int v = 0; v < VOCABULARY; v++)
        guesses[v] *= total;
    for (int t = 0; t < POSITIONS; t++)
        guesses[tokens[t + 1]][t] -= 1.0 / POSITIONS;

    /* The way back; dx is the slope of the loss by x, and guesses has become that of the logits. */
    Row dlast[WIDTH] = {{0.0}}, dwide[WIDE] = {{0.0}}, dy[WIDTH] = {{0.0}}, dfound[WIDTH] = {{0.0}};
    Row dquery[WIDTH], dkey[WIDTH], dvalue[WIDTH], dx[WIDTH] = {{0.0}}, dsum[WIDTH] = {{0.0}};
    by_position(WIDTH, last, rows);
    weights_back(VOCABULARY, WIDTH, guesses, rows, dw + LOGITS);
    linear_back(VOCABULARY, WIDTH, w + LOGITS, guesses, dlast);
    by_position(WIDE, wide, rows);
    weights_back(WIDTH, WIDE, dlast, rows, dw + DOWN);
    linear_back(WIDTH, WIDE, w + DOWN, dlast, dwide);
    for (int i = 0; i < WIDE; i++)
        dwide[i] = ABOVE(wide[i], dwide[i]);
    by_position(WIDTH, y, rows);
    weights_back(WIDE, WIDTH, dwide, rows, dw + UP);
    linear_back(WIDE, WIDTH, w + UP, dwide, dy);
    normalised_back(dy, y, &s_y, dlast); /* dlast is dmiddle from here on */
    by_position(WIDTH, found, rows);
    weights_back(WIDTH, WIDTH, dlast, rows, dw + ATTENDED);
    linear_back(WIDTH, WIDTH, w + ATTENDED, dlast, dfound);
    for (int h = 0; h < HEADS; h++)
        attend_back(dfound + h * HEAD, query + h * HEAD, key + h * HEAD, value + h * HEAD, shares[h],
                    dquery + h * HEAD, dkey + h * HEAD, dvalue + h * HEAD);
    by_position(WIDTH, x, rows);
    weights_back(WIDTH, WIDTH, dquery, rows, dw + QUERY);
    weights_back(WIDTH, WIDTH, dkey, rows, dw + KEY);
    weights_back(WIDTH, WIDTH, dvalue, rows, dw + VALUE);
    linear_back(WIDTH, WIDTH, w + QUERY, dquery, dx);
    linear_back(WIDTH, WIDTH, w + KEY, dkey, dx);
    linear_back(WIDTH, WIDTH, w + VALUE, dvalue, dx);
    normalised_back(dx, x, &s_x, dlast); /* dlast is dbefore from here on */
    normalised_back(dlast, before, &s_before, dsum);
    by_position(WIDTH, dsum, rows);
    for (int t = 0; t < POSITIONS; t++)
        for (int i = 0; i < WIDTH; i++) {
            dw[TOKENS + tokens[t] * WIDTH + i] += rows[t * WIDTH + i];
            dw[PLACES + t * WIDTH + i] += rows[t * WIDTH + i];
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
