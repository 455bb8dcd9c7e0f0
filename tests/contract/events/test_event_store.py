"""Events on record, on every engine: each once, and found by its key."""

from dataclasses import replace
from datetime import timedelta
from typing import cast

import pytest

from tests.support.factories import NOW
from tests.support.stores.contract_stores import Stores, race
from tests.support.stores.corrupt_record import from_later_release
from tests.unit.domain.dags.definitions import ACME
from timegate.adapters.dynamo.events.event_items import (
    identity_fields,
    keyed_fields,
    waiter_fields,
)
from timegate.adapters.dynamo.events.event_store import MOST_READ, DynamoEventStore
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.writes import Insert
from timegate.domain.events.event import KEPT, Event, EventKey
from timegate.domain.values.identity import DagRunId, TaskKey
from timegate.domain.values.tenant import TenantId
from timegate.ports.events import EventWaiter, Receipt

KEY = EventKey(type="order.paid", correlation="4711")
LATER = NOW + timedelta(hours=1)


def event(number: int = 1, **fields: str | None) -> Event:
    """An event with a key."""
    known = Event(
        id=str(number),
        source="shop",
        type=KEY.type,
        correlation=KEY.correlation,
        attributes=f'{{"specversion":"1.0","id":"{number}","source":"shop","type":"order.paid"}}',
        data='{"amount":42}',
    )
    return replace(known, **fields)  # type: ignore[arg-type]


def test_an_event_is_received_once_with_its_first_instant(stores: Stores) -> None:
    """It is found as it was sent; the same again is known, and another one conflicts."""
    (first,) = stores.events.receive(ACME, [event()], at=NOW)
    (again,) = stores.events.receive(ACME, [event()], at=LATER)
    (other,) = stores.events.receive(ACME, [event(data="43")], at=LATER)
    found = stores.events.kept(ACME, KEY, since=NOW)

    assert [each.receipt for each in (first, again, other)] == [
        Receipt.NEW,
        Receipt.REPEATED,
        Receipt.CONFLICT,
    ]
    assert first.received == again.received
    assert (first.received.event, first.received.received_at) == (event(), NOW)
    assert found == (first.received,)


@pytest.mark.parametrize(("seconds", "receipt"), [(-1, Receipt.REPEATED), (0, Receipt.NEW)])
def test_an_event_is_known_until_its_identity_expires(
    stores: Stores, seconds: float, receipt: Receipt
) -> None:
    """The store deletes the identity later: an expired one that is there repeats nothing."""
    later = NOW + KEPT + timedelta(seconds=seconds)
    stores.events.receive(ACME, [event()], at=NOW)
    (again,) = stores.events.receive(ACME, [event()], at=later)

    assert again.receipt is receipt
    assert again.received.received_at == (later if receipt is Receipt.NEW else NOW)


def test_a_wait_that_stands_there_is_kept_as_long_as_the_latest(stores: Stores) -> None:
    """A DAG run under a used key waits again, and the store has not deleted the earlier wait."""
    waiter = EventWaiter(dag_run_id=DagRunId("a" * 26), task=TaskKey("wait"), round=1)
    stores.events.wait(ACME, KEY, waiter, forget_at=NOW)
    stores.events.wait(ACME, KEY, waiter, forget_at=LATER)

    fields = waiter_fields(ACME, KEY, waiter, forget_at=LATER)
    table = cast("DynamoEventStore", stores.events)._table
    place = Key(pk=str(fields["pk"]), sk=str(fields["sk"]))
    assert stores.engine.get(table, place) == fields
    assert stores.events.waiters(ACME, KEY) == (waiter,)


def test_events_are_found_by_type_and_correlation_since_an_instant(stores: Stores) -> None:
    """Earliest first; those without a key, of another one, or of another tenant are not."""
    stores.events.receive(ACME, [event(2)], at=LATER)
    stores.events.receive(ACME, [event(1)], at=NOW)
    others = [
        event(3, correlation=None),
        event(4, correlation="4712"),
        event(5, type="order.sent"),
    ]
    stores.events.receive(ACME, others, at=NOW)
    stores.events.receive(TenantId("globex"), [event(6)], at=NOW)
    since = {
        at: [each.event.id for each in stores.events.kept(ACME, KEY, since=at)]
        for at in (NOW, NOW + timedelta(milliseconds=1), LATER + timedelta(milliseconds=1))
    }

    assert list(since.values()) == [["1", "2"], ["2"], []]


