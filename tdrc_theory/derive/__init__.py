"""From an algorithm's function: its equation in LaTeX, its expected update and G, for every dimension."""
