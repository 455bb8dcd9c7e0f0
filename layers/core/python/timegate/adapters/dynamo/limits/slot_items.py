"""Slots as items: beside their tenant's jobs, one per place and one per attempt in the line."""

from collections.abc import Mapping

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.limits.overlap import SlotKey
from timegate.domain.limits.slots import Holder, SlotHold, SlotWaiter
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.instants import from_compact

#: The sort keys of places begin with this, and that of the record of where the line begins.
SLOT_PREFIX = "slot#"
LINE_PREFIX = "wait#"
_LINE_SK = f"{SLOT_PREFIX}line"
_HOLD = Part(SlotHold)
_HOLDER = Part(Holder, without=("hold", "place"), names={"expires_at": "lease_expires_at"})
#: The fields of a free place.
FREE: Mapping[str, Plain] = {**_HOLD.unset, **_HOLDER.unset}


def slots_pk(key: SlotKey) -> str:
    """The partition of a key; no job can have it, for no job's id holds a ``#``."""
    return f"{key.tenant}#key#{key.name}"


def slot_key(key: SlotKey, place: int) -> Key:
    """The key of a place."""
    return Key(pk=slots_pk(key), sk=f"{SLOT_PREFIX}{place:04d}")


def line_key(key: SlotKey) -> Key:
    """The key of the record that says where the line begins."""
    return Key(pk=slots_pk(key), sk=_LINE_SK)


def waiter_key(key: SlotKey, waiter: SlotWaiter) -> Key:
    """The key of an attempt's place in the line: they sort as the line does."""
    return Key(pk=slots_pk(key), sk=f"{LINE_PREFIX}{waiter.position}")


def holder_to_fields(holder: Holder | None) -> dict[str, Plain]:
    """Write the holder of a place; ``None``: it is free."""
    if holder is None:
        return dict(FREE)
    return {**_HOLD.map(holder.hold), **_HOLDER.map(holder)}


def hold_to_fields(hold: SlotHold) -> dict[str, Plain]:
    """Write the claim by which a place is held."""
    return _HOLD.map(hold)


def is_place(sk: str) -> bool:
    """Tell if an item among the places is one."""
    return sk.startswith(SLOT_PREFIX) and sk != _LINE_SK


def holder_from_fields(fields: Mapping[str, Plain]) -> Holder | None:
    """Read the holder of a place, if it has one; raises ``Malformed``."""
    if "attempt" not in fields:
        return None
    place = int(text(fields["sk"]).removeprefix(SLOT_PREFIX))
    return _HOLDER.read(fields, hold=_HOLD.read(fields), place=place)


def waiter_from_fields(fields: Mapping[str, Plain]) -> SlotWaiter | None:
    """Read a waiter; ``None`` for one that left. Raises ``Malformed``."""
    if "left" in fields:
        return None
    written = text(fields["sk"])
    due_at, mark, attempt = written.removeprefix(LINE_PREFIX).partition("#")
    if not mark:
        raise Malformed(f"{written!r} is no place in a line.")
    return SlotWaiter(due_at=from_compact(due_at), attempt=AttemptId.parse(attempt))
