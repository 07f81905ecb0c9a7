"""Curves with bands as one self-contained SVG, in the project's one style."""

from __future__ import annotations

import html
import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tdrc_theory.command import printable

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
"""Okabe and Ito's colours, told apart by colour-blind readers too; line styles change as well, for print in grey."""
_DASHES = ("-", "--", ":", "-.")
_STYLE = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "tdrc-referee",  # the same figure gives the same bytes
    "text.parse_math": False,  # a user's $ is a $
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
}


@dataclass(frozen=True)
class Curve:
    """One line of a figure.

    Attributes:
        label: what the legend says; "" for none.
        x, y: points, in order; what is not finite leaves a gap.
        lower, upper: the band, or None for none.
        marks: dots instead of a line.
    """

    label: str
    x: Sequence[float]
    y: Sequence[float]
    lower: Sequence[float] | None = None
    upper: Sequence[float] | None = None
    marks: bool = False


@dataclass(frozen=True)
class Panel:
    """One pair of axes.

    Attributes:
        title: above the axes; "" for none.
        x_label, y_label: what is measured, with its unit.
        log_x, log_y: None for linear, or the base of the logarithm.
    """

    curves: Sequence[Curve]
    x_label: str
    y_label: str
    title: str = ""
    log_x: int | None = None
    log_y: int | None = None


class Svg(str):
    """An SVG document, which a notebook draws."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def decades(y: Sequence[float]) -> int | None:
    """Return 10 for values over more than three decades: a linear axis would show the largest of them alone.

    >>> decades([1e-4, 2.0]), decades([0.5, 2.0]), decades([0.0, 2.0])
    (10, None, None)
    """
    known = [value for value in y if math.isfinite(value)]
    least, most = min(known, default=1.0), max(known, default=1.0)
    return 10 if 0 < 1000 * least < most else None


def svg(title: str, description: str, panels: Sequence[Panel]) -> Svg:
    """Return the panels side by side, at most three in a row, with a title and a description for whoever cannot see.

    The same arguments give the same bytes. Texts may come from a user.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    columns = 2 if len(panels) == 4 else min(len(panels), 3)
    rows = -(-len(panels) // columns)
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(max(6.4, 4.2 * columns), 3.6 * rows + 0.4), layout="constrained")
        FigureCanvasSVG(figure)
        axes = list(figure.subplots(rows, columns, squeeze=False).flat)
        for ax, panel in zip(axes, panels, strict=False):
            _draw(ax, panel)
        for ax in axes[len(panels) :]:
            ax.set_visible(False)
        figure.suptitle(printable(title), wrap=True)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    told = f"<title>{_text(title)}</title>\n<desc>{_text(description)}</desc>\n"
    start = re.search(r"<svg\b[^>]*>\n?", out.getvalue())
    assert start is not None
    return Svg(start.group().rstrip().removesuffix(">") + ' role="img">\n' + told + out.getvalue()[start.end() :])


def _draw(ax: Any, panel: Panel) -> None:
    for number, curve in enumerate(panel.curves):
        colour = COLOURS[number % len(COLOURS)]
        style = "none" if curve.marks else _DASHES[number % len(_DASHES)]
        shown = printable(curve.label) or "_"  # a leading underscore keeps a line out of the legend
        mark = "o" if curve.marks else "none"
        ax.plot(curve.x, _with_gaps(curve.y), color=colour, linestyle=style, marker=mark, markersize=4, label=shown)
        if curve.lower is not None and curve.upper is not None:
            lower, upper = _with_gaps(curve.lower), _with_gaps(curve.upper)
            ax.fill_between(curve.x, lower, upper, color=colour, alpha=0.2, linewidth=0)
    if panel.log_x:
        ax.set_xscale("log", base=panel.log_x)
        _label_plainly(ax.xaxis, panel.log_x)
    if panel.log_y:
        ax.set_yscale("log", base=panel.log_y)
        _label_plainly(ax.yaxis, panel.log_y)
    ax.set(xlabel=printable(panel.x_label), ylabel=printable(panel.y_label), title=printable(panel.title))
    if any(curve.label for curve in panel.curves):
        ax.legend(frameon=False)


def _with_gaps(values: Sequence[float]) -> list[float]:
    """Return nan for what is not finite: a logarithmic axis would have -inf at its lower edge."""
    return [value if math.isfinite(value) else math.nan for value in values]


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


def _text(text: str) -> str:
    return html.escape(printable(text))
