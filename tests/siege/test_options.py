"""Options with numbers of every size and form, and out of range."""

from __future__ import annotations

FEW, ALL = 15, 800

NUMBERS = [
    *("0", "1", "-1", "1/2", "0.5", "-1/2", "1/0", "2", "3", "1e3", "1e40", "1e400", "1e-400", "1e99999999999", "nan"),
    *("inf", "-inf", "1_0", "0x10", "", " ", "1/2/3", "1.", ".5", "+1", "--1", "\u0661", "1\n2", "true", "9" * 4001),
    *(
        "9" * 300,
        f"1/{'7' * 300}",
        "1e20",
        "100000000000000000000",
        "-100000000000000000000",
        "1,2",
        "1,,2",
        ",",
        "0,0",
    ),
]
EXACT = ("--alpha", "--beta", "--eta", "--gamma", "--initial-weights", "--limit-seconds", "--alphas")
COUNTS = ("--steps", "--runs", "--every", "--seed", "--workers", "--period", "--batch", "--problems", "--states")
OTHERS = ("--set", "--over", "--copy", "--hidden", "--resolution", "--sampling", "--algorithm", "--claim", "--require")
SETTINGS = ("lam={}", "beta={}", "{}={}", "{}", "={}", "lam", "rho={}", "eta={}", "target=w")

COMMANDS = (
    ["conditions", "two-state"],
    ["predict", "two-state", "--steps", "4"],
    ["region", "two-state"],
    ["derive", "--algorithm", "td"],
    ["random", "--problems", "3", "--only-verdicts"],
    ["convert", "two-state", "{folder}/out.toml"],
    ["borkar-meyn", "two-state"],
    ["search", "tdrc = not-convergent, td = convergent", "--tries", "3"],
    ["run", "two-state", "--steps", "4", "--runs", "2"],
    ["compare", "two-state", "--steps", "4", "--runs", "2"],
    ["paper", "--claim", "no-such-claim"],
    ["data", "no-such-file"],
    ["control", "cart-pole", "--steps", "3", "--runs", "1"],
    ["sweep", "no-such-study"],
    ["tables", "--runs", "1"],
    ["check-certificate", "no-such-file"],
)
SMALLEST = ("--steps", "--runs", "--episodes", "--problems", "--tries", "--resamples", "--hidden")
"""Whose large values are asked for in earnest, and then take long."""


def hostile(drawn, folder):
    """Return a command with an option or two whose values are drawn from all forms of numbers."""
    command = drawn.choice(COMMANDS[: 6 if drawn.random() < 0.5 else None])
    options = []
    for _ in range(drawn.randrange(1, 3)):
        name = drawn.choice(EXACT + COUNTS + OTHERS)
        value = drawn.choice(NUMBERS)
        if name == "--set":
            value = drawn.choice(SETTINGS).replace("{}", value)
        if name in SMALLEST and value.isdecimal() and 10 < int(value) < 10**6:
            continue
        options.append(f"{name}={value}")
    return [part.replace("{folder}", str(folder)) for part in command] + options


def test_every_option_has_an_answer_or_one_line(besiege, count):
    statuses = besiege(hostile, count)
    assert statuses[2] > count // 4
