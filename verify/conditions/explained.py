"""What each check says as a formula, and what its symbols stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tdrc_theory.notation import NOTATION, Symbol

FORMULAS = {
    "theorem-3.1.coverage": "b(a|s) > 0 wherever pi(a|s) > 0",
    "theorem-3.1.bounded-moments": "E[rho^2 x x^T], E[rho^2 x' x'^T] and E[rho^2 R^2] are finite",
    "theorem-3.1.A-plus-beta-I-nonsingular": "det(A + beta I) != 0",
    "theorem-3.1.C-nonsingular": "det C != 0",
    "theorem-3.1.eta-positive": "eta > 0",
    "theorem-3.1.A-nonsingular": "det A != 0",
    "theorem-3.1.case-i": "z^T H z > 0 for every real z other than 0",
    "theorem-3.1.case-ii.printed": "beta < -lambda_max(H^-1 A A^T) and eta > -lambda_min(C^-1 H)",
    "theorem-3.1.case-ii": (
        "beta < the least t > 0 with det(A A^T + t H) = 0, if there is one, and eta > max(0, -lambda_min(C^-1 H))"
    ),
    "theorem-3.1.note": "-lambda_max(H^-1 A A^T) > 0 and -lambda_min(C^-1 H) > 0 unless H is positive definite",
    "theorem-3.1.printed.implies-convergence": (
        "coverage, bounded-moments, A-plus-beta-I-nonsingular, C-nonsingular, and case-i or case-ii.printed"
    ),
    "theorem-3.1.implies-convergence": "those, with eta-positive, A-nonsingular, and case-i or case-ii",
    "necessary.determinant": "det(V^T (A A^T + beta A) V) > 0, the columns of V being a basis of range(C)",
    "condition.C1": "Omega > 0 for every complex z other than 0",
    "condition.C2": "Omega^2 + Xi > 0 for every complex z other than 0",
    "condition.C3": (
        "Omega^2 (beta lambda_r + b_a) + beta lambda_c^2 (eta b_c + lambda_r) > 0 for every complex z other than 0"
    ),
    "conditions.imply-convergence": "C1 and C3, which imply C2",
    "conditions-on-range-of-C.imply-convergence": "C1 and C3 for every complex z other than 0 in range(C)",
    "theorem-fixed-points.hypotheses": "det(C + beta I) != 0 and det(A + beta I) != 0",
    "fixed-points.equal": "the w of the solutions of G varrho + g = 0 are those with A w = b",
    "fixed-points.own": "the w of the solutions of G varrho + g = 0 are those of the equation it is made to solve",
    "true-values": "w.x(s) = v_pi(s) wherever d(s) > 0, for every solution of G varrho + g = 0",
    "trace-variance": "E[e e^T | state] is finite for every memory e",
}
"""The formula of each claim that a check may have."""

_WORDS = re.compile(r"[A-Za-z](?:\w*\w)?")


def symbols_of(formulas: Iterable[str]) -> list[Symbol]:
    """Return the rows of the notation whose names the formulas use, and those that their meanings use, in its order.

    >>> [symbol.name for symbol in symbols_of(["Omega > 0"])]
    ['eta', 'beta', 'z', 'b_c', 'lambda_r', 'Omega']
    """
    known = {symbol.name: symbol for symbol in NOTATION}
    used: set[str] = set()
    waiting = [word for formula in formulas for word in _WORDS.findall(formula)]
    while waiting:
        word = waiting.pop()
        if word in known and word not in used:
            used.add(word)
            if word in ("Omega", "Xi", "H", "b_c", "b_a", "lambda_r", "lambda_c"):
                waiting += _WORDS.findall(known[word].meaning)
    return [symbol for symbol in NOTATION if symbol.name in used]
