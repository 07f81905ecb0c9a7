"""The language of statements on runs: what each part means, and how what is wrong is refused."""

from __future__ import annotations

import math
from fractions import Fraction
from operator import lt

import numpy as np
import pytest

from simulate.paper.statement import NotRun, Seen, Truth, Unseen, compared, judge, numbers_in
from simulate.uncertainty import Interval
from tdrc_theory.evidence import Proof, Status
from tdrc_theory.formula.formula_reader import BadStatement
from tdrc_theory.judgement import Step

ABOUT_1 = Interval(1.0, 0.9, 1.1)


def height(of, scaled=1):
    if of not in "abcd":
        raise Unseen("allowed: a, b, c, d")
    return float("abcd".index(of) + 1) * float(scaled)


def never():
    raise NotRun("it takes days")


SEEN = Seen(
    {"letters": ["a", "b", "c", "d"], "runs": Fraction(4)},
    {
        "height": height,
        "never": never,
        "about": lambda: ABOUT_1,
        "of_runs": lambda: np.array([1.0, 2.0, 3.0]),
        "nothing": lambda: math.nan,
        "unknown": lambda: Truth(None, (Step("", "who knows"),)),
    },
)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("height('a') < height('b') < height('c')", "holds"),
        ("height('a') < height('c') < height('b')", "fails"),
        ("height('a', scaled=3) == 3", "holds"),
        ("1/3 + 1/6 == 1/2", "holds"),
        ("-2**3 + 2*4 == 0", "holds"),
        ("0.1 + 0.2 == 0.3", "holds"),  # exact, as they are written
        ("high == 9/4", "holds"),
        ("'a' == 'a' and 'a' != 'b'", "holds"),
        ("every(x, letters, height(x) <= 4)", "holds"),
        ("every(x, letters - ['d'], height(x) < 4)", "holds"),
        ("some(x, letters, height(x) > 4)", "fails"),
        ("most(x, letters, height(x) > 2)", "fails"),
        ("most(x, letters, height(x) > 1)", "holds"),
        ("at_least(2, x, letters, height(x) > 2)", "holds"),
        ("at_least(3, x, letters, height(x) > 2)", "fails"),
        ("count(x, letters, height(x) > 2) == 2", "holds"),
        ("largest(x, letters, height(x)) == 4 and least(x, letters, height(x)) == 1", "holds"),
        ("total(x, letters, height(x)) == 10", "holds"),
        ("every(x, letters, every(y, letters, height(x) == height(y) or x != y))", "holds"),
        ("every(x, [], height(x) > 9)", "holds"),
        ("most(x, [], height(x) > 9)", "fails"),
        ("about() > 0.8", "holds"),
        ("about() < 0.8", "fails"),
        ("about() > 1", "undecided"),
        ("0.8 < about()", "holds"),
        ("about() < about()", "undecided"),
        ("not about() > 1", "undecided"),
        ("of_runs() > 0", "holds"),
        ("of_runs() > 1", "fails"),
        ("2 * of_runs() / of_runs() == 2", "holds"),
        ("nothing() < 1", "undecided"),
        ("1 / 0 < 1", "undecided"),
        ("unknown() and height('a') == 2", "fails"),
        ("unknown() or height('a') == 1", "holds"),
        ("unknown() and height('a') == 1", "undecided"),
        ("most(x, letters, unknown())", "undecided"),
        ("at_least(1, x, letters, unknown() or height(x) == 1)", "holds"),
        ("count(x, letters, unknown()) > 0", "undecided"),
        ("height('a') == 1 or never() == 1", "undecided"),  # what was not run decides nothing
    ],
)
def test_a_statement_means_what_it_says(text, status):
    judgement = judge(text, SEEN, {"high": "3 * 3/4"})
    assert (judgement.status.value, judgement.proof) == (status, Proof.SAMPLED)
    assert judgement.steps or "[]" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("height('e') > 1", "column 1: height('e'): allowed: a, b, c, d"),
        ("height() > 1", "missing a required argument"),
        ("size(letters) > 1", "unknown function 'size'; allowed: every, some"),
        ("heigth > 1", "unknown name 'heigth'; allowed: letters, runs, high"),
        ("height('a')", "1 is not true or false; a statement compares"),
        ("'a' < 1", "a and 1 cannot be compared"),
        ("letters > 1", "cannot be compared"),
        ("height('a') + 'b' > 1", "b is no number that can be computed with"),
        ("letters - 'a' == 1", "a is no list"),
        ("every(x, letters)", "every takes a name, a list, and a statement or a number for each"),
        ("at_least(x, letters, x == 'a')", "at_least takes a number, a name"),
        ("every('x', letters, 1 > 0)", "every takes a name"),
        ("every(x, 3, 1 > 0)", "3 is no list"),
        ("not height('a')", "1 is not true or false"),
        ("height('a').T > 1", "is nothing that runs have"),
        ("(lambda: 1)() > 0", "only functions with a name are called"),
        ("__import__('os').system('ls') == 0", "only functions with a name are called"),
    ],
)
def test_what_says_nothing_about_the_runs_is_refused_in_one_line(text, message):
    with pytest.raises(BadStatement) as refused:
        judge(text, SEEN, {"high": "9/4"})
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_was_not_run_is_undecided_and_says_why():
    judgement = judge("never() > 1", SEEN)
    assert (judgement.status, judgement.rule, judgement.steps[0].text) == (Status.UNDECIDED, "not run", "it takes days")


def test_steps_are_those_that_decide_with_the_values_of_bound_names():
    (step,) = judge("every(x, letters, height(x) < 4)", SEEN).steps
    assert (step.reason, step.text) == ("height('d') < 4", "4")
    assert [step.text for step in judge("some(x, letters, height(x) > 2)", SEEN).steps] == ["3", "4"]
    (step,) = judge("of_runs() > 3/2", SEEN).steps
    assert step.text == "in 2 of 3 runs; 2 on average and 3/2"


def test_an_interval_decides_against_all_of_another():
    low, high = Interval(1.0, 0.5, 1.5), Interval(3.0, 2.0, 4.0)
    assert (compared(low, lt, high), compared(high, lt, low), compared(low, lt, low)) == (True, False, None)


def test_numbers_are_the_definitions_that_need_nothing_else():
    arguments = {"comparable": "9/8", "double": "2 * comparable", "names": "['a']", "minus": "-1/2", "C1": "Omega > 0"}
    assert numbers_in(arguments) == {"comparable": Fraction(9, 8), "minus": Fraction(-1, 2)}
