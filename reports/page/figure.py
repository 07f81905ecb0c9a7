"""A figure of a page, with the numbers behind it; its SVG has the colours of the reader's theme and ids of its own."""

from __future__ import annotations

import hashlib
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reports.page.table import Table

_SVG, _HREF = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
_THEME = {
    "#000000": "currentColor",
    "black": "currentColor",
    "#333": "currentColor",
    "white": "var(--paper)",
    "#ffffff": "var(--paper)",
    "#b0b0b0": "var(--grid)",
    "#0072b2": "var(--series-1)",
    "#d55e00": "var(--series-2)",
    "#009e73": "var(--series-3)",
    "#cc79a7": "var(--series-4)",
    "#56b4e9": "var(--series-5)",
    "#e69f00": "var(--series-6)",
    "#9ecae1": "var(--area)",
    "#08519c": "var(--edge)",
    "#a63603": "var(--never)",
    "#756bb1": "var(--bound-1)",
    "#238b45": "var(--bound-2)",
}
"""What the project's figures are drawn in, and the page's names for it, which are lighter on a dark page."""
_COLOUR = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, _THEME))})(?![\w-])")
_LEGIBLE = 0.8
"""Pixels of a page that a unit of a figure takes at least."""
_MARK = 8
"""Digits that tell figures of a page apart."""
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_COLOURS = re.compile(r"(?:(?:fill|stroke): [^;]+(?:; |$))+")
"""Styles that what a group holds inherits."""
_FONT = re.compile(r"font-family:[^;]*;? ?")
_DECIMALS, _NO_DECIMAL = re.compile(r"(\.\d)\d+"), re.compile(r"\.0(?!\d)")
"""A tenth of a unit is finer than a screen shows."""
_ENDS_OF_LINES = re.compile(r"stroke-line(?:cap|join): \w+;? ?")
"""The page says how all of them are drawn."""
_PLACES = ("d", "x", "y", "x1", "x2", "y1", "y2", "width", "height", "transform", "points")
"""Attributes with coordinates in them."""

_COMMANDS = re.compile(r" ?([A-Zac-z]) ?")
"""Of a path: letters, except the e of an exponent."""
_STRAIGHT = re.compile(r"(?:M-?\d+(?:\.\d)?(?: -?\d+(?:\.\d)?)+z?)+")
"""A path of straight lines between places that have one decimal at most."""
_PARTS = re.compile(r"M([^Mz]*)(z?)")
_NUMBER = r"-?(?:\d+(?:\.\d+)?|\.\d+)"
_STROKE = re.compile(rf"M({_NUMBER}) ?({_NUMBER})([hv]{_NUMBER})")
"""One level or upright line."""
_BETWEEN = ("text", "defs")
"""What may lie between strokes that become one: labels, which no stroke touches."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing and its numbers.

    Attributes:
        name: letters and hyphens; unique within its section.
        caption: what is to be seen, in a sentence or two.
        svg, numbers: as `tdrc_theory.figures.figure.svg` returns it, and what is drawn.
    """

    name: str
    caption: str
    svg: str
    numbers: Table


def embedded(svg: str, mark: str) -> str:
    """Return an SVG with a title and a description as an element of a page, where `mark` makes its ids its own."""
    root = ET.fromstring(svg)
    width = float(root.get("viewBox", "0 0 720 540").split()[2])
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    # On a narrow page a wide figure scrolls rather than become too small to read.
    root.set("style", f"max-width: {width:.0f}pt; min-width: {_LEGIBLE * width:.0f}px")
    for parent in list(root.iter()):
        for child in list(parent):
            # A style sheet would be the whole page's; the page has what these say.
            if child.tag in (f"{_SVG}style", f"{_SVG}metadata"):
                parent.remove(child)
        parent.tag = parent.tag.removeprefix(_SVG)
        _themed(parent)
        if _HREF in parent.attrib:
            parent.set("href", parent.attrib.pop(_HREF))
    referred = _referred(root)
    mark = f"f{hashlib.sha256(mark.encode()).hexdigest()[:_MARK]}"
    for element in root.iter():
        _shortened(element, referred)
    _without_styles_of_what_is_used(root)
    _without_empty_groups(root)
    with_strokes_together(root)
    _with_colours_of_groups(root)
    named = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    numbers = {name: f"{mark}-{number}" for number, name in enumerate(named)}
    for element in root.iter():
        _numbered(element, numbers)
    _described(root, mark)
    return ET.tostring(root, encoding="unicode").replace(" />", "/>")


def _referred(root: ET.Element) -> set[str]:
    """Return the ids that something in a figure refers to."""
    referred: set[str] = set()
    for element in root.iter():
        for name, value in element.attrib.items():
            referred.update([value.removeprefix("#")] if name == "href" else _REFERENCE.findall(value))
    return referred


def _shortened(element: ET.Element, referred: set[str]) -> None:
    """Drop what nobody sees: blanks between elements, ids that nothing refers to, the page's font, a turn by 0."""
    if element.tag not in ("text", "tspan", "title", "desc"):
        element.text = None
    element.tail = element.tail if element.tag == "tspan" else None
    if element.get("id") not in referred:
        element.attrib.pop("id", None)
    if element.get("transform", "").startswith("rotate(-0 "):
        del element.attrib["transform"]
    for name in _PLACES:
        if name in element.attrib:
            short = _DECIMALS.sub(r"\1", " ".join(element.attrib[name].split()))
            element.set(name, _NO_DECIMAL.sub("", short))
    if "d" in element.attrib:
        element.set("d", short_path(element.attrib["d"]))
    if "style" in element.attrib:
        element.set("style", _ENDS_OF_LINES.sub("", _FONT.sub("", element.attrib["style"])).strip().removesuffix(";"))


