"""What a report is made of: its subjects, sections, figures and formulas, and how they become a page.

To add a section, write a file in `reports/sections` that defines a `Section`, a template of the same name in
`reports/templates/sections`, and add a line in `reports/sections/__init__.py`. `collect` calls what computes and
returns what the template has as `it`; a template computes nothing. What templates share is in
`reports/templates/pieces.html`: status(text), proof(text), pairs(facts), table(Table), figure(id, Figure).
"""
