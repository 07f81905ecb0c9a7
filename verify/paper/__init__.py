"""Every claim of the paper, proven in every dimension or refuted by an exact counterexample.

How it fits together, and how to add to it:

- A claim is data, a table in a file of its paper's folder, `tdrc_theory/papers`: a formula in the language of
  `tdrc_theory/formula`, its place, its role, and for an erratum the corrected formula and its severity. A new symbol
  is a line in `tdrc_theory/formula/vocabulary.py`, with the domain that "for all" ranges over. Symbols such as
  `G_tdrc`, `step_w_gtd2` stand for what the project derives from an algorithm's function, so printed formulas are
  compared with that.
- `judge.judge(formula)` takes any formula and never knows what is expected of it. It asks `refute.counterexample`,
  in `verify/refute`, which evaluates the formula exactly at small instances (`instances.py`, `evaluate.py`) and has
  what it finds confirmed by `witness_check.py`, which shares no code with it; and the provers in `judge.PROVERS`, each
  a function from a formula to its steps, or None.
- In `verify/prove`, `equations.py` proves equations by normal forms in the free algebra (`meaning.py` reads a formula,
  the expectation table being a rule of it), determinants by block steps that it searches for (`determinants.py`), and
  eliminates between vector equations. `propositions.py` proves what connects nonsingular and definite matrices, signs
  of determinants and extreme eigenvalues (`knowledge.py`). `entailment.py` proves implications between polynomial
  inequalities by certificates, and `stability.py` convergence, from the quadratic that an eigenvalue solves. Another
  kind of argument is another prover.
- `verify/refute/realised.py` gives a counterexample in matrices a Markov chain that has them.
- `tests/verify/paper/mutation` changes formulas and statements; every mutant goes through the same judge.
- `facts/` reads what no formula says: a statement on problems is text, read (`facts/statement_reader.py`, by the
  functions of `facts/functions.py`) into a tree from which its sentence, its truth and its mutants are made, so it is
  exact where its leaves are. One about all problems is refuted by its witness, where `facts/recheck/`, which shares no
  code with the rest, finds the same, and is undecided otherwise. What a person concludes from lemmas is an `Argument`,
  which is argued; two places that disagree are quoted, and no proof is claimed.
- `report.py` compares with what the registry expects, and says what the numbers mean: E is an error under any fair
  reading (or a contradiction), R a remark that fails only word for word. `terminal.py` writes it.

>>> from tdrc_theory.formula.expression import DIM, I, det, equal, symbols
>>> from verify.paper.judge import judge
>>> G, A, beta, eta = symbols("G_tdrc A beta eta")
>>> judge(equal(det(G), eta**DIM * det(A.T + beta * I) * det(A))).status.value
'holds'
>>> judge(equal(det(G), eta ** (2 * DIM) * det(A.T + beta * I) * det(A))).witness["values"]["eta"]
[['2']]
"""

import verify.paper.terminal  # noqa: F401 - how answers are shown
