"""Figures in the project's one style: on a page, in a paper's column as SVG, PNG or PDF, or on a reader's own axes."""

from __future__ import annotations

import html
import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from textwrap import fill
from typing import Any

from tdrc_theory.cli.command import printable, tell
from tdrc_theory.cli.files import write_whole
from tdrc_theory.errors import BadOption
from tdrc_theory.figures.panel import Panel, Picture

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

    from tdrc_theory.figures.axes import draw

    if ax is not None:
        if len(picture.panels) != 1:
            raise BadOption(f"ax: one pair of axes is given, and there are {len(picture.panels)} panels")
        with _styled():
            draw(ax, picture.panels[0])
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
    return len(picture.panels[0].areas) + len(picture.panels[0].curves) if _has_legend_below(picture) else 0


def _has_legend_below(picture: Picture) -> bool:
    return len(picture.panels) == 1 and bool(picture.panels[0].areas)


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

    from tdrc_theory.figures.axes import draw

    columns, rows = _grid(picture.panels)
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    letters = int(figure.get_figwidth() * 72 / (_LETTER * mpl.rcParams["font.size"]))
    for ax, panel in zip(axes, picture.panels, strict=False):
        draw(ax, panel, letters // columns - 6, legend_below=_has_legend_below(picture))
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
