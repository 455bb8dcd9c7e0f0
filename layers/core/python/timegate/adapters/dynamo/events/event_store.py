"""Events of tenants, in the runs table."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from secrets import token_hex

from timegate.adapters.dynamo.events.event_items import (
    EVENT_PREFIX,
    WAITER_PREFIX,
    EventIdentity,
    identity_fields,
    identity_from_fields,
    keyed_fields,
    keyed_from_fields,
    waiter_fields,
    waiter_from_fields,
)
from timegate.adapters.dynamo.tables.engine import Engine, Query, first_rows
from timegate.adapters.dynamo.tables.keys import Key, event_key, events_pk
from timegate.adapters.dynamo.tables.reading import read_each
from timegate.adapters.dynamo.tables.writes import Insert, Update
from timegate.domain.events.event import Event, EventKey, ReceivedEvent
from timegate.domain.values.errors import Malformed
from timegate.domain.values.instants import compact, to_milliseconds
from timegate.domain.values.tenant import TenantId
from timegate.ports.events import EventWaiter, Receipt, Receiving

#: The latest events of a key, of which a task that begins to wait looks at so many.
MOST_READ = 100
#: Tasks of a key that an event is given to at once. The others find it at their next look.
MOST_WAITERS = 100
#: Sorts after every instant.
_AFTER_ALL = "~"


class DynamoEventStore:
    """One item for the identity of each event, and one by key for those that have one."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._engine = engine
        self._table = table

    def receive(
        self, tenant: TenantId, events: Sequence[Event], *, at: datetime
    ) -> list[Receiving]:
        """Keep events, each once; in order. A repeated one has the instant of the first.

        The identity is written first, and decides. A sender that repeats an event whose second
        write is missing has it written, with the instant of the first.
        """
        at, call = to_milliseconds(at), token_hex(8)
        inserts = [
            Insert(
                table=self._table,
                fields=identity_fields(tenant, each, at=at, stored_by=call),
                as_of=at,
            )
            for each in events
        ]
        done = [result.done for result in self._engine.write_each(inserts)]
        known = self._known(
            tenant, [each for each, new in zip(events, done, strict=True) if not new]
        )
        receiving: list[Receiving] = []
        told: set[str] = set()
        for event, is_stored in zip(events, done, strict=True):
            found = known.get(event.digest)
            # Stored by this call: now, or before, and the answer to that was lost.
            is_ours = is_stored or (found is not None and found.stored_by == call)
            judged = _receiving(event, new=is_ours and event.digest not in told, at=at, known=found)
            told |= {event.digest} if judged.receipt is Receipt.NEW else set()
            receiving.append(judged)
        self._keep(tenant, receiving)
        return receiving

    def kept(
        self, tenant: TenantId, key: EventKey, *, since: datetime
    ) -> tuple[ReceivedEvent, ...]:
        """The events of a key that came since, the latest of them, earliest first.

        A damaged one hides no other.
        """
        query = Query(
            table=self._table,
            of=events_pk(tenant, key.digest),
            first=f"{EVENT_PREFIX}{compact(since)}",
            last=f"{EVENT_PREFIX}{_AFTER_ALL}",
            latest_first=True,
            consistent=True,
        )
        latest = first_rows(self._engine, query, MOST_READ)
        found = ((str(each["sk"]), each) for each in reversed(latest))
        return read_each(found, keyed_from_fields)[0]

    def wait(
        self, tenant: TenantId, key: EventKey, waiter: EventWaiter, *, forget_at: datetime
    ) -> None:
        """Let senders of events find a task; the same again changes nothing."""
        fields = waiter_fields(tenant, key, waiter, forget_at=forget_at)
        place = Key(pk=str(fields.pop("pk")), sk=str(fields.pop("sk")))
        # One that has expired may stand there yet: it is kept from now on.
        self._engine.write(
            Update(table=self._table, key=place, fields=fields, where={}, creates=True)
        )

    def waiters(self, tenant: TenantId, key: EventKey) -> tuple[EventWaiter, ...]:
        """The tasks that wait for a key, and some that did.

        A damaged one hides no other: its task finds the event at the next look at its DAG run.
        """
        query = Query(
            table=self._table,
            of=events_pk(tenant, key.digest),
            prefix=WAITER_PREFIX,
            consistent=True,
        )
        found = first_rows(self._engine, query, MOST_WAITERS)
        return read_each(((str(each["sk"]), each) for each in found), waiter_from_fields)[0]

    def _known(self, tenant: TenantId, events: Sequence[Event]) -> dict[str, EventIdentity]:
        """The first comings of events that were received before, by identity.

        A damaged identity says nothing: its event is given to all consumers again, and they do
        nothing twice.
        """
        if not events:
            return {}
        keys = {each.digest: event_key(tenant, each.digest) for each in events}
        found = self._engine.get_all({self._table: list(keys.values())})[self._table]
        known: dict[str, EventIdentity] = {}
        for digest, key in keys.items():
            if key in found:
                with suppress(Malformed):
                    known[digest] = identity_from_fields(found[key])
        return known

    def _keep(self, tenant: TenantId, receiving: Sequence[Receiving]) -> None:
        """Store those that have a key by it, unless they are there."""
        inserts = {
            each.received.event.digest: Insert(
                table=self._table, fields=keyed_fields(tenant, key, each.received)
            )
            for each in receiving
            if each.receipt is not Receipt.CONFLICT and (key := each.received.event.key) is not None
        }
        if inserts:
            self._engine.write_each(list(inserts.values()))


def _receiving(event: Event, *, new: bool, at: datetime, known: EventIdentity | None) -> Receiving:
    """Judge an event by what was known of its identity, if anything is left of that."""
    receipt = Receipt.NEW if new or known is None else Receipt.REPEATED
    if known is not None and known.fingerprint != event.fingerprint:
        receipt = Receipt.CONFLICT
    first = known.received_at if known is not None else at
    return Receiving(received=ReceivedEvent(event=event, received_at=first), receipt=receipt)
