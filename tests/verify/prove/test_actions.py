"""Functions of state and action: sums over actions are proven for every number of them, or refuted with policies."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from tdrc_theory.formula.formula_reader import BadStatement, formula
from verify.check import Status
from verify.paper.judge import judge
from verify.prove.key_matrices import prove_about_states
from verify.refute.instances import state_values

NAMES = {
    "P_target": "actions(Pi_a*P_a)",
    "is_target": "P_pi == P_target",
    "step": "actions(X.T*D_b*B_a*rho_a*(I - gamma*P_a)*X)",
}
TRUE = (
    "implies(is_target, step == X.T*D_b*(I - gamma*P_pi)*X)",
    "implies(is_target, gamma < 1, f_0 == d_b + gamma*actions(P_a.T*B_a*rho_a)*f_0)",
    "actions(B_a*rho_a*y_a) == actions(Pi_a*y_a)",
    "actions(d_b.T*B_a*rho_a*y_a) == d_b.T*actions(Pi_a*y_a)",
    "actions(B_a*diag(y)*rho_a*P_a*Gamma) == diag(y)*P_target*Gamma",
    "P_target*ones == ones and nonnegative(P_target)",
    "implies(gamma < 1, nonsingular(I - gamma*P_target) and nonnegative(inv(I - gamma*P_target)))",
)
FALSE = (
    "implies(is_target, actions(X.T*D_b*B_a*(I - gamma*P_a)*X) == X.T*D_b*(I - gamma*P_pi)*X)",  # no ratios
    "implies(is_target, step == X.T*D_b*(I - gamma*P_pi.T)*X)",
    "implies(P_pi == actions(B_a*P_a), step == X.T*D_b*(I - gamma*P_pi)*X)",
    "step == X.T*D_b*(I - gamma*P_pi)*X",
    "implies(is_target, gamma < 1, f_0 == d_b + gamma*actions(P_a*B_a*rho_a)*f_0)",
    "actions(B_a*rho_a*y_a) == actions(B_a*y_a)",
    "actions(rho_a) == I",
    "actions(I) == 2*I",  # of two actions only
    # What differs from action to action must not be taken out of a sum.
    "actions(P_a*diag(y_a)) == actions(P_a)*actions(diag(y_a))",
    "actions(B_a*inv(2*I - P_a)) == inv(2*I - actions(P_a))",
    "actions(y_a.T*y_a) == actions(y_a.T)*actions(y_a)",
)


@pytest.mark.parametrize("text", TRUE)
def test_what_is_true_of_every_number_of_states_and_actions_is_proven(text):
    assert judge(formula(text, NAMES)).status is Status.HOLDS


@pytest.mark.parametrize("text", FALSE)
def test_what_is_false_is_refuted_and_not_proven(text):
    statement = formula(text, NAMES)
    assert prove_about_states(statement) is None
    assert judge(statement).status is Status.FAILS


@pytest.mark.parametrize(
    "text", ["P_a*ones == ones", "implies(B_a == Pi_a, actions(B_a*y_a) == y)", "nonnegative(B_a)"]
)
def test_a_symbol_of_each_action_stands_in_a_sum_over_actions_only(text):
    with pytest.raises(BadStatement, match=r"inside actions\(\.\.\.\) only"):
        formula(text)


def test_policies_that_are_drawn_are_policies_and_behaviour_covers_target():
    rng = random.Random(1)
    for _ in range(30):
        drawn = state_values([f"{name}[{a}]" for name in ("B_a", "Pi_a", "rho_a") for a in range(3)], 2, rng)
        entries = {name: [Fraction(str(rows[s][s])) for s in range(2)] for name, rows in drawn.items()}
        for s in range(2):
            b, pi, rho = ([entries[f"{name}[{a}]"][s] for a in range(3)] for name in ("B_a", "Pi_a", "rho_a"))
            assert sum(b) == sum(pi) == 1
            assert min(*b, *pi, *rho) >= 0
            assert all(one * ratio == other for one, ratio, other in zip(b, rho, pi, strict=True))
