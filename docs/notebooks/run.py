"""`python docs/notebooks/run.py [NAME...]`: run notebooks and write what they show into them; --check compares instead.

Cells run one after the other in one namespace, without a kernel. Text is compared to the letter; pictures are drawn
again, and compared by whether there is one.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def outputs(source: str, namespace: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell, and return what it prints and what its last expression shows."""
    body = ast.parse(source).body
    last = ast.Expression(body.pop().value) if body and isinstance(body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), f"cell {number}", "exec"), namespace)
        if last is not None:
            value = eval(compile(last, f"cell {number}", "eval"), namespace)
    shown: list[dict[str, Any]] = []
    if printed.getvalue():
        shown.append({"output_type": "stream", "name": "stdout", "text": lines(printed.getvalue())})
    if value is not None:
        drawn = getattr(value, "_repr_svg_", None)
        data = {"image/svg+xml": lines(drawn())} if drawn else {"text/plain": lines(repr(value))}
        shown.append({"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data})
    return shown


def lines(text: str) -> list[str]:
    """Return text as a notebook keeps it."""
    return text.splitlines(keepends=True)


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return a notebook with the outputs of its cells."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    cells, number = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            source = "".join(cell["source"])
            cell = {**cell, "execution_count": number, "outputs": outputs(source, namespace, number)}
        cells.append(cell)
    return {**notebook, "cells": cells}


def without_pictures(notebook: dict[str, Any]) -> list[Any]:
    """Return outputs in which a picture is only its kind."""
    shown = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            data = {kind: text if kind == "text/plain" else "" for kind, text in output.get("data", {}).items()}
            shown.append((output["output_type"], output.get("text"), data))
    return shown


def main() -> int:
    """Run, and write or compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="of a notebook without .ipynb (default: all)")
    parser.add_argument(
        "--check", action="store_true", help="compare, and exit with status 1 where one shows another text"
    )
    options = parser.parse_args()
    same = True
    for name in options.names or sorted(path.stem for path in FOLDER.glob("*.ipynb")):
        path = FOLDER / f"{name}.ipynb"
        before = json.loads(path.read_text(encoding="utf-8"))
        after = executed(before)
        if not options.check:
            path.write_text(json.dumps(after, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            continue
        for old, new in zip(without_pictures(before), without_pictures(after), strict=True):
            if old != new:
                same = False
                sys.stdout.write(f"{name}:\n- {old}\n+ {new}\n")
    return int(not same)


if __name__ == "__main__":
    sys.exit(main())
