"""The sections, one a file, in the order in which a page shows them. Adding one is a new file and a new line here."""

from __future__ import annotations

from reports.page.section import Section
from reports.sections import (
    algorithm,
    bounds,
    certificate,
    claims,
    errata,
    hypotheses,
    learning_curves,
    problem_card,
    provenance,
    reading,
    stability_map,
    verdict,
)

SECTIONS: tuple[Section, ...] = (
    verdict.SECTION,
    problem_card.SECTION,
    algorithm.SECTION,
    hypotheses.SECTION,
    bounds.SECTION,
    stability_map.SECTION,
    learning_curves.SECTION,
    certificate.SECTION,
    errata.SECTION,
    claims.SECTION,
    reading.SECTION,
    provenance.SECTION,
)
