"""The sections, one a file, in the order in which a page shows them. Adding one is a new file and a new line here."""

from __future__ import annotations

from reports.page.section import Section
from reports.sections import (
    algorithm,
    benchmarks,
    bounds,
    certificate,
    claims,
    control_curves,
    errata,
    hypotheses,
    learner_regions,
    learner_verdicts,
    learners,
    learning_curves,
    logged_data,
    overview,
    parameter_studies,
    problem_card,
    provenance,
    reading,
    reproduced_tables,
    stability_map,
    statements,
    verdict,
)

SECTIONS: tuple[Section, ...] = (
    overview.SECTION,
    benchmarks.SECTION,
    learner_verdicts.SECTION,
    learner_regions.SECTION,
    learners.SECTION,
    logged_data.SECTION,
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
    reproduced_tables.SECTION,
    statements.SECTION,
    parameter_studies.SECTION,
    control_curves.SECTION,
    reading.SECTION,
    provenance.SECTION,
)
