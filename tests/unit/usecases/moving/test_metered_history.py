"""Imported history was paid for in the stage that it comes from: the meter counts later runs."""

import itertools
from datetime import timedelta
from pathlib import Path

from infra.admin.moving import export_stage, import_stage
from tests.support.factories import NOW, TENANT, attempt_factory, attempt_id, job_id
from tests.support.moving.stages import opened, reached
from tests.support.world import World
from timegate.adapters.memory.clock import MemoryClock
from timegate.domain.runs.run import Attempt, RunState
from timegate.usecases.metering.meter_runs import meter_runs
from timegate.usecases.metering.metering_services import Metering

HOUR = timedelta(hours=1)
MONTH = (TENANT, "2026-11")


def ended(name: str) -> Attempt:
    """Return a run that ended two hours ago."""
    at = NOW - 2 * HOUR
    return attempt_factory(
        id=attempt_id(job=job_id(name), scheduled_at=at),
        due_at=at,
        state=RunState.SUCCEEDED,
        started_at=at,
        ended_at=at,
        created_at=at,
    )


def counted(world: World) -> int:
    """Let the meter read all runs; the runs of the tenant's month."""
    store = world.meter
    services = Metering(store=store, clock=MemoryClock(NOW), telemetry=world.telemetry)
    meter_runs(services, now=NOW)
    return store.tenant_month(MONTH).jobs.runs


def test_imported_runs_are_not_counted_again(tmp_path: Path) -> None:
    """Each stage counts the runs that ended in it, before and after the import."""
    old, new = opened(), opened()
    old.runs.insert_all([ended("old")])
    new.runs.insert_all([ended("new")])
    export_stage(reached(old), tmp_path / "file", tenant=TENANT, history=True, now=NOW)
    import_stage(reached(new), tmp_path / "file", now=NOW)

    assert len(new.tables.attempts) == 2
    assert (counted(old), counted(new)) == (1, 1)


def test_nor_are_they_when_they_move_on(tmp_path: Path) -> None:
    """A third stage got them from the second one."""
    stages = [opened() for _ in range(3)]
    stages[0].runs.insert_all([ended("old")])
    for number, (one, other) in enumerate(itertools.pairwise(stages)):
        path = tmp_path / str(number)
        export_stage(reached(one), path, tenant=TENANT, history=True, now=NOW)
        import_stage(reached(other), path, now=NOW)

    assert [counted(each) for each in stages] == [1, 0, 0]
