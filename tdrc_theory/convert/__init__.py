"""Conversion of any problem to a problem file."""
