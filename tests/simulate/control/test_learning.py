"""What the paper shows of QRC and QC with networks, as far as a few runs settle it."""

from __future__ import annotations

import numpy as np
import pytest

from simulate.control.settings import settings
from simulate.control.summary import late, overall, stuck
from simulate.control.training import train

RUNS = range(16)


@pytest.mark.slow
def test_on_mountain_car_qrc_is_ahead_of_qc_whose_h_grows():
    qrc, qc = (train(settings("mountain-car", name, alpha="1/1024"), RUNS) for name in ("qrc", "qc"))
    assert overall(qrc).mean() < overall(qc).mean()
    assert stuck(qrc).sum() <= 1
    between = (qrc.updates > 4000) & (qrc.updates <= 20_000)
    for run in RUNS:
        assert qrc.h_norm[run][between].mean() < qrc.h_norm[run][0]
        free = qc.h_norm[run][np.isfinite(qc.h_norm[run])]
        assert free[-10:].mean() > 1.2 * free[9]
    assert np.nanmean(qc.largest_value[:, -50:]) > np.nanmean(qrc.largest_value[:, -50:])


@pytest.mark.slow
def test_on_cart_pole_qrc_learns_to_balance():
    history = train(settings("cart-pole", "qrc", steps=30_000), range(8))
    first = np.array([returns[:20].mean() for returns in history.returns])
    assert late(history).mean() > 4 * first.mean()
