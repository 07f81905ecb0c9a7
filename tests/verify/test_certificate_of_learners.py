"""Certificates of every built-in learner, whatever its weights are."""

import pytest

from tdrc_theory import ALGORITHMS
from verify.certificate import certificate
from verify.check_certificate import check
from verify.conditions import check_conditions

OF_STATES = [a for a in ALGORITHMS if not a.for_action_values]


@pytest.mark.quick(15)
@pytest.mark.parametrize("problem", ["random-walk-tabular", "baird"])
@pytest.mark.parametrize("algorithm", OF_STATES, ids=lambda a: a.name)
def test_every_learner_has_a_certificate(algorithm, problem):
    """Along episodes too. Differential TD has one weight more than features, momentum three times as many."""
    report = check_conditions(problem, algorithm)
    document = certificate(report)
    check(document)
    assert document["claim"]["verdict"] == report.verdict.status.value
    assert len(document["claim"]["G"]) == algorithm.size(report.problem.k)
