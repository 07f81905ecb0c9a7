"""The sections, one a file, in the order in which a page shows them. Adding one is a new file and a new line here."""

from __future__ import annotations

from reports.page.section import Section
from reports.sections import claims, errata, provenance, reading, verdict

SECTIONS: tuple[Section, ...] = (
    verdict.SECTION,
    errata.SECTION,
    claims.SECTION,
    reading.SECTION,
    provenance.SECTION,
)
