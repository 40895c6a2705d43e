"""What a process finds out about its machine: once, when first asked, unless the process that started it says so."""

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """A function without arguments whose result is kept; `known` is None before, and may be set from outside."""

    def __init__(self, find: Callable[[], T]) -> None:
        self._find = find
        self.known: T | None = None

    def __call__(self) -> T:
        if self.known is None:
            self.known = self._find()
        return self.known
