"""Hypothesis strategies over the kinds of random problems; only tests import this, so hypothesis stays optional."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st

from tdrc_theory.problem import Problem
from verify.random.generators import KINDS, Kind, Size


def sizes(*, states: int = 5, features: int = 3, actions: int = 3, branching: int = 3) -> st.SearchStrategy[Size]:
    """Return sizes up to the given ones; what fails shrinks towards 1."""
    return st.builds(
        Size,
        states=st.integers(1, states),
        features=st.integers(1, features),
        actions=st.integers(1, actions),
        branching=st.integers(1, branching),
    )


@st.composite
def problems(draw: st.DrawFn, kinds: Sequence[Kind] = KINDS, **largest: int) -> Problem:
    """Return a problem of one of the kinds, its name telling the seed; sizes as in `sizes`, or what the kind needs."""
    kind = draw(st.sampled_from(kinds))
    size = draw(sizes(**largest))
    enough = Size(
        states=max(size.states, kind.least_states),
        features=max(size.features, kind.least_features),
        actions=size.actions,
        branching=size.branching,
    )
    return kind(enough, draw(st.integers(0, 2**32 - 1)))


def parameters() -> st.SearchStrategy[Fraction]:
    """Return positive fractions for beta or eta, small and large."""
    return st.builds(Fraction, st.integers(1, 40), st.sampled_from([1, 2, 7, 50]))
