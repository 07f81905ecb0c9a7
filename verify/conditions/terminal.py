"""A report as text: the answer first, then the verdict with its numbers and the bounds; every check where asked for.

And as a picture; what each check says as a formula; and what stands for a report whose time limit comes first.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING

from tdrc_theory.cli.command import printable
from tdrc_theory.cli.counted import counted
from tdrc_theory.cli.options import chosen_parameters
from tdrc_theory.learner.algorithm import Algorithm
from tdrc_theory.parameters import parameter_texts, setting_text
from tdrc_theory.problem import Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.tables.shown import View
from tdrc_theory.tables.table import Table
from verify.check import Outcome, Status
from verify.conditions.report import ConditionsReport
from verify.conditions.setting import Setting
from verify.conditions.theorem import NOT_OF_THE_THEOREM

if TYPE_CHECKING:
    from rich.console import Console

    from tdrc_theory.figures.panel import Picture


import re
from collections.abc import Iterable

from tdrc_theory.notation import NOTATION, Symbol

_COLOURS = {
    "convergent": "bold green",
    "convergent-to-a-set": "bold green",
    "not-convergent": "bold red",
    "holds": "green",
    "fails": "red",
    "undecided": "yellow",
}
_EXACT_WIDTH = 60
"""Characters of a bound's polynomial that a row shows, which with name and value fit in a line."""
_BOUND_TITLES = ("bound", "value", "exact, or why there is none")
_CHECK_TITLES = ("claim", "status", "proof", "reason")
_ROOM = 40
"""Columns that are left for what is last in a row; in a narrower terminal a row takes a line for each cell."""


def text_for(file: IO[str], report: ConditionsReport, explain: bool = False) -> str:
    """Return a report as text: in colour and fitted to the width of a terminal, as plain aligned columns elsewhere.

    `explain` lists every check, with its formula, and what the symbols stand for.
    """
    return _coloured(file, report, explain) if file.isatty() else plain_text(report, explain)


def plain_text(report: ConditionsReport, explain: bool = False) -> str:
    """Return the report as plain text."""
    blocks = [
        report.answer,
        "\n".join([_headline(report), *(f"  {line}" for line in _facts(report))]),
        *(table.text() for table in _shown(report, explain)),
        "" if explain else _counts(report),
        *(f"note: {line}" for line in _notes(report)),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def tables(report: ConditionsReport, explain: bool = False) -> list[Table]:
    """Return the bounds and the checks; where asked for, also the checks' formulas and what their symbols stand for."""
    result = [
        Table("bounds", _BOUND_TITLES, _bound_rows(report)),
        Table("checks", _CHECK_TITLES, [tuple(map(printable, row)) for row in report.rows()]),
    ]
    if not explain:
        return result
    formulas = [(check.claim, FORMULAS[check.claim]) for check in report.checks]
    symbols = [(symbol.name, symbol.shape, symbol.meaning) for symbol in symbols_of(text for _, text in formulas)]
    return [
        *result,
        Table("formulas", ("claim", "formula"), formulas),
        Table("symbols", ("symbol", "shape", "meaning"), symbols),
    ]


def _shown(report: ConditionsReport, explain: bool) -> list[Table]:
    """Return the tables that are shown: the bounds, and where asked for the others."""
    return tables(report, explain) if explain else tables(report)[:1]


def _counts(report: ConditionsReport) -> str:
    """Return how many checks came out how, and where they are."""
    counts = Counter(check.status for check in report.checks)
    text = ", ".join(
        f"{counts[status]} {status.value.replace('holds', 'hold').replace('fails', 'fail')}"
        for status in Status
        if counts[status]
    )
    return f"{counted(len(report.checks), 'check')}: {text}; --explain lists them, with formulas and symbols"


def _headline(report: ConditionsReport) -> str:
    return printable(f"{report.verdict_text()}: {report.setting_text()} on {report.problem}")


def _facts(report: ConditionsReport) -> list[str]:
    verdict = report.verdict
    lines = report.reasons()
    if verdict.spectral_abscissa is not None:
        ends = verdict.spectral_abscissa
        lines.append(f"spectral abscissa in [{ends.lower!r}, {ends.upper!r}]")
    if report.estimate is not None:
        lines += [f"{name}: {value}" for name, value in report.estimate.facts()]
    ranks = ", ".join(f"{name} {'not computed' if rank is None else rank}" for name, rank in report.ranks.items())
    lines.append(f"ranks: {ranks}")
    for claim, name in (
        ("theorem-3.1.printed.implies-convergence", "Theorem 3.1 as printed"),
        ("theorem-3.1.implies-convergence", "Theorem 3.1 corrected"),
    ):
        lines += [f"{name}: {check.reason}" for check in report.checks if check.claim == claim]
    return [printable(line) for line in lines]


def _bound_rows(report: ConditionsReport) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for name, bound in report.bounds.items():
        if bound == NOT_OF_THE_THEOREM:
            continue
        value = "-" if bound.value is None else f"{bound.value:.8g}"
        exact = bound.exact
        if exact and len(exact) > _EXACT_WIDTH:
            exact = f"{exact[: _EXACT_WIDTH - 3]}..."
        text = [part for part in (exact, bound.reason, bound.enclosure is not None and f"on {bound.domain}") if part]
        rows.append((name, value, "; ".join(text)))
    return rows


def _notes(report: ConditionsReport) -> list[str]:
    return [printable(note) for note in (*report.problem.notes, report.assumptions)]


def _coloured(file: IO[str], report: ConditionsReport, explain: bool) -> str:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=file, highlight=False)
    colour = _COLOURS.get(report.verdict.status.value, "bold yellow") if report.bias is None else "bold yellow"
    with console.capture() as captured:
        console.print(Text(report.answer, style="bold"), Text(), Text(_headline(report), style=colour), sep="\n")
        for line in _facts(report):
            console.print(Text(f"  {line}"))
        for _, titles, rows in _shown(report, explain):
            _show_table(console, titles, rows)
        if not explain:
            console.print(Text(_counts(report)))
        for line in _notes(report):
            console.print(Text(f"note: {line}", style="dim"))
    return captured.get()


