"""Exports that take hours, or that a later day resumes: jobs fire while their file grows."""

from datetime import timedelta
from pathlib import Path

import pytest

from infra.admin.export_file import GrowingFile
from infra.admin.moving import export_stage, import_stage
from tests.support.factories import NOW, TENANT, job_id
from tests.support.moving.stages import opened, reached
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from tests.support.world import World
from timegate.domain.moving.export_lines import ExportHead
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind

EVERY = timedelta(minutes=10)
HEAD = ExportHead(
    stage="prod",
    tenant=TENANT,
    history=False,
    exported_at=NOW,
    tables=(JOBS_TABLE, RUNS_TABLE),
)


def run(world: World, hours: float) -> None:
    """Let planners tick each ten minutes."""
    for _ in range(int(hours * 6)):
        world.clock.advance(EVERY.total_seconds())
        world.tick()


@pytest.mark.parametrize("hours", [1, 3, 26])
def test_the_auditor_asks_for_nothing_that_fired_during_an_export(
    tmp_path: Path, hours: float
) -> None:
    """The file was begun hours before its jobs were read; all that fired since is the old stage's.

    The new stage's planner goes on from there, and all of that is audited.
    """
    old, new = opened(shards=1), opened(shards=1)
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=int(EVERY.total_seconds()))
    fields = {"anchored_at": NOW, "created_at": NOW, "next_run_at": NOW + EVERY}
    old.add_job(job_id=job_id("frequent"), schedule=schedule, **fields)
    GrowingFile(tmp_path / "export", HEAD).close()
    run(old, hours)
    now = old.clock.now()
    done = export_stage(reached(old), tmp_path / "export", tenant=TENANT, history=False, now=now)
    assert (done.resumed, done.head.exported_at) == (True, NOW)
    new.clock.advance((now - new.clock.now()).total_seconds())
    import_stage(reached(new, "prod-b"), tmp_path / "export", now=now)
    audits = []
    for _ in range(4):
        run(new, 0.5)
        audits.append(new.audit())

    assert [each.unaccounted for each in audits] == [0, 0, 0, 0]
    assert sum(each.instants for each in audits) > 6
