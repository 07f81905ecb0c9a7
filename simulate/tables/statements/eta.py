"""The study of the second step size, under Adagrad."""

from __future__ import annotations

from simulate.statement import Statement, Support
from simulate.tables.comparison import Evidence, as_good, ratio, worse
from simulate.tables.statements.wording import SHORT, by_problem, number
from tdrc_theory.published import PROBLEMS, Place


def _smallest(evidence: Evidence) -> Support:
    best = {p: evidence.eta["tdc", p].setting.eta for p in PROBLEMS}
    least = min(evidence.eta["tdc", PROBLEMS[0]].values("eta"))
    told = ", ".join(f"{SHORT[p]} {eta}" for p, eta in best.items())
    return Support(sum(eta == least for eta in best.values()) >= len(PROBLEMS) - 1, f"best eta: {told}")


def _tuned_to_td(evidence: Evidence) -> Support:
    pairs = {p: (evidence.eta["tdc", p], evidence.cells[Place("adagrad", "td", p)]) for p in PROBLEMS if p != "baird"}
    told = by_problem({p: ratio(tdc, td) for p, (tdc, td) in pairs.items()})
    return Support(all(as_good(tdc, td) for tdc, td in pairs.values()), f"times TD, at its best eta: {told}")


def _baird(evidence: Evidence) -> Support:
    areas = evidence.eta["tdc", "baird"]
    least = min(areas.values("eta"))
    small = areas.at("eta", least)
    told = f"best at eta = {areas.setting.eta}: {number(areas.mean)}; at eta = {least}: {number(small.mean)}"
    return Support(areas.setting.eta >= 1 and worse(small, areas), told)


ETA = (
    Statement(
        "tdc-prefers-small-eta", "Section 4.2",
        "of 2^-6 to 2^6, TDC almost always (on four of five problems) does best with the smallest eta", _smallest,
    ),
    Statement(
        "tuned-tdc-matches-td", "Section 4.2",
        "with eta tuned, TDC is comparable to TD on all problems but Baird's", _tuned_to_td,
    ),
    Statement(
        "tdc-needs-eta-on-baird", "Section 4.2",
        "on Baird's problem TDC picks eta >= 1, and is noticeably worse with the smallest eta", _baird,
    ),
)  # fmt: skip
