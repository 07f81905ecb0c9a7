"""The macros of the LaTeX that is drawn, and the signs that they stand for."""

from __future__ import annotations

LETTERS = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "zeta": "ζ",
    "eta": "η",
    "theta": "θ",
    "lambda": "λ",
    "mu": "μ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "varrho": "ϱ",
    "omega": "ω",
    "Delta": "Δ",
    "Omega": "Ω",
    "Xi": "Ξ",
    "nabla": "∇",
    "top": "⊤",
    "infty": "∞",
}
NAMES = ("det", "min", "max")
SIGNS = {
    "neq": "≠",
    "leq": "≤",
    "geq": "≥",
    "succ": "≻",
    "implies": "⟹",
    "iff": "⟺",
    "to": "→",
    "land": "∧",
    "lor": "∨",
    "wedge": "∧",
    "vee": "∨",
    "lnot": "¬",
    "circ": "∘",
    "cdot": "⋅",
    "lVert": "‖",
    "rVert": "‖",
    "{": "{",
    "}": "}",
}
SPACES = {",": "0.1667em", ":": "0.2222em", ";": "0.2778em", " ": "0.3333em"}
SIGN_TEXT = {"-": "−", "+": "+"}
BETWEEN = (*"+-=<>([{,;:|", "neq", "leq", "geq", "implies", "iff", "to", "land", "lor", "wedge", "vee", "lnot", *NAMES)
"""What no operand ends with."""
TEXT_MACROS = {"textasciicircum": "^", "textasciitilde": "~", "textbackslash": "\\"}
FENCES = {"bmatrix": ("[", "]"), "cases": ("{", "")}
