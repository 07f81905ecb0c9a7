/* TDRC with a constant step size, one configuration, RMSPBE after every update: what the kernels are measured against.
 * error holds steps numbers, residual rows x k, offset rows; w and h are changed in place. */
#include <math.h>
#include <stdint.h>

void tdrc(int64_t steps, int64_t k, int64_t rows, const int64_t *s, const int64_t *s_next, const double *rho,
          const double *reward, const double *features, double gamma, const double *residual, const double *offset,
          double alpha, double eta, double beta, double *w, double *h, double *error)
{
    for (int64_t t = 0; t < steps; t++) {
        const double *x = features + s[t] * k, *x_next = features + s_next[t] * k;
        double delta = reward[t], delta_hat = 0;
        for (int64_t i = 0; i < k; i++) {
            delta += (gamma * x_next[i] - x[i]) * w[i];
            delta_hat += x[i] * h[i];
        }
        for (int64_t i = 0; i < k; i++) {
            double dw = rho[t] * (delta * x[i] - gamma * delta_hat * x_next[i]);
            double dh = (rho[t] * delta - delta_hat) * x[i] - beta * h[i];
            w[i] += alpha * dw;
            h[i] += eta * alpha * dh;
        }
        double square = 0;
        for (int64_t j = 0; j < rows; j++) {
            double rest = offset[j];
            for (int64_t i = 0; i < k; i++)
                rest -= residual[j * k + i] * w[i];
            square += rest * rest;
        }
        error[t] = sqrt(square);
    }
}
