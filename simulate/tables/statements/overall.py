"""The introduction, and the section on overall performance: the Adagrad table."""

from __future__ import annotations

from simulate.statement import Statement, Support
from simulate.tables.comparison import Evidence, as_good, lower, ratio, worse
from simulate.tables.statements.wording import WALKS, by_problem, means, number
from tdrc_theory.published import COMPARABLE, GOOD

_ADAGRAD = "adagrad"
_COMPLETE = ("gtd2", "tdc", "td", "tdrc")
"""Rows with a cell on every problem."""


def _worst(evidence: Evidence, row: str) -> tuple[float, str]:
    """Return the largest ratio of a row to the best of a column, and the problem."""
    columns = evidence.columns(_ADAGRAD)
    ratios = {p: ratio(c[row], min(c.values(), key=lambda found: found.mean)) for p, c in columns.items() if row in c}
    worst = max(ratios, key=lambda problem: ratios[problem])
    return ratios[worst], worst


def _performs_best(evidence: Evidence) -> Support:
    worst = {row: _worst(evidence, row) for row in _COMPLETE}
    told = ", ".join(f"{row} {by_problem({problem: value})}" for row, (value, problem) in worst.items())
    return Support(
        min(worst, key=lambda row: worst[row][0]) == "tdrc", f"times the best of the column, at worst: {told}"
    )


def _others_fail(evidence: Evidence) -> Support:
    columns = evidence.columns(_ADAGRAD)
    rows = [row for row in columns["baird"] if row != "tdrc"]
    fails = {row: [p for p, c in columns.items() if row in c and worse(c[row], c["tdrc"])] for row in rows}
    told = "; ".join(
        f"{row} " + (by_problem({p: ratio(columns[p][row], columns[p]["tdrc"]) for p in found}) or "nowhere")
        for row, found in fails.items()
    )
    return Support(all(fails.values()), f"times TDRC, where noticeably worse: {told}")


def _beats_gradient_methods(evidence: Evidence) -> Support:
    columns = evidence.columns(_ADAGRAD)
    wins = {row: [p for p, c in columns.items() if lower(c["tdrc"], c[row])] for row in ("gtd2", "tdc")}
    told = ", ".join(f"{row} on {len(found)} of {len(columns)} problems" for row, found in wins.items())
    return Support(all(2 * len(found) > len(columns) for found in wins.values()), f"lower than {told}")


def _matches_td(evidence: Evidence) -> Support:
    columns = {p: c for p, c in evidence.columns(_ADAGRAD).items() if p != "baird"}
    told = by_problem({p: ratio(c["tdrc"], c["td"]) for p, c in columns.items()})
    return Support(all(as_good(c["tdrc"], c["td"]) for c in columns.values()), f"times TD: {told}")


def _gtd2_slow(evidence: Evidence) -> Support:
    columns = evidence.columns(_ADAGRAD)
    slowest = [p for p, c in columns.items() if all(lower(c[row], c["gtd2"]) for row in c if row != "gtd2")]
    told = by_problem({p: c["gtd2"].mean for p, c in columns.items() if p in slowest}) or "none"
    return Support(2 * len(slowest) > len(columns), f"highest of all on {len(slowest)} of {len(columns)}: {told}")


def _tdc_beats_gtd2(evidence: Evidence) -> Support:
    columns = evidence.columns(_ADAGRAD)
    faster = [p for p, c in columns.items() if lower(c["tdc"], c["gtd2"])]
    told = by_problem({p: ratio(c["tdc"], c["gtd2"]) for p, c in columns.items()})
    return Support(2 * len(faster) > len(columns), f"times GTD2: {told}")


def _tdc_never_behind(evidence: Evidence) -> Support:
    behind = {}
    for step_size in ("constant", _ADAGRAD, "adam"):
        for problem, column in evidence.columns(step_size).items():
            if not as_good(column["tdc"], column["gtd2"]):
                behind[f"{step_size}, {by_problem({problem: ratio(column['tdc'], column['gtd2'])})}"] = True
    return Support(not behind, "times GTD2, where not comparable: " + ("; ".join(behind) or "nowhere"))


