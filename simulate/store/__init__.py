"""Where outcomes are kept between commands."""

from simulate.store.outcomes import NotStored, Store

__all__ = ["NotStored", "Store"]
