"""Equations: by normal forms in the free algebra, in every dimension, and by elimination between equations.

Elimination is by block rows, and by inverses that exist by hypothesis.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice

from tdrc_theory.algebra import Free, Scalar, is_column, is_row, letter_tree, transposed
from tdrc_theory.formula.expression import Expr, becomes, conjuncts, equal, implies, parted, symbol
from tdrc_theory.formula.written import text
from tdrc_theory.judgement import Step
from verify.prove.determinants import product_of
from verify.prove.entailment import sequents
from verify.prove.knowledge import Knowledge, inverted, is_nonsingularity
from verify.prove.meaning import Blocks, Meaning, NotProven, Proof, blocks_tree, cancelling, is_never_zero, prover

_COMPARED = 300
"""Normal forms of the left side that are compared with those of the right side."""


@prover
def prove_identity(formula: Expr) -> Proof | None:
    """Prove `left = right`, or `hypotheses imply left = right` where the hypotheses are equations or are not needed."""
    hypotheses, conclusion = parted(formula)
    equations = conjuncts(conclusion)
    if any(part.op != "=" for part in equations):
        return None
    rule = "determinant identity" if conclusion.has("det") else "normal forms in the free algebra"
    return rule, tuple(step for part in equations for step in _one(part, hypotheses))


def _one(equation: Expr, hypotheses: tuple[Expr, ...]) -> list[Step]:
    turned = _conjugated(equation)
    left, right = turned.args
    if equation.has("det"):
        return _determinants(left, right)
    meaning = Meaning(sampled=_sampled((equation, *hypotheses)))
    steps = assume(hypotheses, meaning)
    a, b = _both_sides(turned, meaning)
    if a != b:
        raise NotProven
    steps.append(Step.stating("left side", equal(left, blocks_tree(a))))
    return [*steps, Step.stating("right side", equal(right, blocks_tree(b)))]


def _both_sides(equation: Expr, meaning: Meaning) -> tuple[Blocks, Blocks]:
    """Return the blocks of both sides; the rules of inverses on either side, known the second time, hold on both."""
    for side in equation.args:
        meaning.blocks(side)
    left, right = equation.args
    return meaning.blocks(left), meaning.blocks(right)


def _conjugated(equation: Expr) -> Expr:
    """Return an equation in which z is only transposed with z* for z^T: all else being real, it says the same."""
    turned, z = equation, symbol("z")
    for path, node in equation.walk():
        if node == z.T:
            turned = turned.replaced(path, z.star)
    bare = sum(node == z for _, node in equation.walk()) - sum(node == z.T for _, node in equation.walk())
    return turned if bare == 0 and "i" not in equation.names() else equation


def _determinants(left: Expr, right: Expr) -> list[Step]:
    meaning = Meaning()
    forms = list(islice(product_of(left, meaning), _COMPARED))
    targets = list(islice(product_of(right, meaning), _COMPARED))
    for product, steps in forms:
        for target, target_steps in targets:
            if product.key == target.key:
                head = [Step.stating("left side", left), *steps]
                tail = [Step.stating("right side", right), *target_steps, Step.stating("which is", target.tree())]
                return [*head, *tail]
    raise NotProven


def assume(hypotheses: tuple[Expr, ...], meaning: Meaning) -> list[Step]:
    """Make rewriting rules of the hypotheses that are equations; return a step for each."""
    steps = []
    for hypothesis in hypotheses:
        if hypothesis.op != "=":
            continue
        left, right = (chain.from_iterable(meaning.blocks(side)) for side in hypothesis.args)
        for a, b in zip(left, right, strict=True):
            steps += _rule(a - b, hypothesis, meaning)
    return steps


def _rule(difference: Free, hypothesis: Expr, meaning: Meaning) -> list[Step]:
    """Make the equation difference = 0 a rule for its longest word, or for a scalar that it is solved for."""
    why = "by hypothesis {}"
    scalar = difference.as_scalar()
    if scalar is not None:
        solved = _solved(scalar)
        if solved is None:
            return []
        meaning.scalars[solved[0]] = solved[1]
        return [Step.stating(why, becomes(letter_tree(solved[0]), solved[1].tree()), hypothesis)]
    rule = _leading(difference)
    if rule is None:
        return []
    word, image = rule
    meaning.rules.add(word, image)
    steps = [Step.stating(why, becomes(Free.word(word).tree(), image.tree()), hypothesis)]
    if image.is_zero and len(word) == 2 and word[0] == "C" and meaning.sampled:
        meaning.orthogonal.append(word[1])
        for letter in ("F^T", "b^T"):
            meaning.rules.add((letter, word[1]), Free())
        z = word[1]
        vanishing = f"E[(x^T {z})^2] = 0, so x^T {z} = 0 almost surely: F^T {z} -> 0, b^T {z} -> 0"
        steps.append(Step(f"C {z} = 0", vanishing))
    return steps


def _solved(difference: Scalar) -> tuple[str, Scalar] | None:
    """Return a symbol and its value, where an equation between scalars is solved for one."""
    for monomial, c in difference.terms:
        if len(monomial) == 1 and monomial[0][1] == 1 and isinstance(monomial[0][0], str) and monomial[0][0] != "i":
            g = monomial[0][0]
            rest = difference - Scalar({monomial: c})
            if g not in rest.generators():
                return g, -rest * Scalar.number(c).inverse()
    return None


def _leading(difference: Free) -> tuple[tuple[str, ...], Free] | None:
    """Return a longest word, so that rewriting ends, and what it equals; its coefficient must not be 0 anywhere."""
    longest = max((len(word) for word, _ in difference.terms), default=0)
    for word, c in difference.terms:
        if len(word) == longest > 0 and is_never_zero(c):
            return word, (Free({word: c}) - difference) * c.inverse()
    return None


Origin = tuple[str, tuple[Free, ...]]
"""Why an equation holds, and the equations that it follows from."""
_ROUNDS = 3
_MOST = 400


@prover
def prove_equations(formula: Expr) -> Proof | None:
    """Prove that hypotheses (equations, and determinants that are not 0) imply equations, or are equivalent to them."""
    if not formula.has("implies", "iff"):
        return None
    steps: list[Step] = []
    for hypotheses, goal in sequents(formula):
        if goal.op != "=" or goal.has("det"):
            return None
        premises = " and ".join(text(h) for h in hypotheses)
        steps.append(Step("to show", f"{premises} => {text(goal)}", implies(*hypotheses, goal)))
        steps += _by_rules(hypotheses, goal) or _by_elimination(hypotheses, goal)
    return "elimination between equations", tuple(steps)


def _by_rules(hypotheses: Sequence[Expr], goal: Expr) -> list[Step] | None:
    """Put the hypotheses into the goal, as rules or with their left sides for their right sides."""
    equations = _equations(hypotheses)
    turned = goal
    for equation in equations:
        turned = _with_left_side(turned, equation)
    return _by_assuming(equations, goal) or _by_assuming((), turned)


def _equations(hypotheses: Sequence[Expr]) -> tuple[Expr, ...]:
    return tuple(h for h in hypotheses if h.op == "=" and not h.has("det"))


def _with_left_side(formula: Expr, equation: Expr) -> Expr:
    left, right = equation.args
    for path, node in reversed(list(formula.walk())):
        if node == right and right.op != "number":
            formula = formula.replaced(path, left)
    return formula


def _by_assuming(equations: tuple[Expr, ...], goal: Expr) -> list[Step] | None:
    meaning = Meaning(sampled=_sampled((*equations, goal)))
    steps = assume(equations, meaning)
    a, b = _both_sides(goal, meaning)
    return [*steps, Step.stating("then both sides are the same", goal)] if a == b else None


def _sampled(formulas: Sequence[Expr]) -> bool:
    return any(formula.has("E") for formula in formulas)


def _by_elimination(hypotheses: Sequence[Expr], goal: Expr) -> list[Step]:
    meaning = Meaning(sampled=_sampled((*hypotheses, goal)))
    inverses = [Free.scalar(1)]
    for hypothesis in hypotheses:
        if is_nonsingularity(hypothesis):
            inverse = meaning.one(Expr("inv", hypothesis.args[0].args))
            inverses += [inverse, inverse.T]
    equations: dict[Free, Expr] = {}
    for hypothesis in _equations(hypotheses):
        equations |= dict.fromkeys(_differences(hypothesis, meaning), hypothesis)
        inverses += [meaning.one(node.args[0]) for _, node in hypothesis.walk() if node.op == "inv"]
    goals = _differences(goal, meaning)
    definite = _definite_letters(hypotheses, goal, meaning)
    return [step for wanted in goals for step in _reach(equations, wanted, inverses, definite, meaning)]


def _differences(equation: Expr, meaning: Meaning) -> list[Free]:
    left, right = (chain.from_iterable(side) for side in _both_sides(equation, meaning))
    return [a - b for a, b in zip(left, right, strict=True)]


def _reach(
    equations: Mapping[Free, Expr],
    wanted: Free,
    inverses: Sequence[Free],
    definite: Sequence[str],
    meaning: Meaning,
) -> list[Step]:
    """Return the steps from equations e = 0 to wanted = 0, each a combination of earlier ones."""
    known: dict[Free, Origin] = dict.fromkeys(equations, ("from {}", ()))
    for _ in range(_ROUNDS):
        reached = chain(_following(list(known), inverses, meaning), _without_square(list(known), definite))
        for e, (why, origin) in list(reached):
            if len(known) > _MOST:
                break
            known.setdefault(e, (why, origin))
        for target in (wanted, -wanted):
            if target in known:
                return _trace(target, known, equations)
    raise NotProven


def _following(known: Sequence[Free], inverses: Sequence[Free], meaning: Meaning) -> Iterator[tuple[Free, Origin]]:
    """Yield what follows from equations e = 0 in one step: K e = 0, e + c f = 0, and e with v = 0 put into it."""
    for e in known:
        for inverse in inverses[1:]:
            product = (inverse * e).reduced(meaning.rules)
            if len(product.terms) <= len(e.terms):
                yield product, (f"multiply by {inverse} from the left", (e,))
    for e in known:
        for f in known:
            if e == f:
                continue
            for word, multiple in cancelling(e, f):
                if is_column(word[-1]):
                    yield e + f * multiple, (f"add {multiple} times ({f} = 0)", (e, f))
    for e in known:
        if len(e.terms) == 1 and len(e.terms[0][0]) == 1 and is_never_zero(e.terms[0][1]):
            letter = e.terms[0][0][0]
            for f in known:
                if f != e:
                    kept = Free({word: c for word, c in f.terms if word[-1] != letter})
                    if kept != f:
                        yield kept, (f"put {letter} = 0", (f, e))


def _definite_letters(hypotheses: Sequence[Expr], goal: Expr, meaning: Meaning) -> list[str]:
    """Return the letters of matrices that are positive definite: C where it is nonsingular, and inverses of such."""
    formulas = (*hypotheses, goal)
    needed = [matrix for formula in formulas for matrix in inverted(formula)]
    known = Knowledge(hypotheses, needed)
    letters = ["C"] if known.is_nonsingular(Free.letter("C")) else []
    for matrix in needed:
        inverse = meaning.one(Expr("inv", (matrix,)))
        if known.is_definite(meaning.one(matrix)) and [len(word) for word, _ in inverse.terms] == [1]:
            letters.append(inverse.terms[0][0][0])
    return letters


def _without_square(known: Sequence[Free], definite: Sequence[str]) -> Iterator[tuple[Free, Origin]]:
    """Yield M^T v = 0 for M K M^T v = 0, where K is I or positive definite, because v^T M K M^T v = 0."""
    for e in known:
        for size in (1, 2):
            starts = {word[:size] for word, _ in e.terms}
            if len(starts) != 1 or any(len(word) <= size for word, _ in e.terms):
                continue
            M, *K = starts.pop()
            if is_column(M) or is_row(M) or any(k not in definite for k in K):
                continue
            rest = Free({word[size:]: c for word, c in e.terms})
            for form, used in _modulo(rest, known):
                if all(word[0] == transposed(M) for word, _ in form.terms):
                    square = Free.word((M, *K, transposed(M)))
                    why = f"v^T {square} v = 0 with {transposed(M)} v = {rest}"
                    yield rest, (why, (e, *used))


def _modulo(form: Free, known: Sequence[Free]) -> Iterator[tuple[Free, tuple[Free, ...]]]:
    """Yield a sum of words, and the same plus a multiple of what is 0 that cancels a word of it."""
    yield form, ()
    yield from ((form + f * multiple, (f,)) for f in known for _, multiple in cancelling(form, f))


def _trace(target: Free, known: dict[Free, Origin], equations: Mapping[Free, Expr]) -> list[Step]:
    why, origin = known[target]
    steps = [step for e in origin for step in _trace(e, known, equations)]
    last = Step.stating(why, equal(target.tree(), 0), None if origin else equations[target])
    return list(dict.fromkeys([*steps, last]))
