"""Statements about key matrices, for every number of states: identities, signs of entries, sums, and definiteness.

Definiteness is by diagonal dominance: for K = D R, D diagonal without negative entries and R = I - T, T >= 0,
    z^T (K + K^T) z = sum over s of (row sum + column sum)_s z_s^2 + sum over s < t of -(K + K^T)_st (z_s - z_t)^2,
so K is positive definite where row and column sums together are positive, and semidefinite where none is negative.

Where some are 0 but R is nonsingular, K is positive definite on the states of positive weight D_ss, by irreducible
dominance: let S be the states where z is not 0, and the form be 0. On S the sums are 0, and no weight goes from outside
S into S, so that w = D 1 on S, 0 elsewhere, has w^T (I - T) <= 0; and (I - T)^-1 >= 0, so w = 0. In Coq this is
`emphatic_td_zero_interest`.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from tdrc_theory.algebra import Free
from tdrc_theory.formula import expression
from tdrc_theory.formula.expression import Expr, equal, symbol
from tdrc_theory.formula.vocabulary import STATES, entry, expanded
from tdrc_theory.judgement import Step
from verify.prove.entailment import sequents
from verify.prove.entries import Entries, Nonsingular
from verify.prove.equations import assume
from verify.prove.knowledge import inverted, is_nonsingularity
from verify.prove.meaning import NotProven, OutsideTheAlgebra, Proof, needed, prover
from verify.prove.states import StatesMeaning, without_discount


def negated(matrix: Expr) -> Expr:
    """Return -M, a factor -1 or a sum of negatives taken away."""
    if matrix.op == "mul" and matrix.args[0].name == "-1" and len(matrix.args) > 1:
        return product(matrix.args[1:])
    return -matrix


def flat_factors(matrix: Expr) -> tuple[Expr, ...]:
    """Return the factors of a product, those of its factors taken apart too."""
    if matrix.op != "mul":
        return (matrix,)
    return tuple(inner for part in matrix.args for inner in flat_factors(part))


def product(parts: Iterable[Expr]) -> Expr:
    """Return the product of factors, one at least."""
    result = tuple(parts)
    return result[0] if len(result) == 1 else Expr("mul", result)


def first_factor(matrix: Expr) -> tuple[Expr | None, Expr]:
    """Return the first factor of a product and the product of the others."""
    first, *rest = flat_factors(matrix)
    return (first, product(rest)) if rest else (None, first)


def congruence(matrix: Expr) -> tuple[Expr, Expr] | None:
    """Return (N, Y) where a matrix is written Y^T N Y."""
    factors = flat_factors(matrix)
    if len(factors) < 3 or factors[0] != factors[-1].T:
        return None
    return product(factors[1:-1]), factors[-1]


RULE = "matrices of states: rules for stochastic and diagonal ones, signs of entries, and diagonal dominance"
_NAMES = frozenset(each.name for each in STATES)
_OPS = (*expression.ENTRYWISE, expression.ON_WEIGHTED, "semidefinite", "diag", "diagonal", "absolute", "actions")
Steps = list[Step]


@prover
def prove_about_states(formula: Expr) -> Proof | None:
    """Prove identities, signs and definiteness of matrices of states, each conclusion from its own hypotheses.

    Inverses by rules that divide by gamma are valid where it is not 0; at gamma = 0 the formula is proven by itself.
    """
    if not (formula.has(*_OPS) or _NAMES & formula.names()):
        return None
    plain, steps = expanded(formula), list[Step]()
    cases = [plain]
    if "gamma" in plain.names() and plain.has("inv"):
        cases.append(without_discount(plain))
    for case in cases:
        if case is not plain:
            steps.append(Step.stating("at gamma = 0, where that rule divides by 0", case))
        for hypotheses, goal in sequents(case):
            steps += [Step.stating("to show", goal), *_proven(goal, hypotheses)]
    return RULE, tuple(steps)


def _proven(goal: Expr, hypotheses: tuple[Expr, ...]) -> Steps:
    if goal in hypotheses:
        return [Step.stating("by hypothesis", goal)]
    proof = _Proof(goal, hypotheses)
    with suppress(NotProven):
        return proof.steps()
    return proof.contradicted()


class _Proof:
    """One conclusion from hypotheses."""

    def __init__(self, goal: Expr, hypotheses: tuple[Expr, ...]) -> None:
        self.goal, self.hypotheses = goal, hypotheses
        self.meaning = StatesMeaning()
        for part in (*goal.args, *(side for each in hypotheses for side in each.args)):
            self._read(part)
        self.meaning.complete()
        self.assumed = assume(tuple(h for h in hypotheses if not h.has("det")), self.meaning)
        self.entries = Entries(self.meaning, hypotheses)
        self.assumed_regular = [h.args[0].args[0] for h in hypotheses if is_nonsingularity(h)]
        known = [*self.assumed_regular, *(matrix for part in (goal, *hypotheses) for matrix in inverted(part))]
        self.regular = Nonsingular(self.meaning, self.entries, known)
        self.ones = Free.letter("ones")
        for hypothesis in hypotheses:
            if hypothesis.op in expression.ENTRYWISE:
                self.entries.learn(self._one(hypothesis.args[0]), strict=hypothesis.op == "positive")

    def _read(self, term: Expr) -> None:
        """Read what can be read, so that its rules are known."""
        try:
            self.meaning.blocks(term)
        except OutsideTheAlgebra:
            for part in term.args:
                self._read(part)

    def steps(self) -> Steps:
        """Return the steps that show the goal."""
        op, args = self.goal.op, self.goal.args
        if op == "=":
            return self._equal(*args)
        if op == "nonnegative":
            return self._nonnegative(args[0])
        if op == "positive":
            shown = needed(self.entries.positive(self._one(args[0])))
            why = f"no term has a negative entry, and one has positive entries only{shown.known}"
            return [Step.stating(why, equal(args[0], shown.tree))]
        if op in ("posdef", "semidefinite"):
            return self._definite(args[0], op)
        if op == expression.ON_WEIGHTED:
            return self._on_weighted(*args)
        if op == "hurwitz":
            why = "z^T A z > 0 for every z, so the eigenvalues of -A have negative real part"
            return [*self._definite(negated(args[0]), "posdef"), Step.stating(why, self.goal)]
        if op in ("!=", ">") and args[0].op == "det" and args[1].name == "0":
            singular = args[0].args[0]
            if op == "!=":
                return self._nonsingular(singular)
            return needed(self.regular.positive_determinant(self._one(singular)))
        raise NotProven

    def _nonnegative(self, matrix: Expr) -> Steps:
        """Show it of the whole, or of the first factor and of the product of the others."""
        if matrix.op == "diagonal":
            inside = matrix.args[0]
            steps, *_ = needed(self._weighted(inside.args[0] if inside.op == "T" else inside))
            why = "D_ss (1 - T_ss) is at least D_ss times the sum of T_st over the other t"
            return [*steps, Step.stating(why, self.goal)]
        shown = self.entries.nonnegative(self._one(matrix))
        if shown is not None:
            return [Step.stating(f"no term has a negative entry{shown.known}", equal(matrix, shown.tree))]
        front, rest = first_factor(matrix)
        front = needed(front)
        return [*self._nonnegative(front.args[0] if front.op == "diag" else front), *self._nonnegative(rest)]

    def _one(self, term: Expr) -> Free:
        return self._reduced(self.meaning.one(term))

    def _reduced(self, matrix: Free) -> Free:
        return matrix.reduced(self.meaning.rules)

    def _equal(self, left: Expr, right: Expr) -> Steps:
        a, b = self._one(left), self._one(right)
        if a != b:
            a, b = self._reduced(a.T), self._reduced(b.T)  # rules of one side are not completed for the other
        if a != b:
            raise NotProven
        same = Expr("chain", (left, right, a.tree()), "= =")
        return [*self.assumed, Step.stating("both sides, up to transposition", same)]

    def _definite(self, matrix: Expr, kind: str) -> Steps:
        """Show that z^T M z > 0 for every z other than 0, or that it is never negative."""
        if assumed := {expression.posdef(matrix), expression.posdef(matrix.T)} & set(self.hypotheses):
            return [Step.stating("by hypothesis", assumed.pop())]
        if matrix.op == "T":
            steps = self._definite(matrix.args[0], kind)
            return [*steps, Step.stating("a matrix and its transpose have one form", matrix)]
        if self._dominant(matrix):
            why = "|2 S_st z_s z_t| <= |S_st| (z_s^2 + z_t^2), so z^T S z >= sum of (2 S_ss - (|S| 1)_s) z_s^2"
            return [Step.stating(why, expression.posdef(matrix))]
        inside = congruence(matrix)
        if inside is not None:
            middle, outer = inside
            if kind == "posdef" and expanded(outer.T * outer) not in self.assumed_regular:
                raise NotProven
            why = ", where {} is 0 for y = 0 only" if kind == "posdef" else ""
            shown = Step.stating(f"M = Y^T N Y{why}", matrix, outer * symbol("y"))
            return [*self._definite(middle, kind), shown]
        result = self._weighted(matrix)
        if result is None:
            return self._compared(matrix, kind)
        steps, rows, columns = result
        if kind == "semidefinite":
            return [*steps, Step.stating("so it is diagonally dominant", matrix)]
        return [*steps, *self._strictly(matrix, rows, columns)]

    def _compared(self, matrix: Expr, kind: str) -> Steps:
        """Show it of D (I + T), T >= 0, by D (I - T): 2 z_s z_t >= -(z_s^2 + z_t^2)."""
        steps, rows, columns = needed(self._weighted(matrix, plus=True))
        sums = (self._reduced(rows + columns), columns, rows)
        if kind == "posdef" and not any(self.entries.positive(each) for each in sums):
            raise NotProven
        why = "z^T D (I + T) z is at least the sum of half the row and column sums of D (I - T) times z_s^2"
        return [*steps, Step.stating(why, matrix)]

    def _strictly(self, matrix: Expr, rows: Free, columns: Free) -> Steps:
        """Show that sums are positive, or that every weight is and R is nonsingular (irreducible dominance)."""
        sums = (self._reduced(rows + columns), columns, rows)
        shown = next(filter(None, map(self.entries.positive, sums)), None)
        if shown is not None:
            why = f"row and column sums together are positive: strict dominance, by their part{shown.known}"
            return [Step.stating(why, shown.tree)]
        front, rest = first_factor(matrix)
        weights = needed(self.entries.positive(self._reduced(self._one(needed(front)) * self.ones)))
        factors = needed(self.regular.product(self._one(rest)))
        why = f"every weight is positive: irreducible dominance, on all states{weights.known}"
        return [*factors, Step.stating(why, weights.tree)]

    def _dominant(self, matrix: Expr) -> bool:
        """Return whether hypotheses say that a symmetric matrix is strictly diagonally dominant.

        Its diagonal is positive then: 2 S_ss is above (|S| 1)_s, which is at least |S_ss|.
        """
        sums = expression.positive(2 * expression.diagonal(matrix) - expression.absolute(matrix) * expression.ones)
        symmetric = matrix.op == "symbol" and entry(matrix.name).domain == "symmetric"
        return symmetric and sums in self.hypotheses

    def _weighted(self, matrix: Expr, plus: bool = False) -> tuple[Steps, Free, Free] | None:
        """Return the steps that show M = D (I - T) with D, T, row and column sums nonnegative; and these sums.

        Of M = D (I + T) the sums are those of D (I - T).
        """
        front, rest = first_factor(matrix)
        D, R = (Free.scalar(1) if front is None else self._one(front)), self._one(rest)
        if any(not all(map(self.meaning.is_diagonal, word)) for word, _ in D.terms):
            D, R = Free.scalar(1), self._one(matrix)
        R = self._reduced(Free.scalar(2) - R) if plus else R
        weights, T = self._reduced(D * self.ones), self._reduced(Free.scalar(1) - R)
        rows, columns = self._reduced(R * self.ones), self._reduced((D * R).T * self.ones)
        steps: Steps = []
        for why, what in (("weights D 1", weights), ("T = I - R", T), ("row sums R 1", rows), ("column sums", columns)):
            shown = self.entries.nonnegative(what)
            if shown is None:
                return None
            known = f"M = D R: {why} have no negative entry{shown.known}"
            steps.append(Step.stating(known, equal(what.tree(), shown.tree)))
        return steps, self._reduced(D * rows), columns

    def _on_weighted(self, matrix: Expr, weights: Expr) -> Steps:
        if matrix.op == "T":
            return self._on_weighted(matrix.args[0], weights)
        front, rest = first_factor(matrix)
        steps, *_ = needed(self._weighted(matrix))
        if self._reduced(self._one(needed(front)) * self.ones) != self._one(weights):
            raise NotProven
        factors = needed(self.regular.product(self._one(rest)))
        end = "where the form is 0 the weights of the states with z other than 0 solve w^T (I - T) <= 0, so they are 0"
        return [*steps, *factors, Step.stating(end, self.goal)]

    def _nonsingular(self, matrix: Expr) -> Steps:
        """Show it as of I less or plus what has no negative entry, or by a form that is definite."""
        shown = self.regular.shown(self._one(matrix))
        if shown is not None:
            return shown
        end = Step.stating("a positive definite matrix is nonsingular", expression.nonsingular(matrix))
        return [*self._definite(matrix, "posdef"), end]

    def contradicted(self) -> Steps:
        """Show that a hypothesis on entries cannot hold, because of the domains and of the other hypotheses."""
        for number, each in enumerate(self.hypotheses):
            if each.op not in (*expression.ENTRYWISE, "="):
                continue
            others = _Proof(self.goal, self.hypotheses[:number] + self.hypotheses[number + 1 :])
            if others.cannot(each):
                return [Step.stating("a hypothesis that cannot hold: its entries have other signs", each)]
        raise NotProven

    def cannot(self, relation: Expr) -> bool:
        """Return whether what is known has entries of other signs than a relation says."""
        try:
            values = [self._one(side) for side in relation.args]
        except OutsideTheAlgebra:
            return False
        if relation.op == "=":
            gaps = (values[0] - values[1], values[1] - values[0])
            return any(self.entries.positive(self._reduced(gap)) is not None for gap in gaps)
        below = self._reduced(-values[0])
        if relation.op == "positive":
            return self.entries.nonnegative(below) is not None
        total = self._reduced(self.ones.T * below)
        return self.entries.positive(below) is not None or self.entries.positive_number(total)
