"""`once`: a property that is worked out once."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801 (reads as the decorator it is)
    """A property worked out once; functools' own takes a lock on Python 3.11, which costs more than most of these."""

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self.work_out = work_out
        self.name = work_out.__name__
        self.__doc__ = work_out.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "once[T]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> "T | once[T]":
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.work_out(instance)
        return value
