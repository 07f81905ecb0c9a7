"""A certificate as Coq's terms: the claim, the verdict, and what proves it, numerators over common denominators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from verify.check_certificate import Number, Rejected, table
from verify.kernel.terms import boolean, cleared, row, rows, surd, whole

VERDICTS = {
    "convergent": "Convergent",
    "convergent-to-a-set": "Convergent_to_a_set",
    "not-convergent": "Not_convergent",
}


class CertificateTerms(NamedTuple):
    """What `accepts` of certificates.v judges: a claim, a verdict and a certificate."""

    claim: str
    verdict: str
    certificate: str


def certificate_terms(document: Mapping[str, Any]) -> CertificateTerms:
    """Return a certificate's terms, whether or not it proves its claim.

    Raises:
        Rejected: there are other things than numbers in it, or a kind or verdict that there is not.
    """
    claim, proof = document["claim"], document["proof"]
    over, (G, [g]) = cleared(_numbers(claim["G"]), [_vector(claim["g"])])
    over_A, (A, [b]) = cleared(_numbers(claim["A"]), [_vector(claim["b"])])
    sizes, own = f"{len(G)} {len(A)}", boolean(claim["fixed_points"] == "own")
    if claim["verdict"] not in VERDICTS or proof["kind"] not in _KINDS:
        raise Rejected("no such verdict or kind of proof")
    term = f"(Claim {sizes} {whole(over)}\n {rows(G)}\n {row(g)} {whole(over_A)}\n {rows(A)}\n {row(b)} {own})"
    return CertificateTerms(term, VERDICTS[claim["verdict"]], f"({_KINDS[proof['kind']](proof)})")


def _numbers(value: Any) -> list[list[Number]]:
    return table(value, "a matrix", None, None)


def _vector(value: Any) -> list[Number]:
    return table([value], "a vector", None, None)[0]


def _integers(value: Any) -> str:
    return rows(cleared(_numbers(value))[1][0])


def _direction(value: Any) -> str:
    """Return a positive multiple of a vector."""
    return row(cleared([_vector(value)])[1][0][0])


def _point(value: Any) -> str:
    """Return a vector and its denominator."""
    denominator, [[point]] = cleared([_vector(value)])
    return f"{row(point)} {whole(denominator)}"


def _stable(proof: Mapping[str, Any]) -> str:
    (p, [N]), (q, [M]) = cleared(_numbers(proof["kernel"])), cleared(_numbers(proof["left"]))
    P, D, W = _integers(proof["P"]), _direction(proof["D"]), _integers(proof["W"])
    return f"Stable\n {rows(N)}\n {rows(M)} {whole(p * q)} {_point(proof['point'])}\n {P}\n {D}\n {W}"


def _unstable(proof: Mapping[str, Any]) -> str:
    denominator, [[[shift]]] = cleared([_vector([proof["shift"]])])
    P, D, v = _integers(proof["P"]), _direction(proof["D"]), _direction(proof["vector"])
    return f"Unstable {surd(shift)} {whole(denominator)}\n {P}\n {D}\n {v}"


def _factor(proof: Mapping[str, Any]) -> str:
    polynomial = _direction(proof["polynomial"])
    scale, [inverse] = cleared(_numbers(proof["inverse"]))
    denominator, [[vector]] = cleared([_vector(proof["vector"])])
    if any(len(values) != len(inverse[0]) for values in inverse):
        raise Rejected("inverse: not numbers in the right places")
    turned = list(zip(*inverse, strict=True))
    return f"Factor {row(vector)} {polynomial}\n {rows(turned)} {whole(scale * denominator)}"


def _no_fixed_point(proof: Mapping[str, Any]) -> str:
    return f"No_fixed_point {_direction(proof['vector'])}"


def _spurious(proof: Mapping[str, Any]) -> str:
    return f"Spurious_fixed_point {_direction(proof['direction'])} {_point(proof['point'])}"


_KINDS = {
    "stable": _stable,
    "unstable": _unstable,
    "factor": _factor,
    "no-fixed-point": _no_fixed_point,
    "spurious-fixed-point": _spurious,
}
