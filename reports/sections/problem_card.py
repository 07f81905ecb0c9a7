"""What a problem is: its chain as a graph, its features, policies and steps, and the matrices A, b and C."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from reports.chain.arrows import Chain
from reports.chain.drawing import draw
from reports.page.figure import Figure
from reports.page.section import Content, Section, Tell
from reports.page.subject import OnComparison
from reports.page.table import Table, data_link
from tdrc_theory.errors import BadProblem
from tdrc_theory.exact import Number
from tdrc_theory.exact.number import decimal_text, number_text
from tdrc_theory.problem import END, Problem
from tdrc_theory.problem.matrix_problem import MatrixProblem
from tdrc_theory.problems.problem_file import problem_text

_MOST_CELLS = 2500
"""Of a table that is shown; beyond, it is left to the problem file."""
_MOST_NUMBERS = 20_000
"""Of a problem file that a page carries."""
_EXACT_WIDTH = 24


_KEY = ("A = E[rho x (x - gamma x')^T]", "b = E[rho R x]", "C = E[x x^T]")
_KEY_OF_PAIRS = ("A = E[x (x - gamma x_bar)^T]", "b = E[R x]", "C = E[x x^T]")


def collect(subject: OnComparison, _: Tell) -> Content:
    """Return the card of a subject's problem."""
    problem, key = subject.problem, subject.learners[0][1].conditions.key
    captions = _KEY_OF_PAIRS if problem.action_values else _KEY
    small = problem.k**2 <= _MOST_CELLS
    file_link, why_no_file = _file(problem)
    card = Content(
        matrices=list(map(_matrix, "AbC", captions, (matrix.rows for matrix in key))) if small else (),
        left_out=() if small else captions,
        file_link=file_link,
        why_no_file=why_no_file,
        facts=_facts(problem),
        graph=None,
        why_no_graph="the chain as a picture: only A, b and C are given",
        tables=(),
        notes=problem.notes,
    )
    if isinstance(problem, MatrixProblem):
        return card
    drawn = draw(problem)
    if drawn is not None:
        card.graph = Figure("chain", drawn.caption, drawn.svg, _arrows(drawn.chain))
    card.why_no_graph = "the chain as a picture: it has too many states"
    tables = _tables(problem)
    card.tables = [make(caption, problem) for caption, cells, make in tables if cells <= _MOST_CELLS]
    card.left_out = (*(caption for caption, cells, _ in tables if cells > _MOST_CELLS), *card.left_out)
    card.notes = (*problem.warnings, *problem.notes)
    return card


def _tables(problem: Problem) -> list[tuple[str, int, Callable[[str, Problem], Table]]]:
    """Return caption, number of cells, and writer of each table of a chain."""
    if problem.action_values:
        pairs = problem.places * problem.k
        features = [
            ("State weights d", problem.states, _features),
            ("Features x(s, a) of each state and action", pairs, _pair_features),
        ]
    else:
        features = [("Features x(s) and state weights d", problem.states * problem.k, _features)]
    policies = "Policies: behaviour b generates the data, target pi is evaluated, rho = pi / b"
    return [
        *features,
        (policies, problem.states * problem.actions * 3, _policies),
        ("Transitions and rewards", len(problem.transitions) * 5, _steps),
    ]


def shown(value: Number) -> str:
    """Return a number exactly, and a decimal beside it where it is no short one itself.

    >>> shown(Fraction(3)), shown(Fraction(-4, 7))
    ('3', '-4/7 (-0.571429)')
    """
    exact = number_text(value)
    if isinstance(value, Fraction) and value.denominator == 1 and len(exact) <= _EXACT_WIDTH:
        return exact
    small = isinstance(value, Fraction) and 1e-6 < abs(value) < 1e6
    decimal = f"{float(value):.6g}" if small else decimal_text(value, 6)
    return f"{exact} ({decimal})" if len(exact) <= _EXACT_WIDTH else f"about {decimal}"


def _facts(problem: Problem | MatrixProblem) -> list[tuple[str, str]]:
    weights = ", ".join(map(number_text, problem.initial_weights[:32]))
    first = [("first weights w", weights)] if any(problem.initial_weights) else []
    if isinstance(problem, MatrixProblem):
        return [("features", str(problem.k)), ("given", "A, b and C"), *first]
    actions = "averaged over its policy, so no actions" if problem.independent_only else str(problem.actions)
    ends = [t for t in problem.transitions if problem.ends(t.s_next)]
    return [
        ("states", str(problem.states)),
        ("features", str(problem.k)),
        ("actions", actions),
        ("discount gamma", _discount(problem)),
        ("episodes", "end" if ends else "never end"),
        *first,
    ]


def _discount(problem: Problem) -> str:
    """Return the constant discount, or where to find those that vary."""
    if problem.constant_gamma is not None:
        return shown(problem.constant_gamma)
    base = shown(problem.gamma) if isinstance(problem.gamma, Fraction) else "depends on the state that is entered"
    return f"{base}; some transitions have their own" if problem.gamma_by_transition else base


