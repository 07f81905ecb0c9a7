"""Properties of a problem that have no parameters: atoms by name."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tdrc_theory.exact import Matrix
from tdrc_theory.target_values import target_values, values_are_unique
from verify.paper.facts.atoms import OfAProblem, Run
from verify.paper.facts.evaluated import again, setting_at
from verify.paper.facts.recheck import properties as other
from verify.paper.facts.small_problems import problem_named
from verify.paper.facts.truth import Scope


@dataclass(frozen=True, slots=True)
class Plain(OfAProblem):
    """A property of a problem that has no parameters, by its name in `PLAIN`."""

    name: str

    def sentence(self) -> str:
        """Return the English sentence."""
        return PLAIN[self.name]

    def decided(self, scope: Scope) -> tuple[bool | None, str]:
        """Decide it exactly."""
        problem = problem_named(scope["problem"]).problem
        key = setting_at(scope["problem"], Run("td").at({})).key
        if self.name == "on-policy":
            return problem.behaviour == problem.target, "the tables of both policies compared"
        if self.name == "errors-vanish":
            w = key.A.solve(key.b)
            if w is None:
                return None, "there is no TD fixed point"
            errors = {_error(problem, t, w) for t in problem.transitions if problem.behaviour[t.s][t.a]}
            return errors == {
                0
            }, f"w = ({', '.join(w.column_texts())}); TD errors {', '.join(map(str, sorted(errors)))}"
        if self.name == "few-features":
            return problem.k < len(problem.live_states), f"{problem.k} features, {len(problem.live_states)} states"
        if self.name == "mspbe":
            joint, rank = Matrix.block([[key.C, key.A, key.b]]).rank(), key.C.rank()
            return joint == rank, f"rank of [C, A, b] {joint}, of C {rank}"
        values = target_values(problem)
        if self.name == "values":
            count = "no solution" if values is None else "one solution" if values_are_unique(problem) else "solutions"
            exist = {"no solution": False, "one solution": True}.get(count)  # I - gamma P singular: gamma = 1, no end
            return exist, f"v = r + gamma P v has {count}"
        weights = None if values is None else Matrix(problem.features).solve(values)
        return (
            weights is not None,
            "no w gives them" if weights is None else f"w = ({', '.join(weights.column_texts())})",
        )

    def recheck(self, scope: Scope) -> bool | None:
        """Evaluate it by the other code."""
        return again(other.PLAIN[self.name], scope["problem"])


def _error(problem: Any, transition: Any, w: Matrix) -> Any:
    k, s_next = problem.k, transition.s_next
    x = problem.features[transition.s]
    y = [Fraction(0)] * k if problem.ends(s_next) else problem.features[s_next]
    return transition.reward + sum(w[i, 0] * (problem.discount(transition) * y[i] - x[i]) for i in range(k))


PLAIN = {
    "on-policy": "behaviour and target policy are the same",
    "errors-vanish": "at a TD fixed point every TD error is 0",
    "few-features": "there are fewer features than states",
    "mspbe": "b - A w is in range(C) for every w",
    "values": "the expected discounted sum of rewards exists from every state",
    "representable": "the features represent the values of the target policy",
}
"""Properties of a problem, and their sentences."""
