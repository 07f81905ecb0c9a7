"""A problem that several tests look at."""

import pytest

from tdrc_theory import Problem


@pytest.fixture(scope="session")
def turn():
    """Return two states in turn, gamma = 0, features 1 and 1/3: two steps multiply w by (1 - a)(1 - a/9)."""
    return Problem(
        name="turn",
        gamma=0,
        features=[[1], ["1/3"]],
        transitions=[(0, 0, 1, 1, 0), (1, 0, 0, 1, 0)],
        behaviour=[[1], [1]],
        target=[[1], [1]],
    )
