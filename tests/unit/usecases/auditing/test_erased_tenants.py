"""Jobs that an operator erased with their tenant are no losses, and nothing audits them again."""

from datetime import UTC, datetime, timedelta

import pytest

from infra.admin.erasing import erase
from tests.support.factories import NOW, TENANT, attempt_factory, job_id
from tests.support.moving.stages import opened, reached
from tests.support.stores.records import JOBS_TABLE
from tests.support.world import World
from timegate.adapters.dynamo.tables.keys import job_key
from timegate.domain.jobs.job import JobStatus
from timegate.domain.moving.erasure import SETTLES_AFTER
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.tenants.suspension import suspended, suspension_freeze
from timegate.domain.values.tenant import TenantId

OTHER = TenantId("other")
YEARLY = Schedule(kind=ScheduleKind.CRON, cron="0 0 1 1 *")


@pytest.fixture
def world() -> World:
    """A stage with an active and an ended job of two tenants, which its auditor has met."""
    world = opened(shards=1)
    for tenant in (TENANT, OTHER):
        world.add_job(
            tenant=tenant,
            job_id=job_id("active"),
            schedule=YEARLY,
            created_at=NOW,
            next_run_at=datetime(2027, 1, 1, tzinfo=UTC),
        )
        world.add_job(
            tenant=tenant, job_id=job_id("ended"), status=JobStatus.CANCELLED, next_run_at=None
        )
    audits(world)
    return world


def audits(world: World) -> None:
    """Let a day pass with an audit each hour."""
    for _ in range(25):
        world.clock.advance(3_600)
        world.audit()


def erase_first(world: World) -> None:
    """Suspend the first tenant, and erase it as soon as that may be."""
    now = world.clock.now()
    before = world.tenants.get(TENANT)
    freeze = suspension_freeze(TENANT, thaw=ThawPolicy.JOB, reason="", now=now)
    assert world.tenants.put(TENANT, before, suspended(before, freeze), freeze=freeze)
    world.clock.advance(SETTLES_AFTER.total_seconds())
    erase(reached(world), TENANT, exported=None, even_at_work=True, now=world.clock.now())


def cursors(world: World) -> set[tuple[str, str]]:
    """Owners and kinds of cursors that no auditor has ended."""
    items = world.tables.engine.items(JOBS_TABLE)
    return {
        (str(each["sk"]).partition("#")[0], str(each["pk"]).split("#")[2])
        for each in items
        if str(each["pk"]).startswith(("#audit#live", "#audit#finished")) and "void" not in each
    }


def test_an_erased_tenant_rings_no_alarm(world: World) -> None:
    """Its cursors are there when it is erased, those of ended jobs among them."""
    erase_first(world)
    world.telemetry.counts.clear()
    audits(world)

    assert world.telemetry.counts["RecordsLost"] == 0
    assert cursors(world) == {(OTHER, "live"), (OTHER, "finished")}


def test_a_run_that_an_index_still_shows_rings_none(world: World) -> None:
    """A run of the tenant is met without a cursor and without its job."""
    erase_first(world)
    audits(world)
    late = attempt_factory(due_at=world.clock.now() + timedelta(minutes=5))
    world.runs.insert_all([late])
    world.telemetry.counts.clear()
    world.audit()

    assert world.telemetry.counts["RecordsLost"] == 0


def test_a_job_that_is_gone_without_an_erasure_is_lost(world: World) -> None:
    """Each audit says so until its cursor is deleted."""
    for name in ("active", "ended"):
        world.tables.engine.remove(JOBS_TABLE, job_key(TENANT, job_id(name)))
    world.telemetry.counts.clear()
    audits(world)

    assert world.telemetry.counts["RecordsLost"] > 0
    assert (TENANT, "live") in cursors(world)
