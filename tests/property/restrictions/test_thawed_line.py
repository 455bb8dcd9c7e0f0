"""Runs that thaw together and share a slot, lived through by the use cases and simulated."""

from tests.property.simulation.scenario_strategies import JOB_ID
from tests.property.simulation.test_simulation import assert_as_the_use_cases_do
from tests.support.factories import NOW, TENANT, after, freeze_factory
from tests.support.simulation.simulating import one_job, simulated
from timegate.domain.ledger.ledger import Gap
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.simulation import Scenario


def scenario() -> Scenario:
    """Minutely runs of three minutes each, in the way of which a freeze comes suddenly."""
    sudden = freeze_factory(
        starts_at=after(90),
        ends_at=after(600),
        thaw=ThawPolicy.ALL,
        created_at=after(90),
        tenant=TENANT,
    )
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=60, ends_at=after(360))
    return one_job(
        schedule=schedule,
        start=NOW,
        end=after(900),
        created_at=NOW,
        anchored_at=NOW,
        job_id=JOB_ID,
        overlap=Overlap(policy=OverlapPolicy.QUEUE),
        run_seconds=(170.0,),
        freezes=(sudden,),
    )


def test_a_run_that_thawed_keeps_its_place_in_the_line() -> None:
    """No worker takes it for frozen again while it waits for its slot."""
    assert_as_the_use_cases_do(scenario())
    runs = [row for row in simulated(scenario()).rows if not isinstance(row, Gap)]
    started = [run.started_at for run in runs if run.started_at is not None]

    assert (len(started), started) == (6, sorted(started))
    assert [run.due_at for run in runs[1:]] == [after(600)] * 5
