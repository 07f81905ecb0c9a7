"""Figures in the project's one style: on a page, in a paper's column as SVG, PNG or PDF, or on a reader's own axes.

Values far beyond the rest are marked at the edge, not drawn to scale.
"""

from __future__ import annotations

import html
import io
import math
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import PurePath
from textwrap import fill
from typing import TYPE_CHECKING, Any

from tdrc_theory.cli.command import printable, tell
from tdrc_theory.cli.files import write_whole
from tdrc_theory.errors import BadOption
from tdrc_theory.figures.panel import COLOURS, Area, Curve, Panel, Picture
from tdrc_theory.tables.table import some_rows

if TYPE_CHECKING:
    import numpy as np

COLUMN, BOTH_COLUMNS = 3.25, 6.75
"""Width in inches of a file's figure: one panel takes one column of a two-column paper, more panels take both."""
_STYLE: dict[str, Any] = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "tdrc-referee",  # the same figure gives the same bytes
    "pdf.fonttype": 42,  # fonts are embedded as TrueType: publishers refuse Type 3
    "text.parse_math": False,  # a user's $ is a $
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "lines.markersize": 4,
}
_LONGEST_TITLE = 300
"""Characters of a title that are drawn, which leave room for axes."""
_IN_A_COLUMN = {"font.size": 8, "lines.linewidth": 1.2, "lines.markersize": 3, "axes.titlesize": 8}
_DATELESS: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
_LEGEND_ROW = 0.22
"""Height in inches of an area's row in a legend below."""
_NO_GLYPH = re.compile(r"Glyph .* missing from font")
_LETTER = 0.58
"""Width of an average letter over the font's size."""
_DASHES = ("-", "--", ":", "-.")
_MARKERS = ("o", "s", "D", "P", "X", "*", "h")
_MARKED = 8
"""Markers of a long curve, about."""
_FAR = 1e6
"""A value is past the axis where it is more times as large as 1 and as where the curves begin."""
_Ends = tuple[float, float]
_LARGEST = 1e12
"""The largest level that counts: no axis reaches a million times beyond it."""


def _draw(ax: Any, panel: Panel, letters: int = 60, legend_below: bool = False) -> None:
    """Draw a panel with so many letters in a legend's line, the legend below the whole figure or in it."""
    limit = _limit(panel)
    ends = _ends(panel, limit)
    for area in panel.areas:
        _draw_area(ax, area)
    for number, curve in enumerate(panel.curves):
        _draw_curve(ax, curve, number, limit, ends)
    _scale(ax, panel)
    if math.isfinite(ends[0]):
        ax.set_ylim(*ends)
        for above in (True, False):
            _mark_edge(ax, panel, limit, above)
    ax.set(xlabel=printable(panel.x_label), ylabel=printable(panel.y_label), title=printable(panel.title))
    handles, labels = ax.get_legend_handles_labels()
    if handles:
        shown = [fill(label, letters) for label in labels]
        if legend_below:
            ax.figure.legend(handles, shown, frameon=False, loc="outside lower left")
        else:
            ax.legend(handles, shown, edgecolor="none")


def _draw_area(ax: Any, area: Area) -> None:
    from matplotlib.patches import Polygon

    look: dict[str, Any] = {"color": area.colour, "zorder": 0.5, "linewidth": 0.5}  # a line, so that no seams show
    if not area.filled:
        look = {"fill": False, "edgecolor": area.colour, "linestyle": area.line, "linewidth": 1.5}
    for number, corners in enumerate(area.polygons):
        label = _label(area.label if number == 0 else "")
        ax.add_patch(Polygon(corners, closed=True, label=label, **look))
    for line in area.borders:
        ax.plot(*zip(*line, strict=True), color=area.border, linewidth=1.2, label=_label(""))


