"""The independent check of what statements say: of problems, regions, hypotheses, updates and tables."""

from __future__ import annotations

import ast
import math
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from claim_facts import FACTS
from quantified import everywhere

from tdrc_theory.papers.claim import Kind as KindOfClaim
from tdrc_theory.problem.key_matrices import key_matrices
from verify.borkar_meyn import borkar_meyn
from verify.conditions import check_conditions
from verify.paper.facts import recheck as package
from verify.paper.facts.atoms import HYPOTHESES, PLAIN, Does, Expected, Is, Kind, Met, Plain, Run, SameFixedPoints
from verify.paper.facts.constant_steps import Settles
from verify.paper.facts.problems import SMALL, problem_named
from verify.paper.facts.quantities import Compared, Entry, SecondReward
from verify.paper.facts.recheck import algebra, identities, verdicts
from verify.paper.facts.recheck.algebra import Root, inverse, number, sign
from verify.paper.facts.recheck.updates import matrices
from verify.paper.facts.recheck.verdicts import does
from verify.region import region

FILES = sorted(Path(package.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_imports_nothing_of_the_rest_of_the_project(file):
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    ours = {name for name in names if name.split(".")[0] in ("tdrc_theory", "verify", "simulate", "reports")}
    assert all(name.startswith("verify.paper.facts.recheck") for name in ours)
    assert "flint" not in names


@pytest.mark.quick(20)
@pytest.mark.parametrize(
    "problem", ["two-state", "boyan", "random-walk-inverted", "random-walk-dependent", "baird", *SMALL]
)
@pytest.mark.parametrize("algorithm", ["td", "tdc", "tdrc", "htd", "gtd2", "vtrace", "tdc++"])
def test_it_agrees_with_the_verdicts_of_the_other_code(problem, algorithm):
    named = problem_named(problem)
    for beta, eta in ((1, 1), (0, "1/8"), ("1/5", 1), ("47/100", 1))[: 4 if named.problem.is_rational else 2]:
        result = check_conditions(named.problem, algorithm, beta=beta, eta=eta).verdict
        assert does(named.plain, (algorithm, Fraction(beta), Fraction(eta))) == result.status.value


@pytest.mark.parametrize(
    "problem",
    [
        *("two-state", "boyan", "random-walk-tabular", *SMALL),
        *(
            pytest.param(name, marks=pytest.mark.thorough)
            for name in ("random-walk-inverted", "random-walk-dependent", "baird")
        ),
    ],
)
def test_it_agrees_on_every_atom_that_it_knows(problem):
    atoms = [
        *(Is(matrix, kind) for matrix in "AC" for kind in Kind),
        *(Is("C_beta^-1 A", kind, beta=beta) for kind in Kind for beta in (0, 1)),
        *(SameFixedPoints(Run(*run)) for run in (("td",), ("vtrace",), ("tdrc", Fraction(47, 100), 1), ("tdrc", 1, 1))),
        *(Settles(Run("td"), Fraction(n, 4)) for n in (1, 4, 8)),
        *(Settles(Run("tdrc", 1, 1), Fraction(n, 4)) for n in (1, 3)),
        *(Plain(name) for name in PLAIN),
        *(
            Met(check, Run("tdrc", *run))
            for check in HYPOTHESES
            for run in ((1, 1), (0, Fraction(1, 8)), (Fraction(1, 1000), 2))
        ),
        Compared(SecondReward("behaviour"), "=", SecondReward("target")),
        Compared(Entry("A"), "<", Entry("C")),
    ]
    scope = {"problem": problem}
    known = {str(atom): (atom.truth(scope).value, atom.recheck(scope)) for atom in atoms}
    assert {name: pair for name, pair in known.items() if None not in pair and pair[0] is not pair[1]} == {}
    assert sum(again is not None for _, again in known.values()) > 0.8 * len(known)


def test_a_refutation_that_the_other_code_does_not_confirm_is_none(monkeypatch):
    statement = everywhere(Expected(Run("td"), Does.CONVERGES), problem="two-state")
    assert statement.judged().status.value == "fails"
    monkeypatch.setattr("verify.paper.facts.atoms.again", lambda *_: "convergent")
    assert statement.judged().status.value == "undecided"
    monkeypatch.setattr("verify.paper.facts.atoms.again", lambda *_: None)
    assert statement.judged().status.value == "undecided"


@pytest.mark.parametrize("wrong", [{"beta": "0"}, {"gamma": "1/2"}, {"d": ["1", "0", "0"]}])
def test_other_numbers_are_another_answer(wrong):
    data = dict(problem_named("skewed").plain)
    run = {"beta": "1", **wrong}
    assert does(data, ("tdrc", Fraction(1), Fraction(1))) == "not-convergent"
    assert does({**data, **wrong}, ("tdrc", Fraction(run["beta"]), Fraction(1))) != "not-convergent"


def test_refutations_by_what_a_learner_does_name_their_runs():
    witnesses = [
        fact.printed.judged().witness for fact in FACTS if fact.claim.erratum and fact.claim.kind is KindOfClaim.PROBLEM
    ]
    assert sum("verdict" in each for witness in witnesses for each in witness.get("evaluated", ())) >= 15


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/2*sqrt(2)", math.sqrt(2) / 2),
        ("1 - 1/3*sqrt(6)", 1 - math.sqrt(6) / 3),
        ("-2 + sqrt(3)", -2 + math.sqrt(3)),
        ("sqrt(2) - sqrt(3) + 1/3", math.sqrt(2) - math.sqrt(3) + 1 / 3),
        ("5/4", 1.25),
    ],
)
def test_towers_of_square_roots_are_the_numbers_that_they_write(text, value):
    result = number(text)
    assert sign(result) == math.copysign(1, value)
    assert sign(result - Fraction(value) - Fraction(1, 10**9)) == -1
    assert sign(result - Fraction(value) + Fraction(1, 10**9)) == 1
    assert result * inverse(result) == 1
    assert result - result == 0
    assert not isinstance(result * 0, Root)


