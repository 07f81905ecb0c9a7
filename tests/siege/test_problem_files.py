"""Problem files that are damaged, of other shapes, or with numbers of every size and form."""

from __future__ import annotations

import copy
import json

FEW, ALL = 15, 1200

CHAIN = {
    "name": "siege",
    "gamma": 0.9,
    "features": [[1, 0], [0, 1], ["1/2", 2]],
    "mrp": {
        "P": [["1/2", "1/2", 0], [0, "1/2", "1/2"], ["1/2", 0, "1/2"]],
        "r": [1, 0, -1],
        "d": "stationary",
    },
}
DECISIONS = {
    "name": "siege",
    "gamma": "9/10",
    "features": [[1], [2]],
    "mdp": {
        "transitions": [[0, 0, 1, 1, 1], [0, 1, 0, 1, 0], [1, 0, 0, "1/2", 0], [1, 0, 1, "1/2", 1], [1, 1, 1, 1, 0]],
        "behaviour": [["1/2", "1/2"], ["1/2", "1/2"]],
        "target": [[1, 0], [0, 1]],
    },
}
MATRICES = {"name": "siege", "matrices": {"A": [[1, 0], [0, 2]], "b": [1, 1], "C": [[2, 1], [1, 2]]}}

LONG = "9" * 400
WRITTEN = [
    *("0", "-1", "2", "0.5", "1e80", "1e200", "1e400", "1e-400", "1e999999999", "nan", "inf", "-inf", "1_000", "true"),
    *("0x10", f"0x{'f' * 5000}", "9" * 4001, "0." + "3" * 3000, "1979-05-27", "[]", "[[]]", "{}", "[1, [2]]", '"0x1"'),
    *('""', '" 1"', '"1/0"', '"1/2/3"', '"--1"', '"1."', '"+1"', '"1/-2"', '"nan"', '"1e3"', '"1_0"', '"\\u0661"'),
    *(
        f'"{LONG}"',
        f'"1/{LONG}"',
        f'"-{LONG}/7"',
        '"1/3"',
        '"-7/2"',
        '"stationary"',
        "-0",
        "1e-10",
        "123456789012345678",
    ),
]
"""Values as TOML writes them, few of them allowed anywhere."""


class Raw(str):
    """Text that stands in a file as it is."""

    __slots__ = ()


def toml(value):
    """Return a value as TOML writes it."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value)


def document(content):
    """Return a file with one table."""
    tables = {key: value for key, value in content.items() if isinstance(value, dict)}
    lines = [f"{key} = {toml(value)}" for key, value in content.items() if key not in tables]
    for name, table in tables.items():
        lines += [f"[{name}]", *(f"{key} = {toml(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def places(value, path=()):
    """Yield the paths to all values in a document, lists and tables too."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from places(part, (*path, key))


def changed(drawn, content):
    """Change one place of a document: another value, one more, one less, twice, or none."""
    content = copy.deepcopy(content)
    path = drawn.choice(list(places(content))[1:])
    parent = content
    for key in path[:-1]:
        parent = parent[key]
    key, how = path[-1], drawn.randrange(8)
    if how < 4:
        parent[key] = Raw(drawn.choice(WRITTEN))
    elif how == 4:
        del parent[key]
    elif how == 5 and isinstance(parent, list):
        parent.insert(key, parent[key])
    elif how == 6:
        parent[key] = [parent[key]]
    elif isinstance(parent, dict):
        parent[
            drawn.choice(["interest", "start", "terminal", "initial_weights", "normalise", "other", "gamma", "d"])
        ] = Raw(drawn.choice(WRITTEN))
    return content


def damaged(drawn, data):
    """Change bytes of a file."""
    at = drawn.randrange(len(data))
    ways = (
        lambda: data[:at],
        lambda: data[:at] + bytes([drawn.randrange(256)]) + data[at + 1 :],
        lambda: b"\xef\xbb\xbf" + data,
        lambda: data[:at] + b"\0" + data[at:],
        lambda: data[:at] + data,
        lambda: data[:at] + b"[" * drawn.choice([5, 5000]) + data[at:],
        lambda: data.replace(b"\n", b"\r"),
        lambda: data.decode().encode("utf-16"),
        lambda: b"",
    )
    return drawn.choice(ways)()


COMMANDS = (
    ["conditions", "{}"],
    ["conditions", "{}", "--json", "--algorithm", "td"],
    ["conditions", "{}", "--explain", "--algorithm", "htd"],
    ["predict", "{}", "--steps", "5"],
    ["conditions", "{}", "--normalise", "--algorithm", "emphatic-td"],
    ["region", "{}"],
    ["borkar-meyn", "{}"],
    ["predict", "{}", "--steps", "5", "--alpha", "1/8", "--json"],
    ["run", "{}", "--steps", "5", "--runs", "2", "--alpha", "1/8"],
    ["convert", "{}", "{}.out.toml"],
)


def hostile(drawn, folder):
    """Return a command with a file that is somewhat wrong."""
    content = drawn.choice([CHAIN, DECISIONS, MATRICES])
    for _ in range(drawn.randrange(1, 4)):
        content = changed(drawn, content)
    data = document(content).encode()
    if drawn.random() < 0.2:
        data = damaged(drawn, data)
    (folder / "p.toml").write_bytes(data)
    return [part.replace("{}", str(folder / "p.toml")) for part in drawn.choice(COMMANDS)]


def test_every_problem_file_has_an_answer_or_one_line(besiege, count):
    statuses = besiege(hostile, count)
    assert statuses[2] > count // 4, "most of them are wrong"
    assert statuses[0] > 0, "and some are not"