def _draw_curve(ax: Any, curve: Curve, number: int, limit: float, ends: _Ends) -> None:
    import numpy as np

    colour = _colour(curve, number)
    marker = "none" if curve.plain else "o" if curve.marks else _MARKERS[number % len(_MARKERS)]
    every = None if curve.marks or len(curve.x) <= 3 * _MARKED else (number, max(1, len(curve.x) // _MARKED))
    ax.plot(
        curve.x,
        _to_the_edge(np.asarray(curve.y), limit, ends),
        color=colour,
        linestyle="none" if curve.marks else _DASHES[number % len(_DASHES)],
        marker=marker,
        markevery=every,
        markerfacecolor="white" if curve.hollow else colour,
        label=_label(curve.label),
    )
    if curve.lower is not None and curve.upper is not None:
        past = np.abs(curve.y) > limit  # where its curve is past the axis, a band ends
        lower, upper = (np.where(past, np.nan, np.clip(part, *ends)) for part in (curve.lower, curve.upper))
        ax.fill_between(curve.x, lower, upper, color=colour, alpha=0.2, linewidth=0)


def _label(text: str) -> str:
    """Return a label that is in the legend unless it is empty: matplotlib leaves out what begins with an underscore."""
    shown = printable(text)
    return f" {shown}" if shown.startswith("_") else shown or "_"


def _colour(curve: Curve, number: int) -> str:
    return curve.colour or COLOURS[number % len(COLOURS)]


def _limit(panel: Panel) -> float:
    """Return the size beyond which a value is past the axis."""
    begin = (next((abs(y) for y in curve.y if math.isfinite(y)), 0.0) for curve in panel.curves)
    level = min(begin, default=0.0) if panel.level is None else panel.level
    return _FAR * min(max(1.0, level), _LARGEST)


def _ends(panel: Panel, limit: float) -> _Ends:
    """Return the ends of the y axis that hold what is not past it, with a margin; infinite ones where nothing is."""
    lines = (line for curve in panel.curves for line in (curve.y, curve.lower, curve.upper) if line is not None)
    heights = list(chain.from_iterable(lines))
    if not any(abs(y) > limit for y in heights):
        return -math.inf, math.inf
    inside = [y for y in heights if abs(y) <= limit and (panel.log_y is None or y > 0)]
    if not inside:
        return (0.1, 1.0) if panel.log_y else (0.0, 1.0)
    low, high = min(inside), max(inside)
    if panel.log_y:
        room = max((high / low) ** 0.08, 1.5)
        return low / room, high * room
    margin = 0.08 * (high - low) or 0.5 * abs(high) or 0.5
    return low - margin, high + margin


def _to_the_edge(values: np.ndarray, limit: float, ends: _Ends) -> np.ndarray:
    """Return values of which those past the axis are at its edge next to others that are not, and gaps elsewhere."""
    import numpy as np

    inside = np.pad(np.abs(values) <= limit, 1)
    edge = np.where(values > 0, ends[1], ends[0])
    return np.where(np.abs(values) > limit, np.where(inside[:-2] | inside[2:], edge, np.nan), values)


def _mark_edge(ax: Any, panel: Panel, limit: float, above: bool) -> None:
    """Mark what is past one edge, in its curve's colour, and say in the legend what the marks mean."""
    result = []
    for number, curve in enumerate(panel.curves):
        past = [x for x, y in zip(curve.x, curve.y, strict=True) if abs(y) > limit and (y > 0) == above]
        if past:
            result.append((_colour(curve, number), [past[place] for place in some_rows(len(past), 2 * _MARKED)]))
    marker, height = ("^", 1.0) if above else ("v", 0.0)
    look: dict[str, Any] = {"linestyle": "none", "marker": marker, "markerfacecolor": "none", "clip_on": False}
    for place, (colour, x) in enumerate(result):  # marks at the same place lie within each other
        size = 5 + 3 * (len(result) - 1 - place)
        ax.plot(x, [height] * len(x), transform=ax.get_xaxis_transform(), color=colour, markersize=size, **look)
    if result:
        side, bound = ("above", f"{limit:.0e}") if above else ("below", f"-{limit:.0e}")
        words = f"{side} {bound} or diverged, not to scale"
        ax.plot([], [], color=COLOURS[-1], markersize=6, label=words, **look | {"clip_on": True})


def _scale(ax: Any, panel: Panel) -> None:
    """Set the axes' scales, ends and ticks."""
    for axis, base, ends, ticks, name in (
        (ax.xaxis, panel.log_x, panel.x_ends, panel.x_ticks, "x"),
        (ax.yaxis, panel.log_y, panel.y_ends, panel.y_ticks, "y"),
    ):
        if base:
            getattr(ax, f"set_{name}scale")("log", base=base)
            _label_plainly(axis, base)
        if ticks is not None:
            axis.set_ticks([at for at, _ in ticks], [text for _, text in ticks])
            axis.set_ticks([], minor=True)
        if ends is not None:
            getattr(ax, f"set_{name}lim")(*ends)


def _label_plainly(axis: Any, base: int) -> None:
    """Label the ticks that matplotlib would, by plain numbers; its own labels are formulas, which are not parsed."""
    from matplotlib.ticker import LogFormatter

    class Plain(LogFormatter):
        def __call__(self, x: float, pos: int | None = None) -> str:
            if not super().__call__(x, pos):
                return ""
            return f"1/{round(1 / x)}" if base == 2 and x < 1 else f"{x:.4g}"

    axis.set_major_formatter(Plain(base))
    axis.set_minor_formatter(Plain(base))


class Svg(str):
    """An SVG document, which a notebook draws."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def svg(title: str, description: str, panels: Sequence[Panel]) -> Svg:
    """Return a picture as an SVG document in a page's size, at most three panels in a row.

    The same arguments give the same bytes. Texts may come from a user.
    """
    with _styled():
        picture = Picture(title, description, panels)
        return _svg(picture, _page_size(picture))


def write_picture(path: str | None, picture: Callable[[], Picture]) -> None:
    """Draw a picture in the size of a paper's column and write it; its name says whether as SVG, PNG or PDF.

    None is no file.

    Raises:
        BadOption: it cannot be drawn or written; nothing is left behind.
    """
    if path is None:
        return
    try:
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")  # those of others are given again below
            content = in_a_column(picture(), PurePath(path).suffix.lower().removeprefix("."))
    except (ArithmeticError, ValueError, RuntimeError, MemoryError) as error:
        raise BadOption(f"{path}: cannot be drawn: {error}") from error
    for each in seen:
        if _NO_GLYPH.match(str(each.message)) is None:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
    if any(_NO_GLYPH.match(str(each.message)) for each in seen):
        tell(
            f"note: {path}: the font lacks some characters, and boxes stand for them; an .svg leaves them to its viewer"
        )
    write_whole(path, content)


def in_a_column(picture: Picture, form: str) -> str | bytes:
    """Return a picture as a file in the size of a paper's column: svg, png (300 dots an inch) or pdf.

    The same arguments give the same bytes.
    """
    columns, rows = _grid(picture.panels)
    wide = COLUMN if columns == 1 else BOTH_COLUMNS
    size = (wide, (0.75 * wide / columns + 0.35) * rows + 0.3 + _LEGEND_ROW * _below(picture))
    with _styled(**_IN_A_COLUMN):
        if form == "svg":
            return _svg(picture, size)
        drawn = {"Title": printable(picture.title)}
        figure, out = _figure(picture, size), io.BytesIO()
        figure.savefig(out, format=form, dpi=300, metadata=_DATELESS[form] | drawn)
    return out.getvalue()


def plot(picture: Picture, ax: Any = None) -> Any:
    """Draw a picture with pyplot, for a script or a notebook; `Shown.plot` says what it takes and returns.

    Raises:
        BadOption: one pair of axes is given for several panels.
    """
    import numpy as np

    if ax is not None:
        if len(picture.panels) != 1:
            raise BadOption(f"ax: one pair of axes is given, and there are {len(picture.panels)} panels")
        with _styled():
            _draw(ax, picture.panels[0])
        return ax
    import matplotlib.pyplot as plt

    with _styled():
        figure = plt.figure(figsize=_page_size(picture), layout="constrained")
        axes = _filled(figure, picture)
    return axes[0] if len(axes) == 1 else np.array(axes)


@contextmanager
def _styled(**changed: Any) -> Iterator[None]:
    import matplotlib as mpl

    with mpl.rc_context(_STYLE | changed):
        yield


def _grid(panels: Sequence[Panel]) -> tuple[int, int]:
    """Return the number of panels in a row, and of rows."""
    columns = 2 if len(panels) == 4 else min(len(panels), 3)
    return columns, -(-len(panels) // columns)


def _page_size(picture: Picture) -> tuple[float, float]:
    columns, rows = _grid(picture.panels)
    return max(6.4, 4.2 * columns), 3.6 * rows + 0.4 + _LEGEND_ROW * _below(picture)


def _below(picture: Picture) -> int:
    """Return how many rows a legend below the figure has; 0 where the legend is within the axes."""
    first, *others = picture.panels
    return len(first.areas) + len(first.curves) if first.areas and not others else 0


def _figure(picture: Picture, size: tuple[float, float]) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    _filled(figure, picture)
    return figure


def _filled(figure: Any, picture: Picture) -> list[Any]:
    """Draw the panels and the title on a figure, and return the axes."""
    import matplotlib as mpl

    columns, rows = _grid(picture.panels)
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    letters = int(figure.get_figwidth() * 72 / (_LETTER * mpl.rcParams["font.size"]))
    for ax, panel in zip(axes, picture.panels, strict=False):
        _draw(ax, panel, letters // columns - 6, legend_below=_below(picture) > 0)
    for ax in axes[len(picture.panels) :]:
        ax.set_visible(False)
    size = mpl.rcParams["font.size"] * 1.1
    title = printable(picture.title)
    title = title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 3]}..."
    figure.suptitle(fill(title, int(letters / 1.1)), fontsize=size)
    return axes[: len(picture.panels)]


def _svg(picture: Picture, size: tuple[float, float]) -> Svg:
    figure, out = _figure(picture, size), io.StringIO()
    with warnings.catch_warnings():
        # Text stays text, so that the viewer's font draws what matplotlib's lacks.
        warnings.filterwarnings("ignore", _NO_GLYPH.pattern, UserWarning)
        figure.savefig(out, format="svg", metadata=_DATELESS["svg"])
    title, description = (html.escape(printable(each)) for each in (picture.title, picture.description))
    text = f"<title>{title}</title>\n<desc>{description}</desc>\n"
    start = re.search(r"<svg\b[^>]*>\n?", out.getvalue())
    assert start is not None
    return Svg(start.group().rstrip().removesuffix(">") + ' role="img">\n' + text + out.getvalue()[start.end() :])
