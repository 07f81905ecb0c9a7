"""Names that are markup somewhere: of problems, files and learners, on terminals, in pictures, tables and pages."""

from __future__ import annotations

import json

FEW, ALL = 4, 250

NAMES = [
    *(
        "$\\foo$",
        "$_$",
        "a$b^$",
        "$",
        "$$",
        "\\",
        "{",
        "{0}",
        "%s%n%d",
        "<script>alert(1)</script>",
        "&amp;",
        "]]>",
        "-->",
    ),
    *(
        "\u001b[31mred",
        "\u202eabc",
        "\u0000",
        "",
        " ",
        "\u0007",
        "two\nlines",
        "a\tb",
        "\u2028",
        "\u00e9",
        "\u65e5\u672c",
    ),
    *(
        "\U0001f600",
        "a" * 3000,
        "../../etc/passwd",
        "'; drop table pieces; --",
        "#",
        "~",
        "\\begin{x}",
        "_",
        "^",
        "\\input x",
    ),
    *(
        "=1+1",
        "@x",
        "\u007f",
        "\u0085",
        "\ufeff",
        "\ufffe",
        "[bold]x[/bold]",
        "[/]",
        "[link=file:///etc]x",
        "None",
        "nan",
    ),
]
COMMANDS = (
    ["conditions", "{file}"],
    ["conditions", "{file}", "--explain", "--table", "{out}.tex"],
    ["predict", "{file}", "--steps", "4", "--csv", "{out}.csv"],
    ["predict", "{file}", "--steps", "4", "--plot", "{out}.svg"],
    ["predict", "{file}", "--steps", "4", "--plot", "{out}.pdf", "--table", "{out}.csv"],
    ["region", "{file}", "--table", "{out}.json"],
    ["convert", "{file}", "{out}.toml"],
    ["run", "{file}", "--steps", "4", "--runs", "2", "--plot", "{out}.png"],
    ["compare", "{file}", "--steps", "4", "--runs", "2", "--plot", "{out}.svg"],
    ["region", "{file}", "--map", "{out}.svg"],
)


def hostile(drawn, folder):
    """Return a command on a problem, and to a file, with such names."""
    name = drawn.choice(NAMES)
    message = json.dumps(name, ensure_ascii=True).replace("\\ud83d\\ude00", name)
    text = (
        f'name = {message}\ngamma = 0.9\nfeatures = [[1, 0], [1, 2]]\n[mrp]\nP = [["1/2", "1/2"], [1, 0]]\nr = [1, 0]\n'
    )
    (folder / "p.toml").write_text(text + 'd = "stationary"\n', encoding="utf-8")
    out = folder / (drawn.choice(NAMES).replace("/", "_").replace("\0", "0")[:80] if drawn.random() < 0.3 else "out")
    command = drawn.choice(COMMANDS[: 5 if drawn.random() < 0.7 else None])
    return [part.replace("{file}", str(folder / "p.toml")).replace("{out}", str(out)) for part in command]


def test_every_name_is_shown_or_refused_in_one_line(besiege, count):
    statuses = besiege(hostile, count)
    assert statuses[0] > count // 2
