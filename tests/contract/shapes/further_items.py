"""Records that the sample tenant has none of: what planner, executors, auditor and stage write."""

from dataclasses import replace
from datetime import timedelta

from tests.contract.limits.keyed_slots import holder, waiter
from tests.contract.tenants.test_tenants import FULL
from tests.support.dag_runs.dag_leftovers import add_dag_run
from tests.support.factories import NOW, after, gap_factory, job_factory, job_id
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from tests.support.world import World
from timegate.adapters.dynamo.dag_runs.governor_items import governor_fields
from timegate.adapters.dynamo.jobs.gap_items import gap_to_fields
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Insert
from timegate.domain.auditing.audit_cursor import AuditCursor
from timegate.domain.auditing.audit_finding import AuditVerdict
from timegate.domain.dag_runs.progress import DagRunStatus
from timegate.domain.dispatch.buckets import BucketProgress
from timegate.domain.limits.overlap import SlotKey
from timegate.domain.limits.rate_limit import RateKey, RateLimit, RateRequest
from timegate.domain.limits.slots import Slots
from timegate.domain.runs.run import Reason
from timegate.domain.values.identity import DagId, TaskKey
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.cursors import Cursor, Watcher

_EXPIRES_AT = NOW + timedelta(days=30)
#: No gap has the reason that is new, which the release before cannot read.
_OF_GAPS = tuple(each for each in Reason if each is not Reason.PAYLOAD_LOST)


def add_what_the_stage_writes(world: World, tenant: TenantId) -> None:
    """Gaps, a governor, slots with their line, settings, turns of a limit, and cursors."""
    for number, reason in enumerate(_OF_GAPS):
        gap = gap_factory(
            tenant=tenant, reason=reason, first=after(-9_000), last=after(-60 * number)
        )
        _put(world, JOBS_TABLE, gap_to_fields(gap, expires_at=_EXPIRES_AT))
    run = add_dag_run(world, tenant, DagId(job_id("d")), "governed", DagRunStatus.OPENING)
    governor = job_factory(tenant=tenant, job_id=job_id("g"))
    expires_at = int(_EXPIRES_AT.timestamp())
    fields = governor_fields(run, TaskKey("first"), governor, expires_at=expires_at)
    _put(world, RUNS_TABLE, fields)
    _slots(world, SlotKey(tenant=tenant, name="printer"))
    world.tenants.put(tenant, world.tenants.get(tenant), replace(FULL, tenant=tenant))
    request = RateRequest(limit=RateLimit(calls=1))
    world.rates.take_turns(RateKey(tenant=tenant, name="webhook:example.com"), [request], at=NOW)
    _cursors(world, tenant)


def read_cursor(fields: dict[str, Plain]) -> Cursor | None:
    """Read a shard's cursor as the next tick does, after its lease."""
    world = World()
    _put(world, JOBS_TABLE, fields)
    shard = int(str(fields["pk"]).partition("#")[2])
    return world.cursors.acquire(
        Watcher(str(fields["sk"])), shard, owner="next", now=after(600), until=after(660)
    )


def _put(world: World, table: str, fields: dict[str, Plain]) -> None:
    world.tables.engine.write(Insert(table=table, fields=fields))


def _slots(world: World, key: SlotKey) -> None:
    """Two holders, one of which has left, and two in the line, one of which has left."""
    held, gone = holder("a"), holder("b")
    waits, leaves = waiter("c"), waiter("d", due=1)
    slots = Slots(holders=(held, gone), waiters=(waits, leaves))
    world.slots.change(key, lambda _: (slots, None), now=NOW)
    world.slots.release(key, gone.hold, now=NOW)
    world.slots.withdraw(key, [leaves], now=NOW)


def _cursors(world: World, tenant: TenantId) -> None:
    """Planner's and sweeper's, one leased and one free; a walk; live and finished ones of jobs."""
    for watcher in Watcher:
        cursor = world.cursors.acquire(watcher, 0, owner="tick", now=NOW, until=after(60))
        if cursor is not None and watcher is Watcher.SWEEPER:
            world.cursors.release(cursor, BucketProgress(watermark=after(-60), sealed=after(-120)))
    walk = world.audit_cursors.acquire(0, 1, owner="tick", now=NOW, until=after(60))
    if walk is not None:
        verdict = AuditVerdict(at=NOW, instants=7)
        world.audit_cursors.release(replace(walk, live="a", finished="b", verdict=verdict))
    world.audit_cursors.acquire(0, 1, owner="next", now=after(60), until=after(120))
    live = AuditCursor(
        tenant=tenant,
        job_id=job_id("l"),
        version=3,
        checked_until=after(-300),
        check_at=after(600),
        counted=7,
    )
    ended = replace(live, job_id=job_id("f"), check_at=None, counted=None)
    world.audit_cursors.add([live], now=NOW)
    world.audit_cursors.save([ended], now=NOW)
