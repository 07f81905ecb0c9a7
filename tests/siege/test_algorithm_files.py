"""Files with algorithms that raise, never end, lie about what they return, or are no Python."""

from __future__ import annotations

FEW, ALL = 10, 500

TD = "def f(x, delta, rho):\n    return rho * delta * x\n"
EXPRESSIONS = [
    *("x", "delta", "rho", "h", "gamma", "x_next", "w", "None", "1", "0.1", "1e400", "float('nan')", "'text'", "[x]"),
    *("(x, x)", "{}", "x * x", "x ** x", "x ** 0.5", "x @ x_next", "x / delta", "delta / 0", "delta % 2", "-x", "~x"),
    *(
        "x[0]",
        "len(x)",
        "list(x)",
        "float(delta)",
        "int(rho)",
        "bool(x)",
        "str(x)",
        "repr(delta)",
        "hash(x)",
        "iter(x)",
    ),
    *("abs(x)", "max(x, delta)", "min(rho, 1)", "sum(x)", "x if delta > 0 else x", "lambda: x", "f", "print(x)", "1/3"),
    *(
        "x == x",
        "delta < rho",
        "x.T",
        "x.__class__",
        "10 ** 500",
        "2 ** 0.5",
        "x * 1j",
        "not x",
        "x and h",
        "...",
        "b''",
    ),
]
STATEMENTS = [
    *(
        "raise ValueError('no')",
        "raise SystemExit(7)",
        "raise KeyboardInterrupt",
        "raise BaseException",
        "while True: pass",
    ),
    *("return f(x, delta, rho)", "import no_such_module", "import sys; sys.exit()", "yield x", "assert False", "del x"),
    *(
        "x += 1",
        "x[0] = 1",
        "global x",
        "raise MemoryError",
        "raise RecursionError",
        "[0] * 10**15",
        "open('/nowhere')",
    ),
    *("class E(Exception):\n        def __str__(self): raise E\n    raise E", "exec('x = 1')", "nonlocal x", "await x"),
    *("raise type('A', (Exception,), {'__str__': 7})", "raise Exception('two\\nlines \\x1b[31m')", "return", "pass"),
]
SIGNATURES = [
    *("x, delta, rho", "x", "", "*x", "**x", "x, delta, rho, lam", "x, delta, rho, lam=0.5", "x, delta=0, rho=1"),
    *(
        "x, delta, rho, a=float('nan')",
        "x, delta, rho, a=float('inf')",
        "x, delta, rho, a='t'",
        "x, delta, rho, h, h_next",
    ),
    *(
        "x, delta, rho, *, lam=1",
        "x, delta, rho, a=10**400",
        "x, x_next, w, rho, gamma, reward",
        "self",
        "x, delta, rho, é",
    ),
]
FILES = [
    *(
        "",
        "f = 7\n",
        "def f(:\n",
        "class f: pass\n",
        "f = lambda x, delta, rho: rho * delta * x\n",
        "raise ValueError\n",
    ),
    *(
        "while True: pass\n",
        "\ufeff" + TD,
        TD.replace("    ", "\t"),
        TD * 2,
        TD.replace("f(", "g("),
        "import os\nf = os.getpid\n",
    ),
    *(
        "async " + TD,
        "@property\n" + TD,
        "from functools import partial\nf = partial(print)\n",
        "f = print\n",
        "f = f\n",
    ),
    *(
        "x = [1] * 10**15\n" + TD,
        "import sys\nsys.exit(3)\n",
        "raise KeyboardInterrupt\n",
        "def f(x): return " + "(" * 300,
    ),
    *(
        "# -*- coding: nonsense -*-\n" + TD,
        "f = type('T', (), {'__call__': lambda self, x: x})()\n",
        "f = staticmethod\n",
    ),
]


def hostile(drawn, folder):
    """Return a command on a file that is not the learner that it seems to be."""
    kind = drawn.randrange(4)
    if kind == 0:
        text = drawn.choice(FILES)
    else:
        body = "    " + drawn.choice(STATEMENTS) + "\n" if kind == 1 else ""
        parts = ", ".join(drawn.choice(EXPRESSIONS) for _ in range(drawn.choice([1, 1, 2, 3])))
        text = f"def f({drawn.choice(SIGNATURES)}):\n{body}    return rho * delta * x + {parts}\n"
        if kind == 3:
            text = text.replace("rho * delta * x + ", "")
    data = text.encode()
    if drawn.random() < 0.1:
        at = drawn.randrange(len(data) + 1)
        data = data[:at] + bytes([drawn.randrange(256)]) + data[at:]
    (folder / "mine.py").write_bytes(data)
    named = f"{folder / 'mine.py'}:{drawn.choice(['f', 'f', 'f', 'f', 'g', '', '__name__'])}"
    command = drawn.choice((["conditions", "two-state"], ["predict", "two-state", "--steps", "3"], ["derive"]))
    return [*command, *([named] if command == ["derive"] else ["--algorithm", named])]


def test_every_file_has_an_answer_or_one_line(besiege, count):
    statuses = besiege(hostile, count)
    assert statuses[2] > count // 4