def test_an_event_whose_second_write_is_missing_is_written_when_it_is_repeated(
    stores: Stores,
) -> None:
    """A process crashed between the two: the key finds it with its first instant."""
    identity = Insert(table="", fields=identity_fields(ACME, event(), at=NOW, stored_by="call"))
    store = cast("DynamoEventStore", stores.events)
    table = store._table
    stores.engine.write(replace(identity, table=table))
    lost = stores.events.kept(ACME, KEY, since=NOW)
    (again,) = stores.events.receive(ACME, [event()], at=LATER)

    assert lost == ()
    assert again.receipt is Receipt.REPEATED
    assert [e.received_at for e in stores.events.kept(ACME, KEY, since=NOW)] == [NOW]


def test_a_batch_is_answered_in_order(stores: Stores) -> None:
    """The same event twice in it is one event."""
    stores.events.receive(ACME, [event(2)], at=NOW)
    batch = [event(n) for n in (1, 2, 1, 3)]
    receipts = [each.receipt for each in stores.events.receive(ACME, batch, at=LATER)]

    assert receipts[1] is Receipt.REPEATED
    assert sorted(receipts[:1] + receipts[2:3]) == [Receipt.NEW, Receipt.REPEATED]
    assert receipts[3] is Receipt.NEW
    assert len(stores.events.kept(ACME, KEY, since=NOW)) == 3


def test_two_senders_of_one_event_agree_on_its_first_instant(stores: Stores) -> None:
    """One of them is first."""
    won = race(
        lambda: stores.events.receive(ACME, [event()], at=NOW),
        lambda: stores.events.receive(ACME, [event()], at=LATER),
    )
    (kept,) = stores.events.kept(ACME, KEY, since=NOW)

    assert sorted(each.receipt for (each,) in won) == [Receipt.NEW, Receipt.REPEATED]
    assert {each.received.received_at for (each,) in won} == {kept.received_at}


def test_the_latest_events_of_a_key_are_read(stores: Stores) -> None:
    """A key with more costs no more."""
    for number in range(MOST_READ + 1):
        at = NOW + timedelta(seconds=number)
        stores.events.receive(ACME, [event(number)], at=at)
    found = stores.events.kept(ACME, KEY, since=NOW)

    assert [each.event.id for each in found] == [str(n) for n in range(1, MOST_READ + 1)]


def test_waiters_of_a_key_are_found_beside_its_events(stores: Stores) -> None:
    """Each round once; those of another key or tenant are not."""
    run, until = DagRunId("d" * 26), LATER
    first = EventWaiter(dag_run_id=run, task=TaskKey("paid"), round=1)
    second = replace(first, round=2)
    stores.events.receive(ACME, [event()], at=NOW)
    for each in (first, second, first):
        stores.events.wait(ACME, KEY, each, forget_at=until)
    other = replace(first, task=TaskKey("other"))
    stores.events.wait(ACME, replace(KEY, correlation="4712"), other, forget_at=until)
    stores.events.wait(TenantId("globex"), KEY, other, forget_at=until)

    assert stores.events.waiters(ACME, KEY) == (first, second)
    assert len(stores.events.kept(ACME, KEY, since=NOW)) == 1


def test_damaged_records_of_a_key_hide_no_others(stores: Stores) -> None:
    """An event and a waiter that a later release wrote are passed over."""
    store = stores.events
    assert isinstance(store, DynamoEventStore)
    run = DagRunId("d" * 26)
    waits = [EventWaiter(dag_run_id=run, task=TaskKey("paid"), round=n) for n in (1, 2)]
    received = [each.received for each in store.receive(ACME, [event(1), event(2)], at=NOW)]
    for each in waits:
        store.wait(ACME, KEY, each, forget_at=LATER)
    for fields in (
        keyed_fields(ACME, KEY, received[0]),
        waiter_fields(ACME, KEY, waits[0], forget_at=LATER),
    ):
        key = Key(pk=str(fields["pk"]), sk=str(fields["sk"]))
        from_later_release(store._engine, store._table, key)

    assert store.kept(ACME, KEY, since=NOW) == (received[1],)
    assert store.waiters(ACME, KEY) == (waits[1],)
