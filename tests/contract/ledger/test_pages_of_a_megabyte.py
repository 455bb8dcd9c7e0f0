"""A query's page ends at a megabyte: what lies behind it is read all the same."""

from dataclasses import replace

from tests.contract.dags.test_dags import next_version
from tests.contract.events.test_event_store import KEY, event
from tests.contract.runs.test_logs import batch
from tests.support.factories import NOW, TENANT, after, attempt_id
from tests.support.stores.contract_stores import Stores
from tests.unit.domain.dags.definitions import ACME, dag, task
from timegate.domain.dags.limits import MAX_INLINE_BYTES
from timegate.domain.events.event import MAX_EVENT_BYTES
from timegate.domain.ledger.worker_log import MAX_BATCH_BYTES, MAX_LINE_CHARACTERS
from timegate.ports.pools import WorkerSeen


def test_a_log_is_read_to_its_end(stores: Stores) -> None:
    """Its readers take fewer batches than they asked for as its end."""
    lines = ["x" * MAX_LINE_CHARACTERS] * (MAX_BATCH_BYTES // MAX_LINE_CHARACTERS)
    said = [batch(1, number, *lines) for number in range(1, 41)]
    for each in said:
        assert stores.logs.append(each)
    run = attempt_id().run

    assert stores.logs.read(TENANT, run, after=None, limit=41) == tuple(said)
    assert stores.logs.read(TENANT, run, after=None, limit=39) == tuple(said[:39])


def test_every_version_of_a_dag_is_listed(stores: Stores) -> None:
    text = '"' + "x" * (MAX_INLINE_BYTES - 1_000) + '"'
    versions = [stores.dags.create(dag((task("one", input=text),)))]
    for _ in range(79):
        versions.append(next_version(versions[-1]))
        stores.dags.update(*versions[-2:])
    found = stores.dags.versions(TENANT, versions[0].dag_id, limit=100, cursor=None)

    assert [row.version for row in found.rows] == list(range(80, 0, -1))


def test_large_events_of_a_key_are_read_as_many_as_small_ones(stores: Stores) -> None:
    data = f'"{"x" * (MAX_EVENT_BYTES - 1_000)}"'
    for number in range(20):
        stores.events.receive(ACME, [event(number, data=data)], at=after(number))
    found = stores.events.kept(ACME, KEY, since=NOW)

    assert [each.event.id for each in found] == [str(number) for number in range(20)]


def test_workers_of_many_handlers_are_found(stores: Stores) -> None:
    handlers = tuple(f"{number:0100}" for number in range(50))
    seen = WorkerSeen(worker="w", seen_at=NOW, handlers=handlers)
    for number in range(240):
        stores.pools.greet(TENANT, "reports", replace(seen, worker=f"w{number}"))
    found = stores.pools.workers_of_tenant(TENANT, now=NOW)

    assert len(found.by_pool["reports"]) == 240
    assert not found.is_partial
