"""Differences between a stored definition and a declared one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from timegate.declaring.known_names import TENANT_DATA
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One field: what it is, and what it is to be; ``None`` where it is not there."""

    field: str
    old: object
    new: object


def differences(
    old: object, new: object, field: str = "", *, exact: bool = False
) -> Iterator[Difference]:
    """Yield every field that differs, as deep as both have the same shape.

    ``exact``: it is data of a target, in which an absent field is no null, and order matters.
    """
    match old, new:
        case Mapping(), Mapping() if exact and _differ_in_nulls(old, new):
            yield Difference(field=field, old=old, new=new)
        case Mapping(), Mapping():
            for name in [*old, *(each for each in new if each not in old)]:
                inner = f"{field}.{name}" if field else str(name)
                inside = exact or name in TENANT_DATA
                yield from differences(old.get(name), new.get(name), inner, exact=inside)
        case list(), list():
            yield from _of_lists(old, new, field, exact=exact)
        # 1 is true in Python, and not in JSON.
        case _ if old != new or isinstance(old, bool) != isinstance(new, bool):
            yield Difference(field=field, old=old, new=new)


def _differ_in_nulls(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Tell whether a field is null on one side and absent on the other."""
    return any({**old, **new}[name] is None for name in old.keys() ^ new.keys())


def _of_lists(
    old: Sequence[Any], new: Sequence[Any], field: str, *, exact: bool
) -> Iterator[Difference]:
    keyed = (None, None) if exact else (_by_key(old), _by_key(new))
    if keyed[0] is not None and keyed[1] is not None:
        yield from differences(*keyed, field)
        # The same tasks in another order are another picture, and nothing else.
    elif len(old) == len(new):
        for number, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from differences(before, after, f"{field}.{number}", exact=exact)
    else:
        yield Difference(field=field, old=old, new=new)


def _by_key(items: Sequence[Any]) -> dict[str, Any] | None:
    """Return tasks by their keys; ``None`` for other lists."""
    named = {
        each["key"]: each
        for each in items
        if isinstance(each, Mapping) and isinstance(each.get("key"), str)
    }
    return named if items and len(named) == len(items) else None
