"""Statements on problems: their text, their trees, and what decides them.

`statement_reader.py` reads a claim's text, by the functions of `functions.py`, into a tree of `statement.py` over atoms
(`atoms.py`, `cells.py`, `constant_steps.py`, `distributions.py`, `emphasis.py`, `quantities.py`,
`update_terms.py`). `content.py` has all that a claim can say, an argument between lemmas among it. `recheck/` evaluates
atoms a second time, and shares no code with the rest.
"""
