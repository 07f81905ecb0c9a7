"""Statements about nonsingularity, definiteness and signs of determinants, proven as propositions.

Each relation is taken apart into elementary statements (atoms): det of a product of blocks is not 0 when each factor's
is not (with the factors that block steps find); a bound by an extreme eigenvalue is the definiteness of a pencil. A few
laws connect atoms. The formula is proven when it is true under every assignment that obeys the laws.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, product
from typing import NamedTuple

from tdrc_theory.algebra import Free, Scalar
from tdrc_theory.formula.expression import (
    CONNECTIVES,
    ZERO,
    Expr,
    both,
    det,
    implies,
    negation,
    nonsingular,
    parted,
    posdef,
    unequal,
)
from tdrc_theory.formula.written import text
from tdrc_theory.judgement import Step
from verify.prove import knowledge
from verify.prove.determinants import Product, factored, product_of
from verify.prove.entailment import sequents
from verify.prove.knowledge import Knowledge, Pencil
from verify.prove.meaning import Meaning, NotProven, OutsideTheAlgebra, Proof, prover

Atom = Expr
"""A relation that is judged true or false as a whole."""


class Law(NamedTuple):
    """Premises that together imply a conclusion, and why; without a conclusion they contradict each other."""

    why: str
    premises: tuple[Atom, ...]
    conclusion: Atom | None

    @property
    def atoms(self) -> set[Atom]:
        """The statements in it."""
        return {*self.premises, *([self.conclusion] if self.conclusion else [])}

    @property
    def formula(self) -> Expr:
        """The law as a formula; premises that contradict each other are not all true."""
        if self.conclusion is None:
            return negation(both(*self.premises))
        return implies(*self.premises, self.conclusion)


def is_multiple(matrix: Free, other: Free) -> bool:
    """Return whether one is a positive rational multiple of the other."""
    if matrix.is_zero or other.is_zero:
        return False
    (_, c), (_, e) = matrix.terms[0], other.terms[0]
    ratio = c * e.inverse() if e.is_monomial else Scalar({})
    size = ratio.constant()
    return size is not None and size > 0 and other * ratio == matrix


def definite_laws(atom: Atom, matrix: Free, other: Atom, factor: Free, semidefinite: bool) -> list[Law]:
    """Return the laws between `matrix` is positive definite (atom) and `factor`, semidefinite or not, nonsingular."""
    if is_multiple(knowledge.symmetric_part(factor), matrix):
        laws: list[Law] = [Law("a positive definite matrix is nonsingular", (atom,), other)]
        if semidefinite:
            laws.append(Law(f"{factor} is positive semidefinite", (other,), atom))
        return laws
    if matrix in (factor * factor.T, factor.T * factor):
        why = "z^T M M^T z = |M^T z|^2"
        return [Law(why, (atom,), other), Law(why, (other,), atom)]
    return []


_MOST_ATOMS = 12


@prover
def prove_proposition(formula: Expr) -> Proof | None:
    """Prove a formula whose relations are about determinants, definiteness, or extreme eigenvalues.

    As a whole where that goes; otherwise every conclusion from its own hypotheses, which say more about matrices.
    """
    if not formula.has("det", "posdef", "eigmax", "eigmin"):
        return None
    rule = "elementary statements and the laws between them"
    with suppress(OutsideTheAlgebra, NotProven):
        return rule, _proven(formula)
    parts = [implies(*hypotheses, goal) for hypotheses, goal in sequents(formula)]
    if parts == [formula]:
        return None
    return rule, tuple(step for part in parts for step in (Step.stating("to show", part), *_proven(part)))


def _proven(formula: Expr) -> tuple[Step, ...]:
    hypotheses, _ = parted(formula)
    implied = [nonsingular(M) for h in hypotheses if h.has("eigmax") for M in knowledge.nonsingular_factors(h)]
    reader = _Reader(Knowledge((*hypotheses, *implied), knowledge.inverted(formula)))
    proposition = reader.read(formula)
    laws = list(reader.laws())
    atoms = sorted(reader.atoms.union(*(law.atoms for law in laws)), key=text)
    if len(atoms) > _MOST_ATOMS:
        raise NotProven
    lawful = Expr("and", tuple(law.formula for law in laws))
    for values in product((False, True), repeat=len(atoms)):
        assignment = dict(zip(atoms, values, strict=True))
        if _is_true(lawful, assignment) and not _is_true(proposition, assignment):
            raise NotProven
    applied = (Step.stating(f"law: {law.why}", law.formula) for law in laws)
    return (*reader.steps, *applied, Step.stating("true under every assignment that obeys these laws", formula))


def _is_true(proposition: Expr, assignment: Mapping[Atom, bool]) -> bool:
    """Return whether a formula over atoms is true where they are as assigned."""
    if proposition in assignment:
        return assignment[proposition]
    parts = (_is_true(part, assignment) for part in proposition.args)
    if proposition.op in ("and", "or"):
        return all(parts) if proposition.op == "and" else any(parts)
    first, *second = parts
    if proposition.op == "not":
        return not first
    return first == second[0] if proposition.op == "iff" else not first or second[0]


class _Reader:
    """Makes formulas over atoms of formulas, and remembers the matrices behind these."""

    def __init__(self, known: Knowledge) -> None:
        self.known = known
        self.atoms: set[Atom] = set()
        self.steps: list[Step] = []
        self.matrices: dict[Atom, Free] = {}
        self.products: dict[Atom, Product] = {}
        self.stable: dict[Atom, Expr] = {}
        self.direct: list[Law] = []

    def read(self, formula: Expr) -> Expr:
        if formula.op in CONNECTIVES:
            return Expr(formula.op, tuple(self.read(part) for part in formula.args))
        if formula.op == "posdef":
            return self._definite(knowledge.symmetric_part(Meaning().one(formula.args[0])))
        if formula.op == "hurwitz":
            self.stable[formula] = formula.args[0]
            return self._atom(formula)
        if formula.has("eigmax", "eigmin"):
            return self._bound(formula)
        return self._determinant(formula)

    def _bound(self, relation: Expr) -> Expr:
        try:
            pencil = knowledge.pencil_of(relation)
        except OutsideTheAlgebra:
            stated = self._atom(relation)
            why = "a real eigenvalue is a value of the form"
            self.direct.append(Law(why, (self._definite(knowledge.form_bound(relation)),), stated))
            self._nonsingular_factors(relation, stated)
            return stated
        try:
            matrix, affirmed = knowledge.definite_matrix(pencil, self.known)
        except OutsideTheAlgebra:
            stated = self._atom(relation)
            self._strictly(pencil, stated)
            self._nonsingular_factors(relation, stated)
            for consequence in knowledge.definite_consequences(pencil, self.known):
                why = "every eigenvalue is at most -t <= 0, and none is 0"
                self.direct.append(Law(why, (stated,), self._definite(knowledge.symmetric_part(consequence))))
            return stated
        atom = self._definite(matrix)
        meant = atom if affirmed else negation(atom)
        self.steps.append(Step.stating("{} means", meant, relation))
        return meant

    def _nonsingular_factors(self, relation: Expr, stated: Atom) -> None:
        for M in knowledge.nonsingular_factors(relation):
            atoms = self._factors(factored(Meaning().one(M)))
            self.direct += [Law("every eigenvalue is negative, and none is 0", (stated,), atom) for atom in atoms]

    def _strictly(self, pencil: Pencil, stated: Atom) -> None:
        """Add the law that the strict relation implies the one that is not, where a rule knows the strict one."""
        if not pencil.strict:
            try:
                matrix, affirmed = knowledge.definite_matrix(replace(pencil, strict=True), self.known)
            except OutsideTheAlgebra:
                return
            if affirmed:
                self.direct.append(Law("what is positive is not negative", (self._definite(matrix),), stated))

    def _determinant(self, relation: Expr) -> Expr:
        if not relation.has("det"):
            return self._atom(relation)
        left, right = relation.args
        if not left.has("det") or right.has("det") or right.name != "0":
            raise OutsideTheAlgebra("not a statement about a determinant and 0")
        factored_form, steps = next(product_of(left, Meaning()))
        if relation.op == ">":
            meant = both(*self._positive(factored_form))
            self.steps += [*steps, Step.stating("{} means", meant, relation)]
            return meant
        if relation.op == ">=":
            atom = self._atom(relation)
            self.direct.append(Law("what is positive is not negative", tuple(self._positive(factored_form)), atom))
            return atom
        if relation.op not in ("=", "!="):
            raise OutsideTheAlgebra(relation.op)
        atoms = self._factors(factored_form)
        why, about = "{} means", unequal(left, 0)
        self.steps += [*steps, Step.stating(why, both(*atoms), about) if atoms else Step(why, "nothing", about=about)]
        return both(*atoms) if relation.op == "!=" else negation(both(*atoms))

    def _factors(self, product_form: Product) -> list[Atom]:
        atoms = []
        for base, (a, b) in product_form.powers:
            if base.constant() is None and not knowledge.is_positive(base):
                if a and b % a == 0 and -b // a >= 1:
                    raise OutsideTheAlgebra("an exponent that is 0 in one dimension")
                atoms.append(self._atom(Expr("!=", (base.tree(), ZERO))))
        for factor in product_form.factors:
            atom = self._atom(nonsingular(factor.tree()))
            self.matrices[atom] = factor
            atoms.append(atom)
        return atoms

    def _positive(self, product_form: Product) -> list[Atom]:
        """Return what a positive product means; factors that come twice need only be other than 0."""
        kept = tuple((base, power) for base, power in product_form.powers if not knowledge.is_positive(base))
        names = sorted({str(factor) for factor in product_form.factors})
        counts = {name: [f for f in product_form.factors if str(f) == name] for name in names}
        odd = tuple(product_form[0] for product_form in counts.values() if len(product_form) % 2)
        atoms = self._factors(Product((), tuple(f[0] for f in counts.values() if len(f) % 2 == 0)))
        if kept or odd:
            signed = Product(kept, odd)
            atoms.append(self._atom(Expr(">", (signed.tree(), ZERO))))
            self.products[atoms[-1]] = signed
        return atoms

    def _definite(self, matrix: Free) -> Atom:
        for _, c in matrix.terms[:1]:
            size = c.content() if matrix.as_scalar() is None else Scalar.number(1)
            factor = size.terms[0][1]
            shared = Scalar.number(-factor if factor < 0 else factor)
            matrix = matrix * shared.inverse()
        atom = self._atom(posdef(matrix.tree()))
        self.matrices[atom] = matrix
        return atom

    def _atom(self, atom: Atom) -> Atom:
        self.atoms.add(atom)
        return atom

    def laws(self) -> Iterable[Law]:
        """Return what connects the atoms; new atoms may come in."""
        laws = list(self.direct)
        for atom, G in list(self.stable.items()):
            laws += self._stable_laws(atom, G)
        for atom, product_form in list(self.products.items()):
            laws += [Law("a product that is not 0 has no factor 0", (atom,), f) for f in self._factors(product_form)]
            forms = map(knowledge.symmetric_part, product_form.factors)
            if not product_form.powers and all(form in self.known.definite for form in forms):
                laws.append(Law("z^T M z > 0: real eigenvalues are positive, complex ones in pairs", (), atom))
        definite = [(a, m) for a, m in self.matrices.items() if a.op == "posdef"]
        nonsingular = [(a, m) for a, m in self.matrices.items() if a.op == "!="]
        laws += [Law("nonsingular by hypothesis", (), a) for a, m in nonsingular if self.known.is_nonsingular(m)]
        for atom, matrix in definite:
            if self.known.is_definite(matrix):
                laws.append(Law("by hypothesis, or a sum of semidefinite matrices, one definite", (), atom))
            laws += [Law("-M is semidefinite", (atom,), None)] if self.known.is_semidefinite(-matrix) else []
            for other, factor in nonsingular:
                laws += definite_laws(atom, matrix, other, factor, self.known.is_semidefinite(factor))
        for (atom, matrix), (other, more) in combinations(definite, 2):
            if (matrix + more).is_zero:
                laws.append(Law("M and -M are not both positive definite", (atom, other), None))
        C = Free.letter("C")
        for atom in (a for a, m in nonsingular if str(m) == "A"):
            for other, matrix in nonsingular:
                if self.known.is_semidefinite(matrix) and self.known.is_semidefinite(matrix - C):
                    why = "C z = 0 gives z^T A = 0"
                    why = why if matrix == C else f"({matrix}) z = 0 gives C z = 0, and that z^T A = 0"
                    laws.append(Law(why, (atom,), other))
        return laws

    def _lyapunov_pairs(self, M: Free) -> list[tuple[Atom, Atom]]:
        """Return the atoms that say P and -(M^T P + P M) are positive definite, for any P."""
        definite = {atom: matrix for atom, matrix in self.matrices.items() if atom.op == "posdef"}
        return [
            (first, second)
            for first, P in definite.items()
            for second, Q in definite.items()
            if is_multiple(Q, -knowledge.symmetric_part(M.T * P + P * M))
        ]

    def _lyapunov_laws(self, atom: Atom, M: Free) -> list[Law]:
        why = "z = lambda z gives 2 Re(lambda) z* P z = z* (M^T P + P M) z"
        falls = self._definite(-knowledge.symmetric_part(M))
        laws: list[Law] = [Law(f"M {why}, M = {M}, P = I", (falls,), atom)]
        laws += [Law(f"M {why}, M = {M}", pair, atom) for pair in self._lyapunov_pairs(M)]
        S = knowledge.symmetric_part(M)
        laws += [Law(f"S {why}, S = {S}, which is symmetric", pair, falls) for pair in self._lyapunov_pairs(S)]
        return laws

    def _stable_laws(self, atom: Atom, matrix: Expr) -> list[Law]:
        """All 2d eigenvalues have negative real part and complex ones come in pairs, so det > 0."""
        blocks = Meaning().blocks(matrix)
        if len(blocks) != 2:
            M = blocks[0][0]
            turned = self._lyapunov_laws(atom, M.T)
            turned = [law._replace(why=f"{law.why}, and M^T has M's eigenvalues") for law in turned]
            return [*self._lyapunov_laws(atom, M), *turned]
        product_form, steps = next(product_of(det(matrix), Meaning()))
        self.steps += steps
        why = "2d eigenvalues with negative real parts, complex ones in pairs"
        return [Law(why, (atom,), positive) for positive in self._positive(product_form)]
