"""An exact setting whose matrices are past exact arithmetic, enclosed in doubles."""

from __future__ import annotations

import flint
import numpy as np

from tdrc_theory.learner.key_update import Block, Key3, KeyUpdate, combined
from verify.conditions.setting import Setting
from verify.scale.ball import Ball
from verify.scale.verdict import EnclosedUpdate


def enclosed(setting: Setting) -> EnclosedUpdate:
    """Return a setting's update, every entry within half a unit in the last place where it is rational.

    Raises:
        BadNumber: an entry is past the largest double.
    """
    A, b, _ = setting.equation
    if setting.form is None:
        of_A, (G, g) = Ball.of(A), map(Ball.of, setting.update)
    else:
        blocks = _Blocks(setting.form, setting.key)
        of_A = blocks.of({"A": flint.fmpq(1)}) if A is setting.key.A else Ball.of(A)
        G, g = blocks.G(), blocks.g()
    return EnclosedUpdate(
        G=G,
        g=g,
        A=of_A,
        b=Ball.of(b),
        td_rows=setting.has_td_rows,
        own_fixed_points=setting.algorithm.own_fixed_points,
    )


class _Blocks:
    """The blocks of G and g, each exact, and enclosed once: G as a whole would be many more exact numbers."""

    def __init__(self, form: KeyUpdate, key: Key3) -> None:
        self._form, self._key, self._k = form, key, key[0].shape[0]
        self._kept: dict[frozenset[tuple[str, flint.fmpq]], Ball] = {}

    def of(self, block: Block) -> Ball:
        """Return a sum of A, A^T, C and I, of which the negative may be known."""
        if not block:
            return Ball.exact(np.zeros((self._k, self._k)))
        turned = next(iter(block.values())) < 0
        positive = {name: -factor for name, factor in block.items()} if turned else block
        which = frozenset(positive.items())
        if which not in self._kept:
            self._kept[which] = Ball.of(combined(positive, self._key))
        return -self._kept[which] if turned else self._kept[which]

    def G(self) -> Ball:
        """Return G."""
        form = self._form
        return Ball.block(
            [[self.of(form.blocks.get((row, column), {})) for column in form.names] for row in form.names]
        )

    def g(self) -> Ball:
        """Return g."""
        return Ball.block([[Ball.of(self._key[1] * self._form.constants.get(row, 0))] for row in self._form.names])
