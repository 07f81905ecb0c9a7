"""Proofs for every dimension: identities by normal forms, implications, definiteness, signs and convergence.

Each prover takes a formula of `tdrc_theory.formula` and returns the name of its argument and its steps, or None where
it proves nothing. None of them knows what a claim prints or what is expected of it.
"""
