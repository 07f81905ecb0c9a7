"""How the report and a derivation are shown; first what a reader would want to know, in five lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from tdrc_theory.cli.counted import counted
from tdrc_theory.figures.panel import COLOURS, Area, Panel, Picture
from tdrc_theory.formula.expression import Expr
from tdrc_theory.formula.written import text
from tdrc_theory.judgement import Judgement
from tdrc_theory.papers.claim import Claim, Content, Kind, Paper, Places, Severity
from tdrc_theory.tables.shown import View
from tdrc_theory.tables.table import Table
from verify.check import Proof, Status
from verify.paper import report
from verify.paper.facts.content import Assertion, sentence
from verify.paper.report import Answer, Answers, Finding

SHOWN = 8
"""Errata that a line lists; of more it says how many."""


def opening(paper: Paper, answers: Sequence[Answer]) -> tuple[str, ...]:
    """Return five lines: what was judged and holds, what is wrong by how much it matters, and what that changes."""
    return (
        f"{paper.title} ({_authors(paper)}, {paper.year}): {counted(len(answers), 'claim')} judged",
        f"holds as printed: {_holding(answers)}",
        _listed(answers, Severity.WRONG_RESULT),
        f"{_count(answers, Severity.WRONG_STEP, 'wrong step')} whose results stand, "
        f"{counted(len(numbers(answers, Severity.OVERSTATED)), 'overstated remark')}, "
        f"{_count(answers, Severity.SLIP, 'slip')}",
        f"what it changes: {_changes(answers)}",
    )


def _authors(paper: Paper) -> str:
    first, *others = paper.authors
    return first if not others else f"{first} and {others[0]}" if len(others) == 1 else f"{first} and others"


def _holding(answers: Sequence[Answer]) -> str:
    held = [answer for answer in answers if answer.printed.status is Status.HOLDS]
    shown = _kinds(answer.printed_proof for answer in held)
    open_ones = sum(answer.printed.status is Status.UNDECIDED for answer in answers)
    return f"{len(held)} of {len(answers)}{f' ({shown})' if shown else ''}; {open_ones} undecided"


def _of(answers: Sequence[Answer], severity: Severity) -> list[Answer]:
    """Return the claims that were refuted, or said to contradict each other, of one severity."""
    return [a for a in answers if a.claim.severity is severity and a.printed.status is Status.FAILS]


def numbers(answers: Sequence[Answer], severity: Severity) -> dict[str, Answer]:
    """Return the errata of one severity by number, each under the worst that one of its claims has."""
    order = list(Severity)
    worse = {a.claim.erratum for other in order[: order.index(severity)] for a in _of(answers, other)}
    result = {a.claim.erratum or "": a for a in reversed(_of(answers, severity)) if a.claim.erratum not in worse}
    return dict(sorted(result.items(), key=lambda pair: report.order(pair[0])))


def _listed(answers: Sequence[Answer], severity: Severity) -> str:
    result = numbers(answers, severity)
    listed = [f"{number} ({re.split('[;,]', answer.claim.source)[0]})" for number, answer in result.items()]
    more = f" and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
    return f"{counted(len(result), 'wrong result')}{': ' if result else ''}{', '.join(listed[:SHOWN])}{more}"


def _count(answers: Sequence[Answer], severity: Severity, name: str) -> str:
    result = numbers(answers, severity)
    return f"{counted(len(result), name)} ({', '.join(result)})" if result else counted(0, name)


def _changes(answers: Sequence[Answer]) -> str:
    """Return what is true in the place of wrong results, and how well that is known."""
    wrong = _of(answers, Severity.WRONG_RESULT)
    mended = [a for a in wrong if a.corrected is not None and a.corrected.status is Status.HOLDS]
    parts = {
        f"{counted(len(wrong), 'claim')} must not be used as printed": wrong,
        f"for {len(mended)} a correction holds ({_kinds(a.corrected_proof for a in mended)})": mended,
        f"for {len(wrong) - len(mended)} there is no correction": len(wrong) - len(mended),
    }
    return "; ".join(part for part, there in parts.items() if there) or "no result"


def _kinds(proofs: Iterable[Proof | None]) -> str:
    """Return how many there are of each kind of evidence, the strongest first; "none" where none is claimed."""
    kinds = Counter(report.proof_name(proof) or "none" for proof in proofs)
    return ", ".join(f"{kinds[kind]} {kind}" for kind in (*(proof.value for proof in Proof), "none") if kinds[kind])


def table(answers: Sequence[Answer]) -> Iterator[str]:
    """Yield a row a claim, then what does not hold as printed, then the counts."""
    yield claims_table(answers).text()
    yield ""
    yield from errata(answers)


def claims_table(answers: Sequence[Answer]) -> Table:
    """Return a row a claim."""
    titles = ("claim", "source", "printed", "corrected", "proof", "erratum")
    return Table("claims", titles, [_row(answer) for answer in answers])


def errata(answers: Sequence[Answer]) -> Iterator[str]:
    """Yield what does not hold as printed: errors, contradictions, overstated remarks, in order; then the counts."""
    for kind, meaning in report.MEANING.items():
        result = [answer for answer in answers if answer.finding is kind]
        if result:
            yield from wrap(meaning, 120)
            yield ""
        for answer in sorted(result, key=lambda answer: report.order(answer.claim.erratum or "")):
            yield from _pair(answer) if is_a_pair(answer) else _erratum(answer)
            yield ""
    unexpected = [answer.claim.id for answer in answers if not answer.as_expected]
    if any(answer.claim.kind is not Kind.FORMULA for answer in answers):
        yield from wrap(f"{ON_WORDS} (--explain).", 120)
    if any(answer.claim.kind is Kind.FORMULA for answer in answers):
        yield from wrap(ON_FORMULAS, 120)
    yield _evidence_counts(answers)
    text = counts(answers)
    yield text if not unexpected else f"{text}; not as the registry expects: {', '.join(unexpected)}"


def counts(answers: Sequence[Answer]) -> str:
    """Return how many claims hold as printed, and how many are errors, contradictions, overstated or undecided."""
    result = Counter(answer.finding for answer in answers)
    text = [
        counted(result[kind], report.COUNTED[kind].removesuffix("s"))
        for kind in report.MEANING
        if result[kind] or kind is not Finding.UNDECIDED
    ]
    return f"{counted(len(answers), 'claim')}: {result[None]} hold as printed, {', '.join(text)}"


def _evidence_counts(answers: Sequence[Answer]) -> str:
    printed = _kinds(answer.printed_proof for answer in answers)
    corrected = _kinds(answer.corrected_proof for answer in answers if answer.corrected is not None)
    parts = (f"{what} {kinds}" for what, kinds in (("as printed", printed), ("corrected", corrected)) if kinds)
    return f"proof: {'; '.join(parts)}"


ON_WORDS = (
    "A claim in words is kernel where Coq accepted the theorem that puts it, or its contrary, into symbols, exact or "
    "enclosed where the sentence is made from what was evaluated, sampled where that is published means, and argued "
    "where a person concludes it from lemmas that were checked: theorem and argument are for the reader to compare"
)
ON_FORMULAS = (
    "Formulas are about every dimension and all values of their symbols (--explain CLAIM tells their ranges, such as "
    "symmetric positive semidefinite C); where an inverse in them does not exist they say nothing."
)


def _row(answer: Answer) -> tuple[str, ...]:
    claim = answer.claim
    printed = answer.printed.status.value
    if answer.finding is Finding.OVERSTATED and answer.printed.status is Status.FAILS:
        printed = Finding.OVERSTATED.value
    printed += f" ({report.proof_name(answer.printed_proof) or '-'})"
    corrected = "" if answer.corrected is None else answer.corrected.status.value
    corrected += f" ({report.proof_name(answer.corrected_proof)})" if corrected else ""
    proof = (report.proof_name(answer.proof) or "-") + ("" if answer.as_expected else " (unexpected)")
    return (claim.id, claim.source, printed, corrected, proof, claim.erratum or "")


def is_a_pair(answer: Answer) -> bool:
    """Return whether it is two places that contradict each other."""
    return isinstance(answer.statement, Places)


def _pair(answer: Answer) -> Iterator[str]:
    """Yield what two places say."""
    claim = answer.claim
    yield f"{claim.erratum}  {claim.title}: {_severity(claim)}"
    yield from (f"  {step.reason}: {step.text}" for step in answer.printed.steps)
    if claim.remark:
        yield f"  remark     {claim.remark}"


def _erratum(answer: Answer) -> Iterator[str]:
    claim = answer.claim
    printed, corrected = labels(answer)
    graded = "" if claim.severity is None else f": {_severity(claim)}"
    yield f"{claim.erratum or claim.id}  {claim.title} ({claim.source}){graded}"
    yield f"  {printed:12} {sentence(answer.statement)}"
    yield from _where(answer.meanings(claim.printed))
    first, *others = evidence(answer.statement, answer.printed)
    yield f"  {answer.printed.status.value:12} {first}"
    yield from (f"               {line}" for line in others)
    if answer.correction is not None and answer.corrected is not None:
        yield f"  {corrected:12} {sentence(answer.correction)}"
        known_already = answer.meanings(claim.printed)
        yield from _where(each for each in answer.meanings(claim.corrected) if each not in known_already)
        where = ", in every dimension" if isinstance(answer.correction, Expr) else ""
        known = report.proof_name(answer.corrected_proof)
        yield f"  {answer.corrected.status.value:12} by {answer.corrected.rule}{where} ({known})"
    if claim.remark:
        yield f"  {'remark':12} {claim.remark}"


def _where(meanings: Iterable[Expr]) -> Iterator[str]:
    """Yield what names in a formula stand for."""
    yield from (f"  {'where':12} {text(meaning)}" for meaning in meanings)


def _severity(claim: Claim) -> str:
    """Return how much an erratum matters; "" where there is none."""
    return "" if claim.severity is None else claim.severity.value


def labels(answer: Answer) -> tuple[str, str]:
    """Return what the judged statement and the right one are called."""
    return ("word by word", "true") if answer.finding is Finding.OVERSTATED else ("printed", "corrected")


_ACCEPTED = "checked here without axioms:"


def explanation(answer: Answer) -> Iterator[str]:
    """Yield a claim's derivation, step by step, in plain text and in LaTeX."""
    claim = answer.claim
    yield f"{claim.id}: {claim.title} ({claim.source}; {claim.role.value})"
    printed, corrected = labels(answer)
    yield from _derivation(printed, answer.statement, answer.printed, answer, claim.printed)
    if answer.correction is not None and answer.corrected is not None:
        yield from _derivation(corrected, answer.correction, answer.corrected, answer, claim.corrected)
    for name, part, accepted in answer.theorems:
        yield ""
        yield f"proof assistant: theorem {name}{part}, {'not checked here' if accepted is None else _ACCEPTED}"
        yield from (f"  {line}" for line in (accepted or "").splitlines())


