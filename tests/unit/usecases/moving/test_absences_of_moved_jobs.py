"""Jobs that run in another stage are awaited there: neither stage tells of an absence."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.execution.telling import hook
from tests.support.factories import NOW, TENANT, job_id
from tests.support.moving.moves import TwoStages, minutes
from tests.support.ruling import look, looking, put_rule, told
from tests.support.world import World
from timegate.domain.jobs.notification import Occasion
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.rules.rule import Absence, When
from timegate.domain.tenants.suspension import suspended, suspension_freeze
from timegate.domain.tenants.tenant_settings import EVER, MoveState, TenantMove
from timegate.domain.values.identity import AbsenceRef
from timegate.usecases.rules.look_at_absences import look_at_absences

HOUR = 3_600
JOB = job_id("often")
SILENT = "send the report: no run has succeeded for 1 hour."


@pytest.fixture
def at_home(tmp_path: Path) -> TwoStages:
    """A tenant whose job and whose rule ask for a success each hour."""
    found = TwoStages(tmp_path / "export")
    found.old.add_job(
        job_id=JOB,
        schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=600),
        anchored_at=NOW,
        created_at=NOW,
        updated_at=NOW,
        next_run_at=minutes(10),
        absent_after_seconds=HOUR,
        notifications=(hook(Occasion.ABSENT),),
    )
    put_rule(found.old, when=When(absent=Absence(for_seconds=HOUR)))
    look(found.old)
    return found


@pytest.fixture
def stages(at_home: TwoStages) -> TwoStages:
    """Such a tenant, which leaves in two hours."""
    at_home.moving().begin(at=minutes(120), now=at_home.now)
    return at_home


def silences(world: World) -> tuple[int, list[list[str]]]:
    """Make the looks that are due; returns the absences that the job's and the rule's told of."""
    assert look_at_absences([AbsenceRef(tenant=TENANT, job_id=JOB)], looking(world)) == [True]
    look(world)
    return len(world.telemetry.named("absence_told")), told(world)


def test_a_stage_tells_of_no_job_that_has_not_arrived(stages: TwoStages) -> None:
    """An import hours before the cut-over makes its looks, and it has no run."""
    stages.copy()
    stages.run_until(minutes(90))

    assert silences(stages.new) == (0, [])


def test_a_job_that_arrived_is_awaited_from_then_on(stages: TwoStages) -> None:
    """For a whole span: its successes of before may be in the other stage alone."""
    stages.run_until(minutes(120))
    stages.moving().close(now=stages.now)
    stages.run_until(minutes(125))
    stages.copy()
    stages.moving().open(now=stages.now)
    opened = stages.now
    found = []
    for seconds in (1, HOUR - 1):
        stages.run_until(opened + timedelta(seconds=seconds))
        found.append(silences(stages.new))
    stages.run_until(opened + timedelta(seconds=HOUR + 300))
    found.append(silences(stages.new))

    assert found == [(0, []), (0, []), (1, [[SILENT]])]


@pytest.mark.parametrize("history", [False, True])
def test_a_job_that_was_imported_alone_is_awaited_from_then_on(
    at_home: TwoStages, *, history: bool
) -> None:
    """No cut-over says since when it runs here: a plain import tells of no absence of before."""
    at_home.run_until(minutes(180))
    at_home.copy(history=history)
    imported, found = at_home.now, []
    for seconds in (60, HOUR - 1, HOUR + 300):
        at_home.run_until(imported + timedelta(seconds=seconds))
        found.append(silences(at_home.new))

    assert found == [(0, []), (0, []), (1, [[SILENT]])]


@pytest.mark.parametrize(("at", "expected"), [(119, (1, [[SILENT]])), (300, (0, []))])
def test_the_stage_that_a_tenant_leaves_tells_until_the_cut_over(
    stages: TwoStages, at: float, expected: object
) -> None:
    """From then on its jobs succeed elsewhere."""
    stages.run_until(minutes(at))

    assert silences(stages.old) == expected


def test_a_withdrawn_job_is_awaited_where_it_stays(stages: TwoStages) -> None:
    """Copies that rest in the other stage tell nothing, however long they rest."""
    stages.copy()
    stages.moving().withdraw(now=stages.now)
    stages.run_until(minutes(300))

    assert silences(stages.new) == (0, [])
    assert silences(stages.old) == (1, [[SILENT]])


def test_a_copy_that_rests_tells_of_no_absence(stages: TwoStages) -> None:
    """Its tenant is suspended: channels are told of the past in spite of that, and of nothing."""
    settings = stages.new.tenants.get(TENANT)
    bare = replace(settings, move=None)
    freeze = suspension_freeze(TENANT, thaw=ThawPolicy.SKIP, reason="a copy", now=NOW)
    after = suspended(bare, freeze)
    assert stages.new.tenants.put(TENANT, settings, after, freeze=freeze)
    stages.copy()
    stages.run_until(minutes(200))
    resting = silences(stages.new)
    before = stages.new.tenants.get(TENANT)
    assert stages.new.tenants.put(TENANT, before, replace(before, suspension=None))
    stages.run_until(minutes(300))

    assert resting == (0, [])
    assert silences(stages.new) == (1, [[SILENT]])


@pytest.mark.parametrize(
    ("state", "now", "expected"),
    [
        (MoveState.LEAVING, minutes(119), EVER),
        (MoveState.LEAVING, minutes(120), None),
        (MoveState.CLOSED, minutes(119), None),
        (MoveState.ARRIVING, minutes(121), None),
        (MoveState.ARRIVED, minutes(125), minutes(2)),
        (MoveState.WITHDRAWN, minutes(125), None),
    ],
)
def test_each_state_says_since_when_jobs_are_awaited(
    state: MoveState, now: object, expected: object
) -> None:
    """In the stage that has it; the instant of the cut-over is the other stage's."""
    move = TenantMove(state=state, stage="other", at=minutes(120), since=minutes(2))

    assert move.awaited_from(now=now) == expected  # type: ignore[arg-type]
