"""Slots as items: beside their tenant's jobs, one per concurrency key."""

from collections.abc import Mapping

from timegate.adapters.dynamo.recurrence.schedule_items import mapping, number, optional_text, text
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.limits.overlap import SlotKey
from timegate.domain.limits.slots import Hold, Holder, Slots, Waiter
from timegate.domain.limits.wait_queue import Line, Queueing
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.instants import compact, from_compact

SLOTS_SK = "slots"


def slots_key(key: SlotKey) -> Key:
    """The key of a record; no job can have it, for no job's id holds a ``#``."""
    return Key(pk=f"{key.tenant}#key#{key.name}", sk=SLOTS_SK)


def holders_to_fields(slots: Slots) -> dict[str, Plain]:
    """A map, so that a heartbeat can renew one holder by its path."""
    return {
        str(holder.hold.attempt): {
            "owner": holder.hold.owner,
            "fence": holder.hold.fence,
            "since": compact(holder.since),
            "lease_expires_at": compact(holder.expires_at),
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
    hold = Hold(
        attempt=AttemptId.parse(attempt), owner=text(fields["owner"]), fence=number(fields["fence"])
    )
    return Holder(
        hold=hold,
        since=from_compact(text(fields["since"])),
        expires_at=from_compact(text(fields["lease_expires_at"])),
    )


def _waiter(written: str) -> Waiter:
    due_at, _, attempt = written.partition(" ")
    return Waiter(due_at=from_compact(due_at), attempt=AttemptId.parse(attempt))


def queueing_to_field(queueing: Queueing | None) -> Plain:
    """Build the field of an attempt's waiting; ``None`` if it has always found a slot."""
    if queueing is None:
        return None
    fields: dict[str, Plain] = {
        "line": queueing.line,
        "slots": queueing.slots,
        "fence": queueing.fence,
    }
    if queueing.key is not None:
        fields["key"] = queueing.key
    return fields


def queueing_from_field(value: Plain) -> Queueing | None:
    """Read it back."""
    if value is None:
        return None
    fields = mapping(value)
    return Queueing(
        line=Line(text(fields["line"])),
        slots=number(fields["slots"]),
        fence=number(fields["fence"]),
        key=optional_text(fields.get("key")),
    )
