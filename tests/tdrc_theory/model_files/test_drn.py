"""Storm's DRN files: the same processes as PRISM's files, and what is particular to them."""

from fractions import Fraction

from tdrc_theory.problems import find_problem

HEAD = (
    "// Exported by a tool\n@type: {kind}\n@parameters\n\n@reward_models\n{rewards}\n"
    "@nr_states\n{states}\n@nr_choices\n{choices}\n@model\n"
)


def in_drn(tra):
    """Write a .tra file of an MDP in the other format."""
    entries = [line.split() for line in tra.splitlines()[2:]]
    states = 1 + max(int(entry[0]) for entry in entries)
    lines, last = [HEAD.format(kind="MDP", rewards="", states=states, choices=10).rstrip()], None
    for s, a, t, p, name in entries:
        if last is None or last[0] != s:
            lines.append(f"state {s} init" if s == "0" else f"state {s} some labels")
        if last != (s, a):
            lines.append(f"\taction {name}")
        lines.append(f"\t\t{t} : {p}")
        last = s, a
    return "\n".join(lines) + "\n"


def test_a_process_is_the_same_in_both_formats(write, robot):
    ours, theirs = (find_problem(write(**{suffix: text})) for suffix, text in (("drn", in_drn(robot)), ("tra", robot)))
    for name in ("transitions", "start", "terminal", "behaviour", "target", "gamma", "features", "d"):
        assert getattr(ours, name) == getattr(theirs, name), name


def test_rewards_of_states_and_actions_add_up(write, values):
    text = HEAD.format(kind="mdp", rewards="cost time", states=3, choices=4) + (
        "state 0 [1, 100] init\n\taction slow [1/2, 7]\n\t\t0 : 0.5\n\t\t1 : 0.5\n\taction fast [3]\n\t\t1 : 1\n"
        "state 1 [2]\n\taction on\n\t\t2 : 1\nstate 2 [0, 5] done\n\taction stay [0]\n\t\t2 : 1\n"
    )
    problem = find_problem(write(drn=text), gamma=Fraction(1), target="uniform")
    assert [(t.s, t.a, t.s_next, t.reward) for t in problem.transitions] == [
        (0, 0, 0, Fraction(3, 2)),
        (0, 0, 1, Fraction(3, 2)),
        (0, 1, 1, 4),
        (1, 0, 2, 2),
    ]
    # v(0) = (3/2 + v(0)/2 + v(1)/2) / 2 + (4 + v(1)) / 2 and v(1) = 2, so that 3/4 v(0) = 17/4
    assert values(problem)[:2] == [Fraction(17, 3), 2]
    assert any("of the reward models cost, time, cost is read" in note for note in problem.notes)


def test_a_dtmc_needs_no_actions(write, values):
    text = (
        HEAD.format(kind="DTMC", rewards="r", states=2, choices=2)
        + "state 0 [1] init\n\t0 : 1/4\n\t1 : 3/4\nstate 1\n\t1 : 1\n"
    )
    problem = find_problem(write(drn=text), gamma=Fraction(1))
    assert (problem.actions, problem.terminal, values(problem)[0]) == (1, (1,), Fraction(4, 3))


def test_without_an_initial_state_the_process_goes_on(write):
    text = HEAD.format(kind="DTMC", rewards="", states=2, choices=2) + "state 0\n\t1 : 1\nstate 1\n\t0 : 1\n"
    problem = find_problem(write(drn=text))
    assert (problem.start, problem.terminal, problem.d) == (None, (), (Fraction(1, 2), Fraction(1, 2)))