def test_what_is_no_number_is_refused():
    for text in ("x", "1//2", "sqrt()", "+"):
        with pytest.raises(ValueError, match="is no number"):
            number(text)


def test_matrices_with_square_roots_are_those_of_the_definitions():
    A, b, C = matrices(problem_named("random-walk-dependent").plain)
    key = key_matrices(problem_named("random-walk-dependent").problem)
    for ours, theirs in ((A, key.A), (C, key.C), ([[v] for v in b], key.b)):
        shown = [[number(str(v)) for v in row] for row in theirs.rows]
        assert all(
            sign(u - v) == 0 for row, other in zip(ours, shown, strict=True) for u, v in zip(row, other, strict=True)
        )


@pytest.mark.parametrize("problem", ["two-state", "steep", "skewed"])
@pytest.mark.parametrize("over", ["beta", "eta"])
@pytest.mark.parametrize("learner", ["tdc", "tdrc", "htd", "gtd2", "tdc++"])
def test_regions_are_those_of_the_other_code(problem, over, learner):
    if over == "beta" and learner not in ("tdrc", "tdc++"):
        return
    named, fixed = problem_named(problem), Fraction(1, 3)
    theirs = region(named.problem, learner, **{"eta" if over == "beta" else "beta": fixed})
    try:
        pieces = verdicts.pieces(named.plain, (learner, fixed, fixed), over)
    except (
        package.CannotTell
    ):  # an eigenvalue is 0 at an irrational number, of which the method does not tell what it does
        return
    ours = []
    for i, (point, value) in enumerate(pieces):
        if value and point is None:
            before, behind = pieces[i - 1][0], pieces[i + 1][0] if i + 1 < len(pieces) else None
            if ours and pieces[i - 1][1] and ours[-1][1] is before:
                ours[-1] = (ours[-1][0], behind)
            else:
                ours.append((before, behind))
    assert len(ours) == len(theirs.intervals)
    for (low, high), interval in zip(ours, theirs.intervals, strict=True):
        assert (high is None) == (interval.upper is None)
        for point, end in ((low, interval.lower), (high, interval.upper)):
            if point is not None:
                assert float(point.low) <= end.enclosure.upper
                assert end.enclosure.lower <= float(point.high)


def test_a_second_code_finds_the_noise_constants_and_the_rate():
    for name, run in (("random-walk-tabular", ("tdrc", 1, 1)), ("two-state", ("tdc", 0, 2)), ("skewed", ("htd", 0, 1))):
        learner, beta, eta = run
        exact = (learner, Fraction(beta), Fraction(eta))
        result = borkar_meyn(problem_named(name).problem, learner, beta=beta, eta=eta)
        for split, known in ((False, result.c_0), (True, result.c_0_without_cross_term)):
            low, high = verdicts.noise_constant(problem_named(name).plain, exact, split)
            assert low <= Fraction(known.upper)
            assert high >= Fraction(known.lower)
        rate = check_conditions(problem_named(name).problem, learner, beta=beta, eta=eta).verdict.spectral_abscissa
        low, high = verdicts.abscissa(problem_named(name).plain, exact)
        assert low <= Fraction(rate.upper)
        assert high >= Fraction(rate.lower)


@pytest.mark.parametrize(
    ("learner", "counts"),
    [("td", (3, 1)), ("tdc", (6, 2)), ("gtd2", (6, 2)), ("tdrc", (7, 2)), ("htd", (7, 2)), ("tdc++", (8, 2))],
)
def test_multiplications_are_counted_from_what_a_step_depends_on(learner, counts):
    assert identities.costs(learner) == counts


def test_updates_that_differ_are_not_the_same():
    assert identities.same_update(("tdrc", "tdc"), True, 0, None)
    assert not identities.same_update(("tdrc", "tdc"), True, 1, None)
    assert not identities.same_update(("vtrace", "td"), False, None, None)
    assert identities.scales(("htd", "tdc++"), {"x": 1, "w": -1, "beta": 2, "alpha": -2}, -1)
    assert not identities.scales(("htd", "tdc++"), {"x": 1, "w": -1, "beta": 1, "alpha": -2}, -1)
    assert identities.on_action_values("tdrc", False, None, False)
    assert not identities.on_action_values("tdrc", True, None, False)


@pytest.mark.parametrize(
    "rows", [[[2, 1], [1, 2]], [[1, 2], [2, 1]], [[0, 0], [0, 3]], [[1, 1], [1, 1]], [[-1, 0], [0, 0]]]
)
def test_definite_and_semidefinite_are_those_of_the_quadratic_form(rows):
    M = [[Fraction(v) for v in row] for row in rows]
    values = [
        sum(M[i][j] * z[i] * z[j] for i in range(2) for j in range(2))
        for z in product((-2, -1, 0, 1, 2), repeat=2)
        if any(z)
    ]
    assert algebra.definite(M) == (min(values) > 0)
    assert algebra.semidefinite(M) == (min(values) >= 0)
    assert algebra.determinant(M) == M[0][0] * M[1][1] - M[0][1] * M[1][0]
