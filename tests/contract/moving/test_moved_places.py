"""Each record arrives in the table that it left, where the stores look for it."""

from collections.abc import Iterable
from typing import Any, cast

from tests.contract.moving.test_records import EVERYTHING, move, records
from tests.support.execution.placing import placed
from tests.support.factories import JOB_ID, NOW, TENANT, attempt_factory, attempt_id
from tests.support.stores.contract_stores import Stores, memory_stores
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from tests.support.tenants.sample_tenant import inhabit
from tests.support.world import World
from timegate.adapters.dynamo.tables.engine import Scan
from timegate.adapters.moving.record_source import DynamoRecordSource
from timegate.adapters.moving.record_target import DynamoRecordTarget
from timegate.domain.execution.triggers import KeyedRun, TriggerKey
from timegate.domain.moving.moved_kinds import MovedKind
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import Origin
from timegate.ports.tenants.moving import MovedRecord

TABLES = {"jobs_table": JOBS_TABLE, "runs_table": RUNS_TABLE}
KEY = TriggerKey.of(TENANT, JOB_ID, "one", request_hash="hash")


def keys(world: World, found: Iterable[MovedRecord]) -> dict[str, set[tuple[str, str]]]:
    """Keys of moved records by the table that has them."""
    moved = {(each.item["pk"]["S"], each.item["sk"]["S"]) for each in found}
    engine = world.tables.engine
    return {
        table: moved & {(str(f["pk"]), str(f["sk"])) for f in engine.scan(Scan(table=table)).items}
        for table in TABLES.values()
    }


def dag_run_of(record: MovedRecord) -> str | None:
    """Return the partition of the DAG run whose task or row a record is."""
    if record.kind is MovedKind.DAG_RUN_ROW:
        return f"acme#{record.item['dag_run_id']['S']}"
    return record.item["pk"]["S"] if record.kind is MovedKind.DAG_TASK else None


def test_a_key_of_a_trigger_is_known_where_it_arrives(stores: Stores) -> None:
    """A repeated request finds its run, and starts no other."""
    old = memory_stores()
    old.add_job()
    run = attempt_factory(
        id=attempt_id(origin=Origin.TRIGGER), state=RunState.SUCCEEDED, ended_at=NOW
    )
    assert old.runs.insert_keyed(run, KEY)
    move(records(old), stores)

    assert stores.runs.keyed_run(TENANT, JOB_ID, KEY, now=NOW) == KeyedRun(
        run=run.id.run, request_hash="hash"
    )


def test_every_kind_arrives_in_the_table_that_it_left() -> None:
    """A tenant that has one of everything loses none of it; DAG runs under way stay, with all."""
    old, new = World(), World()
    inhabit(old, "acme")
    old.runs.insert_keyed(attempt_factory(id=attempt_id(origin=Origin.TRIGGER)), KEY)
    source = DynamoRecordSource(
        old.tables.engine, **TABLES, scope=EVERYTHING, taken_over=lambda each: each, page=100
    )
    found = [each for page in source.pages(after=None) for each in page.records]
    into = DynamoRecordTarget(
        new.tables.engine,
        **TABLES,
        shards=lambda: placed(1),
        cursors=cast("Any", new.audit_cursors),
    )
    for kind in MovedKind:
        some = [each for each in found if each.kind is kind]
        if some:
            into.store(some, now=NOW)
    ended = {each.item["pk"]["S"] for each in found if each.kind is MovedKind.DAG_RUN}
    moved = [each for each in found if dag_run_of(each) in {None, *ended}]
    left, arrived = keys(old, moved), keys(new, found)

    assert len(moved) < len(found)
    assert left == arrived
    assert {each.kind for each in found} >= {MovedKind.TRIGGER_KEY, MovedKind.DAG_RUN}