def _show_table(console: Console, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under their titles; names and numbers are never broken."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable
    from rich.text import Text

    if not rows:
        return
    fixed = sum(max(len(row[i]) for row in (titles, *rows)) + 2 for i in range(len(titles) - 1))
    if console.width < fixed + _ROOM:
        console.print()
        for name, *cells in rows:
            console.print(Text(name, style="bold"), no_wrap=True, overflow="ignore", crop=False)
            console.print(*(Text(f"  {cell}", style=_COLOURS.get(cell, "")) for cell in cells if cell), sep="\n")
        return
    table = RichTable(box=SIMPLE_HEAD, pad_edge=False)
    for title in titles:
        table.add_column(title, overflow="fold", no_wrap=title != titles[-1])
    for row in rows:
        table.add_row(*(Text(cell, style=_COLOURS.get(cell, "")) for cell in row))
    console.print(table)


def eigenvalues_picture(setting: Setting, verdict: str) -> Picture:
    """Return the eigenvalues of G in the complex plane, in floats: the picture decides nothing."""
    import numpy as np

    from tdrc_theory.figures.panel import COLOURS, Curve, Panel, Picture

    result = np.linalg.eigvals(setting.update.G.to_float())
    reach = max(float(np.abs(result.imag).max(initial=0)), 0.5 * float(np.abs(result.real).max(initial=0)), 1e-3) * 1.1
    curves = [
        Curve("the imaginary axis", [0.0, 0.0], [-reach, reach], plain=True, colour=COLOURS[-1]),
        Curve("eigenvalues of G (float)", result.real.tolist(), result.imag.tolist(), marks=True),
    ]
    listed = ", ".join(f"{value:.4g}" for value in sorted(result, key=lambda value: -value.real)[:8])
    described = f"The eigenvalues of G, in floats, those with the largest real parts first: {listed}."
    return Picture(verdict, described, [Panel(curves, "real part", "imaginary part")])


def undecided_at_limit(problem: Problem | MatrixProblem, algorithm: Algorithm, options: Namespace) -> str:
    """Return the whole output of the command, text or JSON, with an undecided verdict and nothing that needs G.

    The verdict has no kind of evidence, since nothing was decided: `proof` is null in the JSON.

    Raises:
        BadOption: a parameter is out of its range, or the algorithm has no such one.
    """
    setting = Setting.of(problem, algorithm, others=chosen_parameters(options))
    status = Outcome.UNDECIDED.value
    reason = f"not decided within {options.limit_seconds:g} s (--limit-seconds)"
    sentence = f"It is undecided whether the expected update of {algorithm.name} on {problem.name} converges: {reason}."
    if not options.json:
        who = setting_text(algorithm.name, setting.parameters)
        return f"{printable(sentence)}\n\n{printable(f'{status}: {who} on {problem}')}\n  {reason}"
    answer = {
        "answer": printable(sentence),
        "problem": problem.to_json(),
        "algorithm": {"name": algorithm.name, **parameter_texts(setting.parameters), "source": algorithm.source},
        "ranks": dict.fromkeys(("A", "C", "G")),
        "matrices": dict.fromkeys(("A", "b", "C")),
        "bounds": {},
        "checks": [],
        "verdict": {"status": status, "proof": None, "spectral_abscissa": None, "reason": reason, "evidence": {}},
    }
    return json.dumps(answer, allow_nan=False, indent=1)


ConditionsReport.view = View(
    lambda report: report.line,
    tables,
    lambda report: eigenvalues_picture(report.setting, report.line),
    lambda report: [report.answer, *report.reasons()],
)


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
