"""The eigenvalues of G as a picture: an update converges where all of them lie to the left of the imaginary axis."""

from __future__ import annotations

from tdrc_theory.figures.panel import COLOURS, Curve, Panel, Picture
from verify.conditions.setting import Setting


def eigenvalues_picture(setting: Setting, verdict: str) -> Picture:
    """Return the eigenvalues of G in the complex plane, in floats: the picture decides nothing."""
    import numpy as np

    result = np.linalg.eigvals(setting.update.G.to_float())
    reach = max(float(np.abs(result.imag).max(initial=0)), 0.5 * float(np.abs(result.real).max(initial=0)), 1e-3) * 1.1
    curves = [
        Curve("the imaginary axis", [0.0, 0.0], [-reach, reach], plain=True, colour=COLOURS[-1]),
        Curve("eigenvalues of G (float)", result.real.tolist(), result.imag.tolist(), marks=True),
    ]
    listed = ", ".join(f"{value:.4g}" for value in sorted(result, key=lambda value: -value.real)[:8])
    described = f"The eigenvalues of G, in floats, those with the largest real parts first: {listed}."
    return Picture(verdict, described, [Panel(curves, "real part", "imaginary part")])
