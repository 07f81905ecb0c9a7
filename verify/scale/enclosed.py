"""An exact setting whose matrices are past exact arithmetic, enclosed in doubles."""

from __future__ import annotations

from verify.conditions.setting import Setting
from verify.scale.ball import Ball
from verify.scale.verdict import EnclosedUpdate


def enclosed(setting: Setting) -> EnclosedUpdate:
    """Return a setting's update, every entry within half a unit in the last place where it is rational.

    Raises:
        BadNumber: an entry is past the largest double.
    """
    (A, b, _), (G, g) = setting.equation, setting.update
    return EnclosedUpdate(
        G=Ball.of(G),
        g=Ball.of(g),
        A=Ball.of(A),
        b=Ball.of(b),
        td_rows=setting.has_td_rows,
        own_fixed_points=setting.algorithm.own_fixed_points,
    )
