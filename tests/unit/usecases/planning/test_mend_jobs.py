"""After a promotion each instant and each retry that did not arrive is made good, once."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from tests.support.factories import JOB_ID, NOW, TENANT, after, job_id
from tests.support.stores.records import JOBS_TABLE, Records
from tests.support.stores.sound import sound_gaps
from tests.support.world import World
from timegate.adapters.dynamo.auditing import job_walk
from timegate.adapters.dynamo.auditing.takeover_walks import DynamoTakeoverWalks
from timegate.domain.auditing.unarrived import LostTime
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.retry import RetryPolicy, delay_before
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.regions.doubt import is_in_doubt
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import to_milliseconds
from timegate.usecases.planning.mend_jobs import Share, mend_jobs
from timegate.usecases.restrictions.look_up_restrictions import RestrictionLookup

#: The end of the region before; the one that takes over works from ``HERE`` on.
LOST, HERE = 200, 260
EVERY_MINUTE = {"schedule": Schedule(kind=ScheduleKind.RATE, every_seconds=60), "anchored_at": NOW}


class Takeover(World):
    """A region whose jobs were planned ten minutes ahead, and which takes over."""

    def __init__(self, tables: Records | None = None) -> None:
        super().__init__(tables=tables or Records())
        self.walks = DynamoTakeoverWalks(
            self.tables.engine, table=JOBS_TABLE, jobs_table=JOBS_TABLE
        )

    def plan(self, **fields: Any) -> None:  # noqa: ANN401 - of a job
        """Store a job of each minute, and its runs."""
        self.tick()
        self.add_job(**({**EVERY_MINUTE, "next_run_at": after(60)} | fields))
        self.tick()

    def lack(self, *seconds: float, job: JobId = JOB_ID) -> None:
        """Have no record of the job's runs of these instants."""
        for each in self.attempts():
            if each.id.run.job_id == job and each.id.run.scheduled_at in set(map(after, seconds)):
                self.lose(each)

    def mend(self, look: int = 2_000, has_time: Callable[[], bool] = lambda: True) -> bool:
        """Go on with the walk."""
        self.clock.set(max(self.clock.now(), after(HERE)))
        return mend_jobs(
            Share(shard=0, of=1),
            look,
            LostTime(since=after(-3_600), until=after(LOST)),
            self.walks,
            self.rules.rules_at_hand,
            self.scheduling,
            now=self.clock.now(),
            has_time=has_time,
        )

    def runs_of(self, job: JobId = JOB_ID) -> list[datetime]:
        """Instants that have a run."""
        found = {each.id.run.scheduled_at for each in self.attempts() if each.id.run.job_id == job}
        return sorted(found)

    def gaps_of(self, job: JobId = JOB_ID) -> list[tuple[datetime, datetime, Reason]]:
        """First, last and reason of each gap."""
        gaps = sound_gaps(self.jobs.gaps(TENANT, job, since=NOW, limit=99))
        return [(gap.first, gap.last, gap.reason) for gap in gaps]


@pytest.fixture
def world() -> Takeover:
    """The region."""
    return Takeover()


def minutes(*numbers: int) -> list[datetime]:
    """Instants of the job."""
    return [after(60 * number) for number in numbers]


def told(world: World, event: str) -> Sequence[dict[str, Any]]:
    """Events of a name."""
    return [each.fields for each in world.telemetry.events if each.name == event]


def test_a_job_that_arrived_whole_is_not_touched(world: Takeover) -> None:
    """Its reads are all that the walk costs."""
    world.plan()
    before = world.jobs.get(TENANT, JOB_ID)
    runs = world.runs_of()

    assert world.mend()
    assert world.jobs.get(TENANT, JOB_ID) == before
    assert (world.runs_of(), world.gaps_of()) == (runs, [])
    assert told(world, "region_job_mended") == []


def test_an_instant_of_the_region_before_is_a_gap_and_a_later_one_gets_its_run(
    world: Takeover,
) -> None:
    """The first may have begun there; the second has not."""
    world.plan()
    runs = world.runs_of()
    kept = {each.id: each for each in world.attempts()}
    world.lack(120, 180, 300)

    assert world.mend()
    assert world.gaps_of() == [(*minutes(2, 3), Reason.REGION_LOST)]
    lacking = set(minutes(2, 3))
    assert [each for each in world.runs_of() if each <= runs[-1]] == [
        each for each in runs if each not in lacking
    ]
    # Those that arrived stay as they are.
    assert [each for each in world.attempts() if each.id in kept and each.created_at == NOW] == [
        each
        for each in kept.values()
        if each.id.run.scheduled_at not in {after(120), after(180), after(300)}
    ]
    (mended,) = told(world, "region_job_mended")
    assert (mended["lost"], mended["planned_from"], mended["done"]) == (2, after(300), True)


def test_instants_that_are_missed_by_now_follow_the_catch_up_policy(world: Takeover) -> None:
    """A job that skips what it missed has a gap for it, and runs on."""
    world.plan(catch_up=CatchUp(policy=CatchUpPolicy.SKIP))
    world.lack(120, 240, 540)
    world.clock.set(after(400))

    assert world.mend()
    assert world.gaps_of() == [
        (*minutes(2, 2), Reason.REGION_LOST),
        (*minutes(4, 4), Reason.MISSED_WINDOW),
    ]
    assert set(minutes(3, 5, 6, 7, 8, 9, 10)) <= set(world.runs_of())


