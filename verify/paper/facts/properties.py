"""Properties of a problem that have no parameters: atoms by name."""

from __future__ import annotations

from dataclasses import dataclass

from tdrc_theory.exact import Matrix, Number
from tdrc_theory.problem import Problem
from tdrc_theory.problem.key_matrices import KeyMatrices
from tdrc_theory.problem.parts import Transition
from tdrc_theory.problem.target_values import target_values, values_are_unique
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
            return _errors_vanish(problem, key)
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


def _errors_vanish(problem: Problem, key: KeyMatrices) -> tuple[bool | None, str]:
    """Decide whether some w makes the TD error of every transition 0; it is a TD fixed point then."""
    met = [t for t in problem.transitions if problem.d[t.s] and problem.behaviour[t.s][t.a]]
    differences = Matrix([_difference(problem, t) for t in met])
    w = differences.solve(Matrix.column([t.reward for t in met]))
    if w is not None:
        return True, f"w = ({', '.join(w.column_texts())}) makes all of them 0"
    w = key.A.solve(key.b)
    if w is None:
        return None, "there is no TD fixed point"
    errors = {t.reward - v for t, (v,) in zip(met, (differences @ w).rows, strict=True)}
    return False, f"w = ({', '.join(w.column_texts())}); TD errors {', '.join(map(str, sorted(errors)))}"


def _difference(problem: Problem, transition: Transition) -> list[Number]:
    """Return x - gamma x'."""
    x, s_next = problem.features[transition.s], transition.s_next
    if problem.ends(s_next):
        return list(x)
    gamma = problem.discount(transition)
    return [v - gamma * u for v, u in zip(x, problem.features[s_next], strict=True)]


PLAIN = {
    "on-policy": "behaviour and target policy are the same",
    "errors-vanish": "at some TD fixed point every TD error is 0",
    "few-features": "there are fewer features than states",
    "mspbe": "b - A w is in range(C) for every w",
    "values": "the expected discounted sum of rewards exists from every state",
    "representable": "the features represent the values of the target policy",
}
"""Properties of a problem, and their sentences."""
