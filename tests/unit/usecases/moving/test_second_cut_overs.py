"""Cut-overs of a tenant that has moved, or was to move, before."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.factories import NOW, TENANT, job_id
from tests.support.moving.dying import Dying
from tests.support.moving.moves import TwoStages, minutes
from timegate.domain.moving.errors import MoveRefused
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.tenants.tenant_settings import MoveState, TenantMove

FIRST, SECOND = minutes(20), minutes(30)
MINUTELY = Schedule(kind=ScheduleKind.RATE, every_seconds=60)


@pytest.fixture
def stages(tmp_path: Path) -> TwoStages:
    """A tenant with a job of every minute."""
    found = TwoStages(tmp_path / "export")
    found.old.add_job(
        job_id=job_id("minutely"), schedule=MINUTELY, created_at=NOW, next_run_at=minutes(1)
    )
    return found


def test_a_second_cut_over_that_died_half_way_is_withdrawn(stages: TwoStages) -> None:
    """The old stage knows the second one, and the new stage the first, which was withdrawn."""
    stages.moving().begin(at=FIRST, now=stages.now)
    stages.moving().withdraw(now=stages.now)
    whole = stages.engine
    stages.engine = lambda world: Dying(world.tables.engine, 1, after=True)
    with pytest.raises(SystemExit):
        stages.moving().begin(at=SECOND, now=stages.now)
    stages.engine = whole
    moving = stages.moving()
    before = (moving.old.tenants.get(TENANT).move, moving.new.tenants.get(TENANT).move)
    moving.withdraw(now=stages.now)
    after = moving.new.tenants.get(TENANT).move

    assert [(each.state, each.at) for each in before if each is not None] == [
        (MoveState.LEAVING, SECOND),
        (MoveState.WITHDRAWN, FIRST),
    ]
    assert moving.old.tenants.get(TENANT).move is None
    assert after is not None
    assert (after.state, after.at) == (MoveState.WITHDRAWN, SECOND)
    with pytest.raises(MoveRefused, match="withdrawn"):
        moving.begin(at=SECOND, now=stages.now)


@pytest.mark.parametrize("has_jobs", [True, False])
def test_a_stage_in_which_the_tenant_is_at_home_takes_no_other(
    stages: TwoStages, *, has_jobs: bool
) -> None:
    """It arrived there from a third stage, and its jobs fire; nothing is written in either."""
    if has_jobs:
        stages.new.add_job(job_id=job_id("own"), schedule=MINUTELY, next_run_at=minutes(1))
    moving = stages.moving()
    settings = moving.new.tenants.get(TENANT)
    home = TenantMove(state=MoveState.ARRIVED, stage="third", at=minutes(-60), since=minutes(-50))
    assert moving.new.tenants.put(TENANT, settings, replace(settings, move=home))
    if not has_jobs:
        assert moving.begin(at=FIRST, now=stages.now).state is MoveState.LEAVING
        return
    with pytest.raises(MoveRefused, match="jobs of its own"):
        moving.begin(at=FIRST, now=stages.now)

    assert moving.old.tenants.get(TENANT).move is None
    assert moving.new.tenants.get(TENANT).move == home
