/* Learners with a trace and a constant step size, one configuration, RMSPBE after every update: what the kernels are
 * measured against. error holds steps numbers, residual rows x k, offset rows; weights and memory are changed in place. Row
 * `ended` of features is where an episode has ended. */
#include <math.h>
#include <stdint.h>
#include <string.h>

struct run {
    int64_t steps, k, rows, ended;
    const int64_t *s, *s_next;
    const double *rho, *reward, *features;
    double gamma;
    const double *residual, *offset;
    double alpha, eta, beta, lam;
    double *w, *h, *e, *error;
};

static double rmspbe(const struct run *r)
{
    double square = 0;
    for (int64_t j = 0; j < r->rows; j++) {
        double rest = r->offset[j];
        for (int64_t i = 0; i < r->k; i++)
            rest -= r->residual[j * r->k + i] * r->w[i];
        square += rest * rest;
    }
    return sqrt(square);
}

void tdrc_lambda(const struct run *r)
{
    double *restrict w = r->w, *restrict h = r->h, *restrict e = r->e;
    for (int64_t t = 0; t < r->steps; t++) {
        const double *x = r->features + r->s[t] * r->k, *x_next = r->features + r->s_next[t] * r->k;
        double delta = r->reward[t], h_x = 0, h_e = 0;
        if (t == 0 || r->s_next[t - 1] == r->ended)
            memset(e, 0, r->k * sizeof *e);
        for (int64_t i = 0; i < r->k; i++) {
            e[i] = r->rho[t] * (r->gamma * r->lam * e[i] + x[i]);
            delta += (r->gamma * x_next[i] - x[i]) * w[i];
            h_x += h[i] * x[i];
            h_e += h[i] * e[i];
        }
        for (int64_t i = 0; i < r->k; i++) {
            double dw = delta * e[i] - r->gamma * (1 - r->lam) * h_e * x_next[i];
            double dh = delta * e[i] - h_x * x[i] - r->beta * h[i];
            w[i] += r->alpha * dw;
            h[i] += r->alpha * r->eta * dh;
        }
        r->error[t] = rmspbe(r);
    }
}

void emphatic_td(const struct run *r)
{
    double *restrict w = r->w, *restrict e = r->e, follow_on = 0, rho_before = 1;
    for (int64_t t = 0; t < r->steps; t++) {
        const double *x = r->features + r->s[t] * r->k, *x_next = r->features + r->s_next[t] * r->k;
        double delta = r->reward[t];
        if (t == 0 || r->s_next[t - 1] == r->ended) {
            memset(e, 0, r->k * sizeof *e);
            follow_on = 0;
            rho_before = 1;
        }
        follow_on = rho_before * r->gamma * follow_on + 1;
        double emphasis = r->lam + (1 - r->lam) * follow_on;
        for (int64_t i = 0; i < r->k; i++)
            delta += (r->gamma * x_next[i] - x[i]) * w[i];
        for (int64_t i = 0; i < r->k; i++) {
            e[i] = r->rho[t] * (r->gamma * r->lam * e[i] + emphasis * x[i]);
            w[i] += r->alpha * delta * e[i];
        }
        rho_before = r->rho[t];
        r->error[t] = rmspbe(r);
    }
}
