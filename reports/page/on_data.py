"""A subject of a page: a learner on logged transitions."""

from __future__ import annotations

from dataclasses import dataclass

from reports.page.request import Headline, Request
from tdrc_theory.parameters import setting_text
from verify.check import Proof
from verify.data.report import DataReport
from verify.data.terminal import headline


@dataclass(frozen=True, kw_only=True, eq=False)
class OnData:
    """A learner on logged transitions.

    Attributes:
        request: what was asked for.
        report: what was found.
    """

    request: Request
    report: DataReport

    @property
    def title(self) -> str:
        """Return one line."""
        form = self.report.form
        return f"{setting_text(form.algorithm.name, form.parameters)} on {self.report.name}"

    @property
    def headline(self) -> Headline:
        """Return the verdict."""
        return Headline(headline(self.report), self.report.status.value, Proof.SAMPLED.value)
