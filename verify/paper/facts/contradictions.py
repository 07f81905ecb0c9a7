"""Where the paper contradicts itself, or what reproduces its tables: pairs of places, in our words."""

from __future__ import annotations

from tdrc_theory.papers.claim import Role
from verify.paper.facts.argument import Places
from verify.paper.facts.fact import Fact

_TABLES = "what reproduces the published tables"
_BATCH, _SCALE = "Appendix, batch setting", "Appendix, sensitivity to the scale of h"
_CAPTION = "its figure's caption"

Pair = tuple[str, str]


def _fact(name: str, quantity: str, here: Pair, there: Pair, erratum: str = "E12", remark: str = "") -> Fact:
    return Fact(
        id=f"contradiction.{name}",
        title=quantity,
        source=here[0],
        role=Role.REMARK,
        printed=Places(quantity, here, there),
        erratum=erratum,
        remark=remark,
    )


FACTS = (
    _fact(
        "batch-steps",
        "step sizes of the batch setting",
        (f"{_BATCH}, text", "2^-8, ..., 2^0"),
        (_CAPTION, "2^-5, ..., 2^0"),
    ),
    _fact(
        "scale-steps",
        "step sizes of the reward-scale study",
        (f"{_SCALE}, text", "2^-5, ..., 2^-1"),
        (_CAPTION, "2^-5, ..., 2^0"),
    ),
    _fact(
        "adam-steps",
        "step sizes under Adam",
        ("Figure of the Adam results, caption", "2^-8, ..., 2^0"),
        ("Appendix, prediction details, for all algorithms", "2^-7, ..., 2^0"),
        "R19",
        "the details are given for the results of the main body, which are those under Adagrad",
    ),
    _fact(
        "scale-policy",
        "the random walk of the reward-scale study",
        ("Section 4.3", "on-policy"),
        ("Section 4.1 and the study itself, the same walk", "off-policy"),
    ),
    _fact(
        "steps",
        "steps a run on the three problems",
        ("Section 4.1", "3000 on each"),
        (_TABLES, "3000, 10000 (Boyan) and 5000 (Baird)"),
    ),
    _fact("beta", "TDRC's beta", ("Section 4", "1"), (_TABLES, "4/5")),
    _fact(
        "td-on-baird",
        "TD's performance on Baird's problem",
        ("Section 4.3, on the sweep of beta", "good"),
        ("Figure 1, and its table: 4.101 beside TDC's 0.196", "diverging"),
    ),
    _fact(
        "minatar",
        "how far the MinAtar settings are those of its authors",
        ("Section 5.1", "identical"),
        ("Appendix, MinAtar details", "no target network, scaled rewards, step sizes swept"),
    ),
    _fact(
        "ranking",
        "the order of HTD and V-trace on Baird's problem, said not to change between Adagrad and constant steps",
        ("Appendix, table of the Adagrad results", "HTD 2.123 before V-trace 4.101"),
        ("its table of the constant step sizes", "V-trace 18.239 before HTD 1184.368"),
        "R20",
        "neither does well there; among the other results the order stays but for ties within the standard errors",
    ),
)
