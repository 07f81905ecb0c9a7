"""Decisions about exact matrices and polynomials: stability, definiteness, roots."""
