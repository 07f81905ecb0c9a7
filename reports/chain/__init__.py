"""The chain of a problem as a graph: its arrows, where they lie, and how they are drawn."""
