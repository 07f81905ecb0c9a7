"""Small, readable problems on which algorithms get the verdicts that one asks for."""

from verify.search.hunt import Found, search
from verify.search.pattern import Clause, parse_pattern

__all__ = ["Clause", "Found", "parse_pattern", "search"]
