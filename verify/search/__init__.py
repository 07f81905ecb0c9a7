"""Small, readable problems on which algorithms get the verdicts that one asks for."""

from verify.search.hunt import SearchResult, search
from verify.search.pattern import Clause, parse_pattern

__all__ = ["Clause", "SearchResult", "parse_pattern", "search"]
