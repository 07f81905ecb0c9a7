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
    "Gamma": "Γ",
    "Lambda": "Λ",
    "Omega": "Ω",
    "Xi": "Ξ",
    "top": "⊤",
}
NAMES = ("det", "min", "max")
SIGNS = {
    "neq": "≠",
    "leq": "≤",
    "geq": "≥",
    "implies": "⟹",
    "to": "→",
    "land": "∧",
    "lor": "∨",
    "wedge": "∧",
    "vee": "∨",
    "circ": "∘",
    "cdot": "⋅",
    "{": "{",
    "}": "}",
}
SPACES = {",": "0.1667em", ":": "0.2222em", ";": "0.2778em", " ": "0.3333em"}
SIGN_TEXT = {"-": "−", "+": "+"}
BETWEEN = (*"+-=<>([{,;:|", "neq", "leq", "geq", "implies", "to", "land", "lor", "wedge", "vee", *NAMES)
"""What no operand ends with."""
FENCES = {"bmatrix": ("[", "]"), "cases": ("{", "")}
