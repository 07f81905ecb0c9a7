"""What becomes of a paper's experiments: each is run under all of its settings, and claims are judged on each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from simulate.control.piece import GAMES
from simulate.paper.seen import numbers_from, see_linear, see_networks, seen_in, seen_in_cells
from simulate.paper.statement import Seen, judge, numbers_in
from simulate.store import Store
from simulate.sweep.experiment import ControlExperiment, PredictionExperiment
from simulate.sweep.experiment_file import load_variants
from simulate.sweep.study import outcomes
from simulate.tables.cell import cells, chosen_cells, read_variants
from tdrc_theory.errors import BadOption, UnknownName, errors_at
from tdrc_theory.evidence import Proof, Status
from tdrc_theory.judgement import Judgement, Step
from tdrc_theory.papers.claim import BadClaim, Claim, Paper, Text
from tdrc_theory.tables.table import Table

EXPERIMENTS = "experiments"
"""The folder of a paper's folder in which its experiments are, a file each."""
TABLES = "tables"
"""The experiment that makes the first paper's tables again, whose settings are its variants."""
FEWEST = 30
"""Runs of control; of fewer, resampling says little, and says it too boldly: see `simulate.uncertainty`."""
_NOT_PLAYED = "not run: such runs are days of a core; --minatar-steps says how many steps of each to run"


class Conclusion(NamedTuple):
    """A claim on an experiment and what becomes of it under each setting, by the setting's name."""

    claim: Claim
    findings: Mapping[str, Judgement]

    def to_json(self) -> dict[str, Any]:
        """Return an object of JSON types."""
        return {
            "claim": self.claim.id,
            "source": self.claim.source,
            "title": self.claim.title,
            "experiment": self.claim.sweep,
            "statement": " ".join(printed(self.claim).split()),
            "remark": self.claim.remark,
            "settings": {
                name: {
                    "status": judgement.status.value,
                    "proof": None if judgement.proof is None else judgement.proof.value,
                    "rule": judgement.rule,
                    "steps": [{"reason": step.reason, "text": step.text} for step in judgement.steps],
                }
                for name, judgement in self.findings.items()
            },
        }


class Asked(NamedTuple):
    """How experiments are run.

    Attributes:
        full: with what a file's [full] has.
        runs: of each configuration, instead of the file's; None for the file's.
        seed: of fresh experience.
        workers, cluster: see `simulate.compute.compute`.
        minatar_steps: of each run of a game; None for no run.
    """

    full: bool = False
    runs: int | None = None
    seed: int = 0
    workers: int | None = None
    cluster: str | None = None
    minatar_steps: int | None = None


def claims_on_runs(paper: Paper) -> tuple[Claim, ...]:
    """Return the claims that are judged on runs."""
    return tuple(claim for claim in paper.claims if claim.sweep is not None)


def experiments(paper: Paper) -> tuple[str, ...]:
    """Return the names of the experiments that claims are about, in the order of the claims."""
    return tuple(dict.fromkeys(claim.sweep for claim in claims_on_runs(paper) if claim.sweep is not None))


def conclusions(paper: Paper, store: Store, asked: Asked, *, chosen: Sequence[Claim] | None = None) -> list[Conclusion]:
    """Return claims, by default all that are about runs, with what becomes of them, in the order of the claims.

    Raises:
        TheoryError: a file describes no experiment, or a claim says nothing about it; the message names it.
    """
    claims = claims_on_runs(paper) if chosen is None else chosen
    numbers = numbers_in(paper.definitions)
    names = dict.fromkeys(claim.sweep or "" for claim in claims)
    results = {name: dict(_seen(paper, name, store, asked, numbers)) for name in names}
    return [
        Conclusion(claim, {name: _judged(paper, claim, seen) for name, seen in results[claim.sweep or ""].items()})
        for claim in claims
    ]


def printed(claim: Claim) -> str:
    """Return the statement of a claim on runs."""
    assert isinstance(claim.printed, Text), "of kind experiment"
    return claim.printed.text


def drawn(paper: Paper, claims: Sequence[Claim], asked: Asked) -> dict[str, ControlExperiment]:
    """Return the experiments of linear control that claims are about, of which there is a picture, by setting."""
    names = dict.fromkeys(claim.sweep or "" for claim in claims)
    files = [_file(paper, name) for name in names if not _is_of_tables(paper, name)]
    variants = {setting: one for file in files for setting, one in load_variants(file, asked.full).items()}
    linear = {name: one for name, one in variants.items() if isinstance(one, ControlExperiment) and one.is_linear}
    return {setting: _adjusted(one, asked) for setting, one in linear.items()}


def _is_of_tables(paper: Paper, name: str) -> bool:
    return name == TABLES and paper.name == "tdrc"


