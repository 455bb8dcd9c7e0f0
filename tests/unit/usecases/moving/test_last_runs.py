"""Jobs that move while their last run waits, or is at work, in the stage that planned it."""

from pathlib import Path
from typing import Any

import pytest

from infra.admin.moving import export_stage, import_stage
from tests.support.factories import NOW, TENANT, job_id
from tests.support.moving.moves import TwoStages, minutes
from tests.support.stores.records import JOBS_TABLE
from tests.support.world import World
from timegate.adapters.dynamo.tables.keys import job_key
from timegate.domain.jobs.job import JobStatus
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.identity import JobId

ONCE, ENDING, MANUAL = job_id("once"), job_id("ending"), job_id("manual")
RATE: dict[str, Any] = {"kind": ScheduleKind.RATE, "every_seconds": 60}


@pytest.fixture
def stages(tmp_path: Path) -> TwoStages:
    """A job of one run, one whose schedule ends, and one that runs by hand alone."""
    found = TwoStages(tmp_path / "export")
    once = Schedule(kind=ScheduleKind.AT, at=minutes(12))
    ending = Schedule(**RATE, ends_at=minutes(12))
    manual = Schedule(kind=ScheduleKind.MANUAL)
    fields = {"created_at": NOW, "anchored_at": NOW}
    found.old.add_job(job_id=ONCE, schedule=once, next_run_at=minutes(12), **fields)
    found.old.add_job(job_id=ENDING, schedule=ending, next_run_at=minutes(1), **fields)
    found.old.add_job(job_id=MANUAL, schedule=manual, next_run_at=None, **fields)
    return found


def standings(world: World) -> dict[JobId, tuple[JobStatus, int]]:
    """Status and version of each job."""
    jobs = world.tables.jobs.values()
    return {each.job_id: (each.timing.status, each.timing.version) for each in jobs}


def test_a_job_whose_last_run_stays_arrives_completed(stages: TwoStages) -> None:
    """It is there what the end of that run makes of it here; one that runs by hand goes on."""
    stages.run_until(minutes(10))
    stages.copy()
    arrived = standings(stages.new)
    for each in (ONCE, ENDING):
        assert stages.old.jobs.complete(
            TENANT, each, now=stages.now, read=stages.old.jobs.get(TENANT, each).timing
        )

    assert arrived == standings(stages.old)
    assert arrived[ONCE] == arrived[ENDING] == (JobStatus.COMPLETED, 2)
    assert arrived[MANUAL] == (JobStatus.ACTIVE, 1)


def test_a_job_that_has_an_instant_left_goes_on(stages: TwoStages) -> None:
    """Its last run is planned where it arrives."""
    stages.copy()

    assert {status for status, _ in standings(stages.new).values()} == {JobStatus.ACTIVE}


def test_the_auditor_asks_the_new_stage_for_no_last_run(stages: TwoStages) -> None:
    """The old one has planned it, though its instant is still to come."""
    stages.run_until(minutes(10))
    stages.copy()
    found = []
    for _ in range(30):
        stages.new.clock.advance(3_600)
        stages.new.tick()
        found.append(stages.new.audit())

    assert [(each.unaccounted, each.lost) for each in found] == [(0, 0)] * 30


def test_a_cut_over_is_opened_whenever_a_last_run_ends(stages: TwoStages) -> None:
    """Between the last import and ``open`` the old stage completes one job, and not the other."""
    at = minutes(20)
    stages.moving().begin(at=at, now=stages.now)
    stages.run_until(minutes(17))
    stages.moving().close(now=stages.now)
    stages.run_until(minutes(18.6))
    stages.copy()
    read = stages.old.jobs.get(TENANT, ONCE).timing
    assert stages.old.jobs.complete(TENANT, ONCE, now=stages.now, read=read)
    stages.moving().open(now=stages.now)

    assert standings(stages.old)[ENDING] == (JobStatus.ACTIVE, 1)
    assert standings(stages.new)[ENDING] == standings(stages.new)[ONCE] == (JobStatus.COMPLETED, 2)


def test_a_repeated_import_finds_it_as_it_is(stages: TwoStages) -> None:
    """Nothing differs."""
    stages.run_until(minutes(10))
    stages.copy()
    again = stages.copy()

    assert (again.different, sum(again.stored.values())) == (0, 0)


def test_a_lost_job_is_restored_beside_its_open_run(stages: TwoStages) -> None:
    """The stage that has the run completes the job by that run's end, as if it was never lost."""
    stages.run_until(minutes(10))
    before = standings(stages.old)
    moving = stages.moving()
    kept = {each: stages.old.jobs.get(TENANT, each) for each in (ONCE, ENDING)}
    assert {each.timing.next_run_at for each in kept.values()} == {None}
    export_stage(moving.old, stages.path, tenant=TENANT, history=False, now=stages.now)
    for each in kept:
        stages.old.tables.engine.remove(JOBS_TABLE, job_key(TENANT, each))
    import_stage(moving.old, stages.path, now=stages.now)

    assert standings(stages.old) == before
