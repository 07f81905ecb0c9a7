"""Problems that several statements list."""

WALKS = "random-walk-tabular random-walk-inverted random-walk-dependent"
DEFINITE = f"{WALKS} boyan"
"""The paper's problems on which A is positive definite."""
OF_THE_PAPER = f"{DEFINITE} baird"