def evidence(statement: Assertion, judgement: Judgement) -> list[str]:
    """Return the counterexample of a formula; for words, what was evaluated."""
    if not isinstance(statement, Expr):
        return [f"{step.reason}: {step.text}" if step.text else step.reason for step in judgement.steps]
    return [judgement.steps[-1].text]


def _derivation(
    which: str, statement: Assertion, judgement: Judgement, answer: Answer, content: Content | None
) -> Iterator[str]:
    yield ""
    yield f"{which}: {sentence(statement)}"
    yield f"  LaTeX: {report.statement_latex(statement)}"
    yield from (f"  where {text(meaning)}" for meaning in answer.meanings(content))
    if isinstance(content, Expr):
        yield f"  for every {answer.ranges(content)}"
    yield f"{judgement.status.value} ({report.proof_name(judgement.proof) or '-'}), by {judgement.rule}"
    for i, step in enumerate(judgement.steps, 1):
        yield f"  {i}. {step.reason}:"
        yield f"       {step.text}"
        if step.latex:
            yield f"       {step.latex}"


def _line(answers: Answers) -> str:
    names = dict.fromkeys(answer.paper.title for answer in answers)
    return f"{', '.join(names)}: {counts(answers)}"


def picture(answers: Answers) -> Picture:
    """Return how many claims come out how as printed, by the kind of evidence."""
    kinds = [proof for proof in Proof if any(each.printed_proof is proof for each in answers)]
    begin, areas = dict.fromkeys(kinds, 0), []
    for status, colour in ((Status.HOLDS, COLOURS[0]), (Status.FAILS, COLOURS[1]), (Status.UNDECIDED, COLOURS[5])):
        boxes = []
        for row, kind in enumerate(kinds):
            count = sum(each.printed_proof is kind and each.printed.status is status for each in answers)
            left, right = begin[kind], begin[kind] + count
            begin[kind] = right
            boxes += [[(left, row - 0.4), (right, row - 0.4), (right, row + 0.4), (left, row + 0.4)]] if count else []
        areas += [Area(f"{status.value} as printed", boxes, colour, filled=True)] if boxes else []
    ticks = [(float(row), kind.value) for row, kind in enumerate(kinds)]
    most = 1.05 * max(begin.values(), default=1)
    ends = (-0.6, len(kinds) - 0.4)
    panel = Panel([], "claims", "evidence", areas=areas, x_ends=(0.0, most), y_ends=ends, y_ticks=ticks)
    return Picture(_line(answers), f"{_line(answers)}. {_evidence_counts(answers)}.", [panel])


Answers.view = View(_line, lambda answers: [claims_table(answers)], picture)