def _judged(paper: Paper, claim: Claim, seen: Seen | str) -> Judgement:
    if isinstance(seen, str):
        return Judgement(Status.UNDECIDED, Proof.SAMPLED, "not run", (Step("not run", seen),))
    with errors_at(BadClaim, paper.name, f"claim {claim.id}", "printed"):
        return judge(printed(claim), seen, paper.definitions)


def _seen(
    paper: Paper, name: str, store: Store, asked: Asked, numbers: Mapping[str, Fraction]
) -> Iterator[tuple[str, Seen | str]]:
    """Yield what statements see of an experiment, by setting; a text where it is not run, which says why."""
    path = _file(paper, name)
    on: dict[str, Any] = {"workers": asked.workers, "cluster": asked.cluster}
    if _is_of_tables(paper, name):
        for variant in read_variants(path):
            cases = variant.cases(asked.runs or variant.experiment.runs, asked.seed)
            studies = {place: case for place, case in cases.items() if case.along is not None}
            yield variant.name, seen_in_cells(cells(chosen_cells(cases) | studies, variant, store, **on), numbers)
        return
    plain, full = (
        {setting: _adjusted(one, asked) for setting, one in load_variants(path, of_full).items()}
        for of_full in (asked.full, True)
    )
    numbers_of_runs = numbers_from(store, seed=asked.seed, **on)
    for setting, one in plain.items():
        grown = full[setting]
        if isinstance(one, PredictionExperiment):
            yield setting, seen_in(outcomes(one.cases(), store, title=one.name, **on)[0], numbers)
        elif one.is_linear:
            yield setting, see_linear(one, numbers_of_runs)
        elif asked.minatar_steps is None and one.places[0].environment.startswith(GAMES):
            yield setting, _NOT_PLAYED
        else:
            yield setting, see_networks(one, grown, numbers_of_runs)


def _file(paper: Paper, name: str) -> Path:
    """Return the file of an experiment."""
    folder = paper.folder / EXPERIMENTS
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name) or not (folder / f"{name}.toml").is_file():
        there = sorted(file.stem for file in folder.glob("*.toml"))
        raise UnknownName("experiment", name, there, f"a file of {folder}")
    return folder / f"{name}.toml"


def _adjusted(experiment: Any, asked: Asked) -> Any:
    """Return an experiment with the runs, seed and lengths that are asked for."""
    changed = replace(experiment, runs=asked.runs or experiment.runs, seed=asked.seed)
    if isinstance(changed, ControlExperiment) and changed.runs < FEWEST:
        raise BadOption(f"--runs: {changed.runs} is less than {FEWEST}: of fewer, resampling says too much")
    if isinstance(changed, ControlExperiment) and asked.minatar_steps is not None:
        steps = asked.minatar_steps
        played = (one._replace(steps=steps) if one.environment.startswith(GAMES) else one for one in changed.places)
        changed = replace(changed, places=tuple(played))
    return changed


MOST_SHOWN = 6
"""Numbers of a finding that are shown; the rest is counted, and in the JSON."""


def plain_text(paper: Paper, conclusions: Sequence[Conclusion]) -> str:
    """Return each claim, what is evaluated, and what becomes of it under each setting, then the counts."""
    blocks = [_block(conclusion) for conclusion in conclusions]
    counts = Counter(judgement.status.value for one in conclusions for judgement in one.findings.values())
    summary = ", ".join(f"{counts[status]} {text}" for status, text in _COUNTED if counts[status])
    return "\n\n".join([f"{paper.title}: what it concludes from experiments", *blocks, f"findings: {summary}"]) + "\n"


_COUNTED = (("holds", "hold"), ("fails", "fail"), ("undecided", "undecided"))


def table(conclusions: Sequence[Conclusion]) -> Table:
    """Return a row for each claim and setting."""
    rows = [
        (one.claim.id, one.claim.source, setting, each.status.value, "-" if each.proof is None else each.proof.value)
        for one in conclusions
        for setting, each in one.findings.items()
    ]
    return Table("findings", ("claim", "source", "setting", "status", "proof"), rows)


def _block(conclusion: Conclusion) -> str:
    claim = conclusion.claim
    lines = [f"{claim.id} ({claim.source}): {claim.title}", f"  seen: {' '.join(printed(claim).split())}"]
    for setting, judgement in conclusion.findings.items():
        proof = "" if judgement.proof is None else f" ({judgement.proof.value})"
        lines.append(f"  {setting}: {judgement.status.value}{proof}")
        lines += [f"    {line}" for line in steps_text(judgement)]
    return "\n".join([*lines, *([f"  remark: {claim.remark}"] if claim.remark else [])])


def steps_text(judgement: Judgement) -> list[str]:
    """Return the numbers that a finding rests on, a line each."""
    shown = [f"{step.text}: {step.reason}".replace("'", "") for step in judgement.steps[:MOST_SHOWN]]
    left = len(judgement.steps) - len(shown)
    return [*shown, *([f"and {left} more"] if left else [])]
