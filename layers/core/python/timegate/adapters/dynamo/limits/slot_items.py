"""Slots as items: beside their tenant's jobs, one per concurrency key."""

from collections.abc import Mapping

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import mapping, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.limits.overlap import SlotKey
from timegate.domain.limits.slots import Holder, SlotHold, Slots, SlotWaiter
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.instants import compact, from_compact

SLOTS_SK = "slots"
_HOLD = Part(SlotHold, without=("attempt",))
_HOLDER = Part(Holder, without=("hold",), names={"expires_at": "lease_expires_at"})


def slots_key(key: SlotKey) -> Key:
    """The key of a record; no job can have it, for no job's id holds a ``#``."""
    return Key(pk=f"{key.tenant}#key#{key.name}", sk=SLOTS_SK)


def holders_to_fields(slots: Slots) -> dict[str, Plain]:
    """A map, so that a heartbeat can renew one holder by its path."""
    return {
        str(holder.hold.attempt): {
            **_HOLD.map(holder.hold),
            **_HOLDER.map(holder),
        }
        for holder in slots.holders
    }


def waiters_to_fields(slots: Slots) -> list[Plain]:
    """One text each: a long line is billed with every write."""
    return [f"{compact(waiter.due_at)} {waiter.attempt}" for waiter in slots.waiters]


def slots_from_fields(fields: Mapping[str, Plain]) -> Slots:
    """Read a record back; raises ``Malformed``."""
    holders = [
        _holder(attempt, mapping(holder)) for attempt, holder in mapping(fields["holders"]).items()
    ]
    waiters = fields["waiters"]
    if not isinstance(waiters, list):
        raise Malformed(f"{waiters!r} is no line.")
    return Slots(
        holders=tuple(sorted(holders, key=lambda holder: (holder.since, holder.hold.attempt))),
        waiters=tuple(_waiter(text(waiter)) for waiter in waiters),
    )


def _holder(attempt: str, fields: Mapping[str, Plain]) -> Holder:
    return _HOLDER.read(fields, hold=_HOLD.read(fields, attempt=AttemptId.parse(attempt)))


def _waiter(written: str) -> SlotWaiter:
    due_at, _, attempt = written.partition(" ")
    return SlotWaiter(due_at=from_compact(due_at), attempt=AttemptId.parse(attempt))
