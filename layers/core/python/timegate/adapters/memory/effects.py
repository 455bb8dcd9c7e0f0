"""The conditions of writes and their effects, on items of plain values."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from timegate.adapters.dynamo.tables.engine import Fields
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import has_expired
from timegate.adapters.dynamo.tables.values import Plain, stored, stored_value
from timegate.adapters.dynamo.tables.writes import (
    Compared,
    Count,
    Insert,
    Put,
    Replace,
    Update,
    Where,
    Write,
)


def key_of(write: Write | Put) -> Key:
    """Return the key that a write is about."""
    if isinstance(write, Update | Count):
        return write.key
    return Key(pk=str(write.fields["pk"]), sk=str(write.fields["sk"]))


def is_met(write: Write | Put, item: Fields | None) -> bool:
    """Return whether the condition of a write holds for the item that is there, if any."""
    match write:
        case Insert():
            return item is None or (write.as_of is not None and has_expired(item, write.as_of))
        case Put():
            return True
        case Replace():
            return item is not None and _hold(write.where, item)
        case Update():
            return _is_met(write, item)
        case Count():
            counted = (item or {}).get("counted")
            room = None if write.at_most is None else write.at_most - write.by
            return room is None or (
                room >= 0 if counted is None else isinstance(counted, int) and counted <= room
            )
        case _:
            assert_never(write)


def shows(write: Write | Put) -> bool:
    """Return whether a write reports the item that its condition refused."""
    match write:
        case Update() | Replace():
            return write.shows_refused
        case Count():
            return write.at_most is not None
        case _:
            return False


def effect(write: Write | Put, item: Fields | None) -> Fields:
    """Return the item as a write leaves it."""
    match write:
        case Insert() | Put() | Replace():
            return stored(write.fields)
        case Count():
            before = item or _empty(write.key)
            expiry = {} if write.expires_at is None else {"expires_at": write.expires_at}
            return {**before, **expiry, "counted": _sum(before.get("counted"), write.by)}
        case Update():
            return _updated(write, dict(item) if item is not None else _empty(write.key))
        case _:
            assert_never(write)


def _is_met(write: Update, item: Fields | None) -> bool:
    if item is None and not write.creates:
        return False
    there: Mapping[str, Plain] = _inside(item or {}, write.within)
    return _hold(write.where, there) or (bool(write.or_where) and _hold(write.or_where, there))


def _inside(item: Mapping[str, Plain], path: tuple[str, ...]) -> Mapping[str, Plain]:
    """Return the map at a path; an empty one where there is none."""
    for name in path:
        inner = item.get(name)
        item = inner if isinstance(inner, Mapping) else {}
    return item


def _hold(where: Where, item: Mapping[str, Plain]) -> bool:
    return all(_holds(wanted, item.get(name)) for name, wanted in where.items())


def _holds(wanted: "Plain | Compared", found: Plain) -> bool:
    if not isinstance(wanted, Compared):
        return _equal(wanted, found)
    if found is None:
        return wanted.or_missing
    return (
        (wanted.equal is None or _equal(wanted.equal, found))
        and (wanted.above is None or _is_less(wanted.above, found))
        and (wanted.below is None or _is_less(found, wanted.below))
        and (wanted.at_most is None or not _is_less(wanted.at_most, found))
    )


def _equal(wanted: Plain, found: Plain) -> bool:
    """Compare as DynamoDB does: a truth value is no number."""
    if isinstance(wanted, bool) or isinstance(found, bool):
        return wanted is found
    return stored_value(wanted) == found


def _is_less(one: Plain, other: Plain) -> bool:
    """Compare texts with texts, and numbers with numbers; others compare as not less."""
    if isinstance(one, str) and isinstance(other, str):
        return one < other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one < other
    message = f"{one!r} and {other!r} are not compared."
    raise TypeError(message)


def _empty(key: Key) -> Fields:
    return {"pk": key.pk, "sk": key.sk}


def _updated(write: Update, item: Fields) -> Fields:
    changed = {name: stored_value(value) for name, value in write.kept.items()}
    _set(item, write.within, changed, write.gone)
    for name, value in write.first.items():
        item.setdefault(name, stored_value(value))
    for name, texts in write.appended.items():
        before = item.get(name, [])
        item[name] = [*(before if isinstance(before, list) else []), *texts]
    for name, by in write.added.items():
        item[name] = _sum(item.get(name), by)
    for name, out in write.taken.items():
        left = _numbers(item.get(name)) - out
        # A set that nothing is left of is gone.
        if left:
            item[name] = left
        else:
            item.pop(name, None)
    return item


def _set(
    item: Fields, path: tuple[str, ...], changed: Mapping[str, Plain], gone: Sequence[str]
) -> None:
    """Set and remove fields of the map at a path, in copies of the maps that lead there."""
    if not path:
        item.update(changed)
        for each in gone:
            item.pop(each, None)
        return
    name, *rest = path
    inner = item.get(name)
    if not isinstance(inner, Mapping):
        message = f"The item has no map {name!r}."
        raise TypeError(message)
    copied = dict(inner)
    _set(copied, tuple(rest), changed, gone)
    item[name] = copied


def _sum(before: Plain, by: int | frozenset[int]) -> Plain:
    if isinstance(by, frozenset):
        if not by:
            message = "DynamoDB adds no empty set."
            raise TypeError(message)
        return _numbers(before) | by
    return (before if isinstance(before, int) else 0) + by


def _numbers(value: Plain) -> frozenset[int]:
    return value if isinstance(value, frozenset) else frozenset()
