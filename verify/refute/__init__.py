"""Counterexamples: exact instances of a formula's symbols, its value there, and a second check that shares no code."""
