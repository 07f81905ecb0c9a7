"""Checks by itself what is said of a problem given as plain data, or of updates: nothing of the rest of the code.

The mean step of an algorithm is taken from every unit vector, by its update as the paper writes it; the characteristic
polynomial comes from traces of powers, Hurwitz's determinants decide, and ranks come from elimination. Numbers are
fractions, or towers of square roots whose signs are exact.
"""


class CannotTell(Exception):
    """What the methods here do not decide: a learner that the paper does not write out, a singular G, ..."""