def _boyan(evidence: Evidence) -> Support:
    column = evidence.column(_ADAGRAD, "boyan")
    return Support(worse(column["tdc"], column["tdrc"]), means(column))


def _td_and_htd(evidence: Evidence) -> Support:
    ratios, good = {}, True
    for problem, column in evidence.columns(_ADAGRAD).items():
        best = min(found.mean for found in column.values())
        both = [column[row].mean / best for row in ("td", "htd") if row in column]
        ratios[problem] = min(both) if problem == "baird" else max(both)
        good &= ratios[problem] > 2 if problem == "baird" else ratios[problem] <= GOOD
    return Support(good, f"times the best, the worse of the two, on Baird the better: {by_problem(ratios)}")


def _vtrace_slightly_worse(evidence: Evidence) -> Support:
    columns = {p: evidence.column(_ADAGRAD, p) for p in WALKS}
    ratios = {p: ratio(c["vtrace"], c["td"]) for p, c in columns.items()}
    slightly = all(lower(c["td"], c["vtrace"]) and ratios[p] <= GOOD for p, c in columns.items())
    return Support(slightly, f"times TD: {by_problem(ratios)}")


def _vtrace_on_baird(evidence: Evidence) -> Support:
    both = {s: evidence.column(s, "baird") for s in (_ADAGRAD, "constant")}
    told = "; ".join(f"{s}: td {number(c['td'].mean)}, vtrace {number(c['vtrace'].mean)}" for s, c in both.items())
    found = both[_ADAGRAD]
    return Support(not worse(found["td"], found["vtrace"]), told)


_LIMIT = f"{float(COMPARABLE):g}"

OVERALL = (
    Statement(
        "tdrc-best-overall", "Sections 4.2 and 6",
        "TDRC performs best overall: of the methods run on all problems, its worst ratio to the best is the smallest",
        _performs_best,
    ),
    Statement(
        "others-fail-somewhere", "Section 4.2",
        f"every other method is noticeably worse than TDRC on some problem (over {_LIMIT} times its error)",
        _others_fail,
    ),
    Statement(
        "tdrc-beats-gradient-methods", "Section 1",
        "TDRC is better than TDC and than GTD2 on most problems", _beats_gradient_methods,
    ),
    Statement(
        "tdrc-matches-td", "Section 1",
        f"TDRC is comparable to TD (at most {_LIMIT} times its error) wherever TD does well, all but Baird's problem",
        _matches_td,
    ),
    Statement("gtd2-slow", "Section 4.2", "GTD2 is the slowest method on most problems", _gtd2_slow),
    Statement("tdc-faster-than-gtd2", "Section 4.2", "TDC is faster than GTD2 on most problems", _tdc_beats_gtd2),
    Statement(
        "tdc-never-behind-gtd2", "Section 3",
        "TDC is better than or comparable to GTD2 on every problem, whatever the step sizes", _tdc_never_behind,
    ),
    Statement(
        "tdrc-helps-on-boyan", "Section 4.2",
        "on Boyan's chain TDC is noticeably worse than TDRC", _boyan,
    ),
    Statement(
        "td-and-htd-good-but-on-baird", "Section 4.2",
        f"TD and HTD are within {float(GOOD):g} times the best on every problem but Baird's, and over twice it there",
        _td_and_htd,
    ),
    Statement(
        "vtrace-slightly-worse", "Section 4.2",
        f"V-trace is worse than TD on the walks, but slightly (at most {float(GOOD):g} times)", _vtrace_slightly_worse,
    ),
    Statement(
        "vtrace-no-remedy", "Section 4.2",
        "clipping does not help V-trace on Baird's problem: it is no better than TD there (Adagrad)", _vtrace_on_baird,
    ),
)  # fmt: skip
