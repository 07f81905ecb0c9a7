"""Statements on problems: their text, their trees, and what decides them.

`statement_reader.py` reads a claim's text, by the functions of `functions.py`, into a tree of `statement.py` over atoms
(`atoms.py`, `cells.py`, `constant_steps.py`, `distributions.py`, `properties.py`, `quantities.py`, `regions.py`,
`transitions.py`, `update_terms.py`). `argument.py` has what a person concludes from lemmas, `content.py` all that a
claim can say. `recheck/` evaluates atoms a second time, and shares no code with the rest.
"""
