"""How the report and a derivation are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tdrc_theory.columns import columns
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.written import latex, text
from verify.paper.judgement import Judgement
from verify.paper.report import Answer


def table(answers: Sequence[Answer]) -> Iterator[str]:
    """Yield the lines of the report: a row a claim, then the errata with their counterexamples, then the count."""
    titles = ("claim", "source", "printed", "corrected", "proof", "erratum")
    yield columns(titles, [_row(answer) for answer in answers])
    for answer in answers:
        if answer.claim.erratum is not None:
            yield ""
            yield from _erratum(answer)
    unexpected = [answer.claim.id for answer in answers if not answer.as_expected]
    errors = sum(answer.claim.erratum is not None for answer in answers)
    yield ""
    told = f"{len(answers)} claims: {len(answers) - errors} hold as printed, {errors} do not"
    yield told if not unexpected else f"{told}; not as the registry expects: {', '.join(unexpected)}"


def _row(answer: Answer) -> tuple[str, ...]:
    claim = answer.claim
    corrected = "" if answer.corrected is None else answer.corrected.status.value
    proof = answer.proof.value + ("" if answer.as_expected else " (unexpected)")
    return (claim.id, claim.source, answer.printed.status.value, corrected, proof, claim.erratum or "")


def _erratum(answer: Answer) -> Iterator[str]:
    claim = answer.claim
    yield f"{claim.erratum}  {claim.title} ({claim.source})"
    yield f"  printed    {text(claim.printed)}"
    yield f"  {answer.printed.status.value:9}  {answer.printed.steps[-1].text}"
    if claim.corrected is not None and answer.corrected is not None:
        yield f"  corrected  {text(claim.corrected)}"
        yield f"  {answer.corrected.status.value:9}  by {answer.corrected.rule}, in every dimension"
    if claim.remark:
        yield f"  remark     {claim.remark}"


def explanation(answer: Answer) -> Iterator[str]:
    """Yield a claim's derivation, step by step, in plain text and in LaTeX."""
    claim = answer.claim
    yield f"{claim.id}: {claim.title} ({claim.source}; {claim.role.value})"
    yield from _derivation("printed", claim.printed, answer.printed)
    if claim.corrected is not None and answer.corrected is not None:
        yield from _derivation("corrected", claim.corrected, answer.corrected)
    if claim.theorem is not None:
        yield ""
        if answer.kernel is None:
            yield f"proof assistant: theorem {claim.theorem}, not checked here"
        else:
            yield f"proof assistant: theorem {claim.theorem}, checked here without axioms:"
            yield from (f"  {line}" for line in answer.kernel.splitlines())


def _derivation(which: str, formula: Expr, judgement: Judgement) -> Iterator[str]:
    yield ""
    yield f"{which}: {text(formula)}"
    yield f"  LaTeX: {latex(formula)}"
    yield f"{judgement.status.value} ({judgement.proof.value}), by {judgement.rule}"
    for i, step in enumerate(judgement.steps, 1):
        yield f"  {i}. {step.reason}:"
        yield f"       {step.text}"
        if step.latex:
            yield f"       {step.latex}"
