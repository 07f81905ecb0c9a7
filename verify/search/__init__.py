"""Small, readable problems on which algorithms get the verdicts that one asks for."""

from verify.search.hunt import Clause, SearchResult, parse_pattern, search

__all__ = ["Clause", "SearchResult", "parse_pattern", "search"]
