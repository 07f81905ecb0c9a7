"""The appendices with the tables for Adam and for constant step sizes, and the settings."""

from __future__ import annotations

from statistics import median

from simulate.statement import Statement, Support
from simulate.tables.comparison import Evidence, as_good, lower, ratio, worse
from simulate.tables.statements.wording import SHORT, by_problem, means, number
from tdrc_theory.published import COMPARABLE, PROBLEMS, STEP_SIZES, Place, published


def _settings(evidence: Evidence) -> Support:
    told = ", ".join(f"{name} {same} of {of}" for name, (same, of) in evidence.as_printed.items())
    return Support(all(same == of for same, of in evidence.as_printed.values()), f"means as printed: {told}")


def _bold(evidence: Evidence) -> Support:
    wrong = []
    for step_size in STEP_SIZES:
        for problem, column in evidence.columns(step_size).items():
            least = min(column, key=lambda row: column[row].mean)
            if not published()[Place(step_size, least, problem)].bold:
                wrong.append(f"{step_size}, {SHORT[problem]}: {least}")
    of = len(STEP_SIZES) * len(PROBLEMS)
    return Support(
        not wrong, f"{of - len(wrong)} of {of} columns" + (f"; others have {'; '.join(wrong)}" if wrong else "")
    )


def _adam_on_boyan(evidence: Evidence) -> Support:
    adam, adagrad = evidence.column("adam", "boyan"), evidence.column("adagrad", "boyan")
    better = worse(adagrad["tdc"], adam["tdc"])
    behind = lower(adam["td"], adam["tdc"]) and lower(adam["tdrc"], adam["tdc"])
    return Support(better and behind, f"tdc under adagrad {number(adagrad['tdc'].mean)}; under adam {means(adam)}")


def _adam_no_faster(evidence: Evidence) -> Support:
    ratios = [
        ratio(adam, evidence.column("adagrad", problem)[row])
        for problem in PROBLEMS
        for row, adam in evidence.column("adam", problem).items()
    ]
    faster = sum(value * COMPARABLE < 1 for value in ratios)
    told = (
        f"noticeably lower than under adagrad in {faster} of {len(ratios)} cells; median ratio {number(median(ratios))}"
    )
    return Support(2 * faster < len(ratios), told)


def _adam_on_baird(evidence: Evidence) -> Support:
    column = evidence.column("adam", "baird")
    best = min(found.mean for found in column.values())
    return Support(all(column[row].mean > 2 * best for row in ("td", "htd", "vtrace")), means(column))


def _same_order(evidence: Evidence) -> Support:
    swapped = []
    for problem in PROBLEMS:
        adagrad, constant = (evidence.column(name, problem) for name in ("adagrad", "constant"))
        swapped += [
            f"{SHORT[problem]}, {one} and {other}"
            for one in adagrad
            for other in adagrad
            if worse(adagrad[one], adagrad[other]) and worse(constant[other], constant[one])
        ]
    return Support(
        not swapped, f"noticeably the other way round with constant step sizes: {'; '.join(swapped) or 'none'}"
    )


def _tdc_closer(evidence: Evidence) -> Support:
    ratios = {
        name: {p: ratio(c["tdc"], c["tdrc"]) for p, c in evidence.columns(name).items()}
        for name in ("adagrad", "constant")
    }
    closer = [p for p in PROBLEMS if abs(ratios["constant"][p] - 1) < abs(ratios["adagrad"][p] - 1)]
    told = "; ".join(f"{name}: {by_problem(values)}" for name, values in ratios.items())
    return Support(2 * len(closer) > len(PROBLEMS), f"times TDRC, {told}")


def _same_conclusion(evidence: Evidence) -> Support:
    columns = {name: evidence.columns(name) for name in ("constant", "adam")}
    far = [
        f"{name}, {by_problem({p: ratio(c['tdrc'], c['td'])})}"
        for name, found in columns.items()
        for p, c in found.items()
        if not as_good(c["tdrc"], c["td"])
    ]
    return Support(not far, f"times TD, where not comparable: {'; '.join(far) or 'nowhere'}")


APPENDIX = (
    Statement(
        "published-cells", "appendix, Tables 1 to 3",
        "the settings of this variant give every published mean to the printed digit", _settings,
    ),
    Statement("bold-cells", "appendix, Tables 1 to 3", "the lowest cell of each column is the one set in bold", _bold),
    Statement(
        "tdrc-matches-td-elsewhere", "Section 4.1 and appendix",
        "with constant step sizes and with Adam, TDRC is comparable to TD, or better, on every problem too",
        _same_conclusion,
    ),
    Statement(
        "adam-repairs-tdc-on-boyan", "appendix, accelerations",
        "under Adam TDC is much better on Boyan's chain than under Adagrad, but not as good as TD and TDRC",
        _adam_on_boyan,
    ),
    Statement(
        "momentum-no-faster", "appendix, accelerations",
        "momentum does not speed up learning: most cells are not noticeably lower under Adam than under Adagrad",
        _adam_no_faster,
    ),
    Statement(
        "slow-on-baird-with-adam", "appendix, accelerations",
        "under Adam, TD, HTD and V-trace are slow on Baird's problem (over twice the best)", _adam_on_baird,
    ),
    Statement(
        "same-order-with-constant", "appendix, additional results",
        "which method is better does not change with constant step sizes: no noticeable difference is turned round",
        _same_order,
    ),
    Statement(
        "tdc-closer-with-constant", "appendix, additional results",
        "with constant step sizes TDC is closer to TDRC than under Adagrad, on most problems", _tdc_closer,
    ),
)  # fmt: skip
