"""What verdicts, statuses and kinds of evidence are called in a report, how they are marked, and what they mean."""

from __future__ import annotations

from verify.check import Proof

PROOFS = {
    Proof.KERNEL: "a proof assistant checked a proof of it, for every dimension",
    Proof.EXACT: "the machine derived the very statement that is shown, or an exact witness refutes it",
    Proof.ENCLOSED: "ball arithmetic: every rounding error is bounded",
    Proof.ARGUED: "a human argument between lemmas that the machine checked",
    Proof.FLOAT: "floating point without error bounds: a hint, no proof",
    Proof.SAMPLED: "Monte Carlo, with its confidence interval",
}
"""Strongest first."""

VERDICTS = (
    ("convergent", "every eigenvalue of G has negative real part"),
    (
        "convergent-to-a-set",
        "0 is a semisimple eigenvalue, the others have negative real part, and every fixed point solves A w = b",
    ),
    ("not-convergent", "proven not to converge: by an eigenvalue, for lack of a fixed point, or by spurious ones"),
    ("undecided", "not known; never used for no"),
)
BIASES = (
    ("biased", "it converges, but elsewhere than to TD's fixed point; the check fixed-points.equal says where"),
    ("own equation", "it converges to the solution of its own equation, not to TD's fixed point"),
    ("selective", "it converges to only some of TD's fixed points"),
    ("bias unknown", "where it converges to was not compared with TD's fixed points"),
)
"""What stands beside a verdict of an update that does not, or may not, converge to what TD converges to."""
STATUSES = (
    ("holds", "true in every case that it covers"),
    ("fails", "false: by a counterexample or a proof"),
    ("overstated", "a remark that is false only word for word"),
    ("undecided", "not known; a sufficient condition that is not met says nothing"),
)

_SIGNS = {"good": "\u2713", "bad": "\u2717", "open": "?"}
_GOOD = ("convergent", "convergent-to-a-set", "holds")
_BAD = ("not-convergent", "fails")


def mark(status: str, bias: object = None) -> tuple[str, str]:
    """Return how a status is shown: `good`, `bad` or `open`, and a sign, so that colour never speaks alone.

    With a bias beside it, a verdict is not good without reserve.

    >>> mark("not-convergent")
    ('bad', '\u2717')
    >>> mark("convergent", "biased")
    ('open', '!')
    """
    if bias or any(status == word for word, _ in BIASES):
        return "open", "!"
    kind = "good" if status in _GOOD else "bad" if status in _BAD else "open"
    return kind, _SIGNS[kind]


def is_status(text: str) -> bool:
    """Return whether a text is a verdict or a status, which is marked wherever it stands."""
    return any(text == word for word, _ in (*VERDICTS, *STATUSES))
