"""The ticks of an axis as one path, and the lines of its grid as another: a drawing has hundreds of them."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping

_NUMBER = r"-?(?:\d+(?:\.\d+)?|\.\d+)"
_STROKE = re.compile(rf"M({_NUMBER}) ?({_NUMBER})([hv]{_NUMBER})")
"""One level or upright line."""
_BETWEEN = ("text", "defs")
"""What may lie between strokes that become one: labels, which no stroke touches."""


def with_strokes_together(root: ET.Element) -> None:
    """Put strokes that look alike, and follow each other, into one path at the place of the first of them.

    Args:
        root: a figure whose paths are short.
    """
    shapes = {each.attrib["id"]: each for each in root.iter("path") if "id" in each.attrib}
    for parent in root.iter():
        alike: dict[tuple[tuple[str, str], ...], ET.Element] = {}
        kept = []
        for child in parent:
            stroke = None if parent.tag == "defs" or len(child) else _stroke(child, shapes)
            if stroke is None:
                alike = alike if child.tag in _BETWEEN else {}
                kept.append(child)
                continue
            way, look = stroke
            if look in alike:
                alike[look].attrib["d"] += way
            else:
                alike[look] = ET.Element("path", {"d": way, **dict(look)})
                kept.append(alike[look])
        parent[:] = kept
    _without_unused_shapes(root)


def _stroke(element: ET.Element, shapes: Mapping[str, ET.Element]) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    """Return the path and the other attributes of a single stroke, drawn or used; None of anything else."""
    look = dict(element.attrib)
    across = down = 0.0
    if element.tag == "use":
        used = [look.pop(name) for name in list(look) if name.endswith("href")]
        across, down = (float(look.pop(name, 0)) for name in ("x", "y"))
        shape = shapes.get(used[0].removeprefix("#")) if used else None
        if look or shape is None:
            return None
        look = {name: value for name, value in shape.attrib.items() if name != "id"}
    elif element.tag != "path" or "id" in look:
        return None
    line = _STROKE.fullmatch(look.pop("d", ""))
    if line is None:
        return None
    x, y = (f"{round(float(place) + by, 1):g}" for place, by in ((line[1], across), (line[2], down)))
    return f"M{x} {y}{line[3]}", tuple(look.items())


def _without_unused_shapes(root: ET.Element) -> None:
    """Drop what was drawn only by its strokes."""
    used = {
        value.removeprefix("#") for each in root.iter("use") for name, value in each.attrib.items() if "href" in name
    }
    for parent in root.iter():
        for child in list(parent):
            if child.tag == "defs":
                child[:] = [each for each in child if each.tag != "path" or each.get("id") in used]
                if not len(child):
                    parent.remove(child)