def _without_styles_of_what_is_used(root: ET.Element) -> None:
    """Drop the style of a use where what it uses has the same."""
    styles = {element.get("id"): element.get("style") for element in root.iter() if "id" in element.attrib}
    for element in root.iter("use"):
        if styles.get(element.get("href", "").removeprefix("#")) == element.get("style"):
            element.attrib.pop("style", None)


def _without_empty_groups(root: ET.Element) -> None:
    """Put the children of a group that says nothing of them into its place."""
    for child in root:
        _without_empty_groups(child)
    children: list[ET.Element] = []
    for child in root:
        children += list(child) if child.tag == "g" and not child.attrib else [child]
    root[:] = children


def _with_colours_of_groups(root: ET.Element) -> None:
    """Give a group the colours that all it uses have: the marks of a curve."""
    for group in root.iter("g"):
        style = group[0].get("style", "") if len(group) else ""
        alike = all(each.tag == "use" and each.get("style") == style for each in group)
        if alike and "style" not in group.attrib and _COLOURS.fullmatch(style):
            group.set("style", style)
            for each in group:
                del each.attrib["style"]


def _numbered(element: ET.Element, numbers: Mapping[str, str]) -> None:
    """Put the page's names of a figure's parts into the place of their ids and of what refers to them."""
    for name, value in element.attrib.items():
        if name == "id":
            element.set(name, numbers[value])
        elif name == "href":
            element.set(name, f"#{numbers[value.removeprefix('#')]}")
        else:
            element.set(name, _REFERENCE.sub(lambda one: f"url(#{numbers[one[1]]})", value))


def _themed(element: ET.Element) -> None:
    """Turn an element's colours into the page's; attributes become style, where variables are known."""
    style = [element.get("style", "")]
    for name in ("fill", "stroke"):
        if element.get(name) in _THEME:
            style.append(f"{name}: {element.attrib.pop(name)}")
    colours = "; ".join(part.strip().rstrip(";") for part in style if part)
    if colours:
        element.set("style", _COLOUR.sub(lambda match: _THEME[match[0]], colours))


def _described(root: ET.Element, mark: str) -> None:
    """Have assistive software read title and description."""
    for name in ("title", "desc"):
        element = root.find(name)
        if element is not None:
            element.set("id", f"{mark}-{name}")
    root.set("role", "img")
    root.set("aria-labelledby", f"{mark}-title")
    root.set("aria-describedby", f"{mark}-desc")


def with_strokes_together(root: ET.Element) -> None:
    """Put strokes that look alike, and follow each other, into one path at the place of the first of them."""
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
        shape = shapes.get(look.pop("href", "").removeprefix("#"))
        across, down = (float(look.pop(name, 0)) for name in ("x", "y"))
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
    used = {each.get("href", "").removeprefix("#") for each in root.iter("use")}
    for parent in root.iter():
        for child in list(parent):
            if child.tag == "defs":
                child[:] = [each for each in child if each.tag != "path" or each.get("id") in used]
                if not len(child):
                    parent.remove(child)


def short_path(way: str) -> str:
    """Return a path without the blanks that it can do without; straight lines as steps from place to place.

    >>> short_path("M 10.5 20 L 12.9 19.5 L 20 19.5 L 30 19.5 L 30 40 z")
    'M10.5 20l2.4-.5h17.1v20.5z'
    """
    way = _COMMANDS.sub(r"\1", way).strip()
    straight = way.replace("L", " ")
    if not _STRAIGHT.fullmatch(straight):
        return way
    return _COMMANDS.sub(r"\1", " ".join(_steps(straight))).replace(" -", "-").strip()


def _steps(way: str) -> Iterator[str]:
    """Yield the commands and numbers of a path of straight lines, all but moves relative to the place before."""
    for numbers, end in _PARTS.findall(way):
        tenths = [round(10 * float(each)) for each in numbers.split()]
        first, *others = zip(tenths[::2], tenths[1::2], strict=True)
        yield from ("M", *map(_tenths, first))
        before = ""
        for across, down in _joined(first, others):
            letter = "h" if not down else "v" if not across else "l"
            yield from [letter] if letter != before else []
            yield from [_tenths(each) for each in (across, down) if each]
            before = letter
        yield from end


def _joined(here: tuple[int, int], places: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the steps from place to place; those that go on level, or upright, the same way are one."""
    across = down = 0
    for x, y in places:
        right, below = x - here[0], y - here[1]
        here = (x, y)
        goes_on = (down == below == 0 and across * right >= 0) or (across == right == 0 and down * below >= 0)
        if not goes_on:
            yield from [(across, down)] if across or down else []
            across = down = 0
        across, down = across + right, down + below
    if across or down:
        yield across, down


def _tenths(number: int) -> str:
    """Return tenths as a decimal.

    >>> [_tenths(each) for each in (-5, 24, 30)]
    ['-.5', '2.4', '3']
    """
    return f"{number / 10:g}".replace("0.", ".") if abs(number) < 10 else f"{number / 10:.1f}".removesuffix(".0")
