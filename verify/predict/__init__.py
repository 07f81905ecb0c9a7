"""Predictions: learning curves and step-size limits, before anything is run.

With a constant step size an algorithm is a linear recursion driven by a Markov chain or by independent samples, so
that the first and second moments of its weights obey linear recursions of their own: a Markov jump linear system
(Costa, Fragoso and Marques, Discrete-Time Markov Jump Linear Systems, 2005; for TD: Hu and Syed, 2019).
"""

import verify.blas_threads  # before NumPy
import verify.predict.report  # noqa: F401 - how results are shown
from verify.predict.first_order import FirstOrder, first_order
from verify.predict.limits.limit import Limit, Limits, limits
from verify.predict.prediction import Prediction, predict

__all__ = ["FirstOrder", "Limit", "Limits", "Prediction", "first_order", "limits", "predict"]
