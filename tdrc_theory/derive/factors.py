"""Products of named vectors and numbers, as text and as LaTeX."""

from __future__ import annotations

from tdrc_theory.learner.quantity import Atom, Key
from tdrc_theory.notation import notation


def name_text(name: str) -> str:
    """Return a vector's name as text."""
    return {"x_next": "x'", "x_next_2": "x'_2"}.get(name, name)


def name_latex(name: str, scalar: bool = False) -> str:
    """Return a name of a vector or a number as LaTeX."""
    known = {"x", "x_next", "x_next_2", "x_bar", "x_bar_2", "w", "h", "delta", "delta_bar", "delta_hat"}
    if name in known:
        return notation(name).latex
    return name if scalar and len(name) == 1 else rf"\operatorname{{{name}}}" if scalar else rf"\mathbf{{{name}}}"


def phi_written(vectors: tuple[str, ...]) -> tuple[str, str]:
    """Return a componentwise product as (text, LaTeX)."""
    texts, drawn = [], []
    for name in dict.fromkeys(vectors):
        power = vectors.count(name)
        texts.append(name_text(name) if power == 1 else f"{name_text(name)}^{power}")
        drawn.append(name_latex(name) if power == 1 else rf"{{{name_latex(name)}}}^{{\circ {power}}}")
    return "*".join(texts), r" \circ ".join(drawn)


def atom_text(atom: Atom) -> str:
    """Return a number, by name or as a dot product, as text."""
    return (
        "delta_hat" if atom == ("h", "x") else ".".join("R" if name == "reward" else name_text(name) for name in atom)
    )


def atom_latex(atom: Atom) -> str:
    """Return a number, by name or as a dot product, as LaTeX."""
    if atom == ("h", "x"):
        return notation("delta_hat").latex
    if atom == ("reward",):
        return "R"
    return name_latex(atom[0], scalar=True) if len(atom) == 1 else rf"{name_latex(atom[0])}^\top {name_latex(atom[1])}"


def sample_text(key: Key) -> str:
    """Return a product as text."""
    return "*".join([*map(atom_text, key[0]), *([phi_written(key[1])[0]] if key[1] else [])]) or "1"


def sample_latex(key: Key) -> str:
    """Return a product as LaTeX."""
    return " ".join([*map(atom_latex, key[0]), *([phi_written(key[1])[1]] if key[1] else [])]) or r"\mathbf{1}"
