"""The names of the data that a step of a problem offers to a learner's function."""

ONCE = ("x", "x_next", "reward", "rho", "rho_before", "gamma", "gamma_next", "interest", "pi", "x_bar", "rho_next")
"""What one transition offers; x_bar and rho_next are for action values."""
AGAIN = {f"{name}_2": name for name in ("x_next", "reward", "rho", "gamma_next", "pi", "x_bar", "rho_next")}
"""What a second, independent transition from the same place offers, and what that is of the first."""
OFFERED = (*ONCE, *AGAIN)
"""All that is offered."""
VECTORS = ("x", "x_next", "x_bar", "x_next_2", "x_bar_2")
"""The vectors among these."""
NUMBERS = tuple(name for name in OFFERED if name not in VECTORS)
"""The numbers among these."""
OF_ACTION_VALUES = ("x_bar", "rho_next", "x_bar_2", "rho_next_2")
"""What only features by state and action offer."""
