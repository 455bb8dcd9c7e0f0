"""Differences between a stored definition and a declared one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One field: what it is, and what it is to be; ``None`` where it is not there."""

    field: str
    old: object
    new: object


def differences(old: object, new: object, field: str = "") -> Iterator[Difference]:
    """Every field that differs, as deep as both have the same shape."""
    match old, new:
        case Mapping(), Mapping():
            for name in [*old, *(each for each in new if each not in old)]:
                inner = f"{field}.{name}" if field else str(name)
                yield from differences(old.get(name), new.get(name), inner)
        case list(), list():
            yield from _of_lists(old, new, field)
        case _ if old != new:
            yield Difference(field=field, old=old, new=new)


def _of_lists(old: Sequence[Any], new: Sequence[Any], field: str) -> Iterator[Difference]:
    keyed = _by_key(old), _by_key(new)
    if keyed[0] is not None and keyed[1] is not None:
        yield from differences(*keyed, field)
        # The same tasks in another order are another picture, and nothing else.
    elif len(old) == len(new):
        for number, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from differences(before, after, f"{field}.{number}")
    else:
        yield Difference(field=field, old=old, new=new)


def _by_key(items: Sequence[Any]) -> dict[str, Any] | None:
    """Tasks, by their keys; ``None`` for what has none."""
    named = {each["key"]: each for each in items if isinstance(each, Mapping) and "key" in each}
    return named if items and len(named) == len(items) else None