def _features(caption: str, problem: Problem) -> Table:
    """Return what there is of each state: its weight, where they differ gamma and interest, and its features."""
    tabular = not problem.action_values and all(
        x == (i == s) for s, row in enumerate(problem.features) for i, x in enumerate(row)
    )
    caption = f"{caption}; x(s) is the unit vector of s (tabular)" if tabular else caption
    columns: list[tuple[str, Sequence[Number]]] = [("weight d", problem.d)]
    if problem.start is not None:
        columns.append(("start", problem.start))
    if isinstance(problem.gamma, tuple):
        columns.append(("gamma", problem.gamma))
    if any(value != 1 for value in problem.interest):
        columns.append(("interest", problem.interest))
    if not tabular and not problem.action_values:
        columns += [(f"x[{i}]", column) for i, column in enumerate(zip(*problem.features, strict=True))]
    rows = []
    for s in range(problem.states):
        name = f"{_state(problem, s)} (terminal)" if s in problem.terminal else _state(problem, s)
        rows.append((name, *(shown(column[s]) for _, column in columns)))
    return Table(caption, ("state", *(title for title, _ in columns)), tuple(rows))


def _pair_features(caption: str, problem: Problem) -> Table:
    titles = ("state", "action", *(f"x[{i}]" for i in range(problem.k)))
    rows = tuple(
        (_state(problem, s), str(a), *map(shown, problem.features[s][a]))
        for s in problem.live_states
        for a in range(problem.actions)
    )
    return Table(caption, titles, rows)


def _policies(caption: str, problem: Problem) -> Table:
    """Return both policies and their ratio; neighbouring states that act alike share a row."""
    actions = range(problem.actions)
    titles = (
        "state",
        *(f"b({a}|s)" for a in actions),
        *(f"pi({a}|s)" for a in actions),
        *(f"rho({a})" for a in actions),
    )
    rows: list[tuple[list[int], tuple[str, ...]]] = []
    for s in problem.live_states:
        ratios = ("-" if not problem.behaviour[s][a] else shown(problem.rho(s, a)) for a in actions)
        row = (*map(shown, problem.behaviour[s]), *map(shown, problem.target[s]), *ratios)
        if rows and rows[-1][1] == row and rows[-1][0][-1] == s - 1:
            rows[-1][0].append(s)
        else:
            rows.append(([s], row))
    return Table(caption, titles, tuple((_span(problem, states), *row) for states, row in rows))


def _span(problem: Problem, states: Sequence[int]) -> str:
    ends = [_state(problem, s) for s in states]
    return ends[0] if len(ends) == 1 else f"{ends[0]} to {ends[-1]}"


def _state(problem: Problem, s: int) -> str:
    """Return a state's number, and its name if it has one."""
    return str(s) if problem.state_names is None else f"{s} ({problem.state_names[s]})"


def _steps(caption: str, problem: Problem) -> Table:
    own = problem.gamma_by_transition
    titles = ("from", "action", "to", "probability", "reward", *(("gamma",) if own else ()))
    rows = tuple(
        (
            *(_state(problem, t.s), str(t.a), "end" if t.s_next == END else _state(problem, t.s_next)),
            *(shown(t.probability), shown(t.reward)),
            *((shown(problem.discount(t)),) if own else ()),
        )
        for t in problem.transitions
    )
    return Table(caption, titles, rows)


def _arrows(chain: Chain) -> Table:
    """Return what a graph shows: steps with all actions together."""
    titles = ("from", "to", "probability under behaviour", "under target", "reward")
    rows = tuple(
        (
            str(a.s),
            "end" if a.t == END else str(a.t),
            shown(a.behaviour),
            shown(a.target),
            "differs from action to action" if a.reward is None else shown(a.reward),
        )
        for a in chain.arrows
    )
    return Table("The chain, all actions together", titles, rows)


def _matrix(name: str, text: str, rows: Sequence[Sequence[Number]]) -> Table:
    """Return a matrix, or a column as one row."""
    if name == "b":
        return Table(text, (name, *map(str, range(len(rows)))), (("value", *(shown(row[0]) for row in rows)),))
    titles = (name, *map(str, range(len(rows[0]))))
    return Table(text, titles, tuple((str(i), *map(shown, row)) for i, row in enumerate(rows)))


def _file(problem: Problem | MatrixProblem) -> tuple[str | None, str]:
    """Return a link that holds a problem as a file; or None, and why there is none."""
    if isinstance(problem, Problem):
        numbers = problem.states * problem.k + 5 * len(problem.transitions)
    else:
        numbers = 2 * problem.k**2
    if numbers > _MOST_NUMBERS:
        return None, "it would be too large for this page"
    try:
        return data_link("application/toml", problem_text(problem)), ""
    except BadProblem as error:
        return None, str(error)


SECTION = Section("problem_card", "The problem", collect)
