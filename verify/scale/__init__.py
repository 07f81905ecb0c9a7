"""Verdicts past exact arithmetic: floating point proposes, a product with bounded rounding errors proves."""
