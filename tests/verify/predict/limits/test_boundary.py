"""The polynomial of the boundary is looked for in the smallest invariant space, which a prime guides."""

from __future__ import annotations

import random
from types import SimpleNamespace

import flint
import pytest

from verify.check import Proof
from verify.predict.limits import boundary
from verify.predict.limits.limit import step_size_limits
from verify.predict.prediction import prepared


@pytest.mark.parametrize("n", [1, 2, 7, 13, 16, 23, 24, 40])
@pytest.mark.parametrize("modes", [1, 3])
def test_random_functionals_tell_as_many_symmetric_blocks_apart_as_there_may_be_words(n, modes):
    most = 140
    sample = boundary._sample(SimpleNamespace(n=n, modes=modes), most)
    draw, zero = random.Random(n), [[0] * n for _ in range(n)]
    units = []
    for mode in range(modes):
        for i in range(n):
            for j in range(i, n):
                table = [row.copy() for row in zero]
                table[i][j] = table[j][i] = 1
                units.append([flint.nmod_mat(table if m == mode else zero, boundary.PRIME) for m in range(modes)])
    some = draw.sample(units, min(len(units), most + 1))
    values = [[int(value) for value in sample(blocks)] for blocks in some]
    assert flint.nmod_mat(values, boundary.PRIME).rank() == len(some)


def test_a_mean_whose_invariant_space_is_everything_has_an_exact_limit():
    limits = step_size_limits(prepared("five-state", "td"))
    assert [limits.mean.proof, limits.mean_square.proof] == [Proof.EXACT, Proof.EXACT]
