"""Tables of results: at a terminal, in a notebook, and as CSV, JSON and LaTeX."""
