"""What the paper shows of QRC and QC with networks, as far as a few runs settle it."""

from __future__ import annotations

import numpy as np
import pytest

from simulate.control.history import late, overall, stuck
from simulate.control.settings import settings
from simulate.control.training import train

RUNS = range(16)


def clearly_positive(values: np.ndarray) -> bool:
    """Return whether the mean over runs is over 4 standard errors above 0.

    A network's runs differ between processors from some update on, so what is asked is asked of all runs together.
    """
    return bool(values.mean() > 4 * values.std(ddof=1) / np.sqrt(len(values)))


@pytest.mark.slow
def test_on_mountain_car_qrc_is_ahead_of_qc_whose_h_grows():
    qrc, qc = (train(settings("mountain-car", name, alpha="1/1024"), RUNS) for name in ("qrc", "qc"))
    assert overall(qrc).mean() < overall(qc).mean()
    assert stuck(qrc).sum() <= 1
    between = (qrc.updates > 4000) & (qrc.updates <= 20_000)
    shrunk = np.log(qrc.h_norm[:, 0] / qrc.h_norm[:, between].mean(axis=1))
    finite = [norms[np.isfinite(norms)] for norms in qc.h_norm]
    grown = np.log([norms[-10:].mean() / norms[9] for norms in finite])
    assert clearly_positive(shrunk)
    assert clearly_positive(grown)
    assert np.nanmean(qc.largest_value[:, -50:]) > np.nanmean(qrc.largest_value[:, -50:])


@pytest.mark.slow
def test_on_cart_pole_qrc_learns_to_balance():
    history = train(settings("cart-pole", "qrc", steps=30_000), range(8))
    first = np.array([returns[:20].mean() for returns in history.returns])
    assert late(history).mean() > 4 * first.mean()