@pytest.mark.parametrize("status", [JobStatus.PAUSED, JobStatus.COMPLETED])
def test_a_job_that_is_not_active_has_gaps_and_stays(world: Takeover, status: JobStatus) -> None:
    """It plans nothing: each instant that it was moved past has its record all the same."""
    world.plan()
    job = world.jobs.get(TENANT, JOB_ID)
    timing = replace(job.timing, status=status, next_run_at=None, version=2)
    paused = status is JobStatus.PAUSED
    timing = replace(timing, held_at=job.timing.next_run_at if paused else None)
    world.jobs.update(job, replace(job, timing=timing))
    world.lack(120, 240)

    assert world.mend()
    assert world.gaps_of()[:2] == [(each, each, Reason.REGION_LOST) for each in minutes(2, 4)]
    assert world.jobs.get(TENANT, JOB_ID).timing == timing


def test_the_one_run_of_a_job_that_did_not_arrive_is_planned_again(world: Takeover) -> None:
    """The job said that nothing was left to plan."""
    once = Schedule(kind=ScheduleKind.AT, at=after(300))
    world.plan(schedule=once, next_run_at=after(300))
    assert world.jobs.get(TENANT, JOB_ID).timing.next_run_at is None
    world.lack(300)

    assert world.mend()
    assert world.runs_of() == [after(300)]
    assert all(each.final for each in world.attempts())


def test_a_job_that_was_changed_here_names_nothing_of_before(world: Takeover) -> None:
    """Its schedule was given behind the other region's time."""
    world.plan(anchored_at=after(LOST))
    runs = world.runs_of()

    assert world.mend()
    assert (world.runs_of(), world.gaps_of()) == (runs, [])


def retried(world: Takeover, at: float) -> Attempt:
    """A run that failed and said that it is tried again; nothing else of it arrived."""
    (before,) = [each for each in world.attempts() if each.id.run.scheduled_at == after(at)]
    running = replace(before, state=RunState.RUNNING, fence=1)
    ended = end(running, RunState.FAILED, now=after(at + 1), reason=Reason.RETRIED)
    assert world.runs.replace(before, ended)
    return ended


@pytest.mark.parametrize("at", [60, 180])
def test_a_retry_that_did_not_arrive_is_made_for_its_own_instant(
    world: Takeover, at: float
) -> None:
    """Doubt compares that with the other region's end, as of every attempt."""
    policy = RetryPolicy(initial_delay_seconds=60, jitter=True)
    world.plan(retry=policy)
    ended = retried(world, at)
    seconds = delay_before(policy, 1, str(ended.id))

    assert world.mend()
    first, second = world.runs.attempts(TENANT, ended.id.run)
    assert first == ended
    assert second.due_at == to_milliseconds(after(at + 1 + seconds))
    assert (second.id.number, second.fence, second.created_at) == (2, 1, ended.ended_at)
    assert is_in_doubt(second, after(LOST)) is (at == 60)
    assert second.watch_at is not None
    assert told(world, "region_job_mended")[0]["retries"] == 1


def test_a_retry_that_is_there_stays(world: Takeover) -> None:
    """Twice is as good as once, also where another look is owed."""
    world.plan()
    ended = retried(world, 180)
    done = [world.mend(), world.mend(3_000)]
    attempts = world.runs.attempts(TENANT, ended.id.run)

    assert done == [True, True]
    assert len(attempts) == 2
    assert len(told(world, "region_job_mended")) == 1


def test_a_walk_goes_on_where_it_came_to_and_is_made_once(
    world: Takeover, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tick has little time; the record says how far the walk came."""
    monkeypatch.setattr(job_walk, "MAX_ITEMS", 2)
    names = [job_id(f"job-{number}") for number in range(4)]
    for each in names:
        world.plan(job_id=each)
        world.lack(120, job=each)
    ticks = 0
    turns = iter([True, False] * 30)
    while not world.mend(has_time=lambda: next(turns)):
        ticks += 1
    pages = len(told(world, "region_jobs_checked"))
    (walk,) = world.walks.on_record()
    again = world.mend()

    assert ticks >= 2
    assert (walk.look, walk.is_done, walk.jobs, walk.mended) == (2_000, True, 4, 4)
    assert world.walks.on_record() == (walk,)
    assert [world.gaps_of(each) for each in names] == [[(*minutes(2, 2), Reason.REGION_LOST)]] * 4
    assert len(told(world, "region_job_mended")) == 4
    assert again
    assert len(told(world, "region_jobs_checked")) == pages


def test_of_two_walks_over_one_page_one_goes_on(world: Takeover) -> None:
    """Its jobs are looked at twice, which changes nothing more."""
    world.plan()
    walk = world.walks.read(0, 1).owing(2_000)
    behind = walk.behind(world.walks.page(walk), mended=1)

    assert [world.walks.move(walk, behind), world.walks.move(walk, behind)] == [True, False]
    assert world.walks.read(0, 1) == behind
    assert world.walks.read(0, 1).owing(2_000).is_done
    assert not world.walks.read(0, 1).owing(3_000).is_done


def test_a_job_that_a_planner_moves_meanwhile_is_read_again(
    world: Takeover, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The walk saw it as it was."""
    world.plan()
    world.lack(120, 300)
    moved: list[bool] = []
    look_up = RestrictionLookup.of

    def moving(lookup: RestrictionLookup, timings: Any) -> Any:  # noqa: ANN401 - as it is
        if not moved:
            moved.append(True)
            world.clock.set(after(HERE))
            world.tick()
        return look_up(lookup, timings)

    monkeypatch.setattr(RestrictionLookup, "of", moving)

    assert world.mend()
    assert world.gaps_of() == [(*minutes(2, 2), Reason.REGION_LOST)]
    assert after(300) in world.runs_of()
