"""A mapping that does not change, and that can be copied, pickled and written as JSON."""

from __future__ import annotations

from typing import Any, NoReturn


class Frozen(dict[str, Any]):
    """A dict without the methods that change one.

    >>> Frozen(a=1)["a"], Frozen(a=1) == {"a": 1}
    (1, True)
    """

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("this mapping does not change")

    __setitem__ = __delitem__ = clear = pop = popitem = setdefault = update = __ior__ = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return Frozen, (dict(self),)
