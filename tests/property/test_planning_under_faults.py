"""Planning while planners die, clocks differ and callers change the job: one record an instant."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.api import api_services
from tests.support.factories import JOB_ID, NOW, TENANT, after
from tests.support.world import World
from timegate.adapters.memory.clock import MemoryClock
from timegate.domain.errors import InvalidInput, JobIsCompleted
from timegate.domain.job import CatchUp, CatchUpPolicy, Timing
from timegate.domain.ledger import Gap
from timegate.domain.schedule import Schedule, ScheduleKind
from timegate.usecases.change_job import JobRef
from timegate.usecases.definition import JobChanges
from timegate.usecases.materialise import materialise
from timegate.usecases.pause_job import pause_job
from timegate.usecases.plan_shard import plan_shard
from timegate.usecases.resume_job import resume_job
from timegate.usecases.update_job import update_job

REF = JobRef(tenant=TENANT, job_id=JOB_ID)
#: The stores' methods that a process can die in.
STORE_CALLS = [
    *(("jobs", name) for name in ("get", "update", "settle", "due")),
    ("runs", "plan_all"),
    *(("cursors", name) for name in ("acquire", "release")),
]
#: Schedules whose instants the tests can name without the product: multiples of a period.
PERIODS = {
    "rate-60": (Schedule(kind=ScheduleKind.RATE, every_seconds=60), 60),
    "rate-97": (Schedule(kind=ScheduleKind.RATE, every_seconds=97), 97),
    "rate-4000": (Schedule(kind=ScheduleKind.RATE, every_seconds=4000), 4000),
    "every-10-minutes": (Schedule(kind=ScheduleKind.CRON, cron="*/10 * * * *"), 600),
    "hourly": (Schedule(kind=ScheduleKind.CRON, cron="0 * * * *"), 3600),
}
names = st.sampled_from(sorted(PERIODS))
#: Where a process dies: in which of its store calls, and whether that has taken effect.
crashes = st.none() | st.tuples(st.integers(1, 4), st.booleans())
skews = st.sampled_from([-2.0, -0.7, 0.0, 0.0, 0.4, 2.0])
#: Mostly short: a planner looks into every minute of an outage.
pauses_between = st.sampled_from([90, 90, 90, 600, 3600, 3600, 86_400, 15 * 86_400]).flatmap(
    lambda longest: st.integers(0, longest).map(float)
)


class Died(BaseException):
    """The process is gone; nothing in it handles this."""


@dataclass(frozen=True)
class Era:
    """A schedule, from when it was given to when another replaced it."""

    name: str
    given_at: datetime
    replaced_at: datetime | None = None

    def named(self, first: datetime, last: datetime) -> list[datetime]:
        """Its instants in a closed range, by counting up from where it begins."""
        schedule, period = PERIODS[self.name]
        step = timedelta(seconds=period)
        begin = self.given_at
        if schedule.kind is ScheduleKind.CRON:
            begin = NOW - timedelta(days=1)
            first = max(first, self.given_at + timedelta(milliseconds=1))
        instants, instant = [], begin + step
        while instant <= last:
            if instant >= first:
                instants.append(instant)
            instant += step
        return instants


@dataclass
class Story:
    """A world, and what happened to its only job."""

    world: World
    eras: list[Era]
    stale: list[Timing] = field(default_factory=list)

    @property
    def timing(self) -> Timing:
        """The job as it stands, whoever has died."""
        return self.world.tables.jobs[TENANT, JOB_ID].timing

    def act(
        self,
        action: Callable[[datetime], object],
        skew: float,
        crash: tuple[int, bool] | None,
    ) -> None:
        """Let a process whose clock is off by so much do something, until it dies."""
        now = self.world.clock.now() + timedelta(seconds=skew)
        with suppress(Died, InvalidInput, JobIsCompleted), dying(self.world, crash):
            action(now)

    def tick(self, now: datetime, owner: str) -> None:
        """A planner's tick by its own clock."""
        world = self.world
        plan_shard(world.turn, world.scheduling, world.cursors, MemoryClock(now), owner=owner)

    def edit(self, name: str, now: datetime) -> None:
        """Give the job another schedule."""
        try:
            update_job(
                REF, JobChanges(schedule=PERIODS[name][0]), api_services(self.world), now=now
            )
        finally:
            self.note(name)

    def note(self, name: str) -> None:
        """Remember a new era, if the edit came so far."""
        given_at, latest = self.timing.anchored_at, self.eras[-1]
        if given_at != latest.given_at:
            self.eras[-1] = replace(latest, replaced_at=given_at)
            self.eras.append(Era(name, given_at))


@contextmanager
def dying(world: World, crash: tuple[int, bool] | None) -> Iterator[None]:
    """A process that dies in its n-th store call, before or after that took effect."""
    calls = 0

    def wrapped(call: Callable[..., Any]) -> Callable[..., Any]:
        def attempt(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - whatever the call takes
            nonlocal calls
            calls += 1
            if crash is None or calls < crash[0]:
                return call(*args, **kwargs)
            if calls == crash[0] and crash[1]:
                call(*args, **kwargs)
            raise Died

        return attempt

    stores: dict[str, Any] = {"jobs": world.jobs, "runs": world.runs, "cursors": world.cursors}
    originals = [(stores[kind], name, getattr(stores[kind], name)) for kind, name in STORE_CALLS]
    for store, name, call in originals:
        setattr(store, name, wrapped(call))
    try:
        yield
    finally:
        for store, name, call in originals:
            setattr(store, name, call)


@st.composite
def stories(draw: st.DrawFn) -> Story:
    """A job and up to a dozen things that happen to it and to its planners."""
    world, name = World(), draw(names)
    catch_up = CatchUp(
        policy=draw(st.sampled_from(CatchUpPolicy)),
        limit=draw(st.sampled_from([1, 7, 150])),
        window_seconds=draw(st.sampled_from([60, 3600, 86_400])),
    )
    schedule, period = PERIODS[name]
    first = NOW + timedelta(seconds=period)
    world.add_job(
        schedule=schedule,
        anchored_at=NOW,
        created_at=NOW,
        updated_at=NOW,
        next_run_at=first,
        catch_up=catch_up,
    )
    story = Story(world, [Era(name, NOW)])
    # A planner was there before the job, so its watermark is not at the beginning of time.
    story.tick(NOW, "first")
    for number in range(draw(st.integers(3, 12))):
        world.clock.advance(draw(pauses_between))
        happen(draw, story, f"planner-{number}")
    return story


def happen(draw: st.DrawFn, story: Story, owner: str) -> None:
    """One event, by a process of its own."""
    skew, crash = draw(skews), draw(crashes)
    story.stale.append(story.timing)
    match draw(st.sampled_from(["tick", "pause", "resume", "edit", "stale"])):
        case "tick":
            story.act(lambda now: story.tick(now, owner), skew, crash)
        case "pause":
            services = api_services(story.world)
            story.act(lambda now: pause_job(REF, services, now=now), skew, crash)
        case "resume":
            services, late = api_services(story.world), draw(st.booleans())
            story.act(lambda now: resume_job(REF, services, now=now, catch_up=late), skew, crash)
        case "edit":
            name = draw(names)
            story.act(lambda now: story.edit(name, now), skew, crash)
        case "stale":
            # A planner that was held up between reading the job and planning it.
            scheduling, read = story.world.scheduling, draw(st.sampled_from(story.stale[-4:]))
            story.act(lambda now: materialise([read], scheduling, now=now), skew, crash)


def recover(story: Story) -> None:
    """Ticks, with nobody dying, until the planner has come round."""
    for number in range(6):
        story.world.clock.advance(61)
        story.tick(story.world.clock.now(), f"recovery-{number}")


def gaps_of(story: Story) -> tuple[Gap, ...]:
    """All gaps of the job."""
    return story.world.jobs.gaps(TENANT, JOB_ID, since=after(-86_400), limit=1000)


def runs_of(story: Story) -> list[datetime]:
    """The instants that have runs."""
    return [attempt.id.run.scheduled_at for attempt in story.world.attempts()]


@settings(max_examples=150)
@given(story=stories())
def test_every_instant_has_one_record_whatever_happens(story: Story) -> None:
    """A run, or a gap that spans it; no record is of an instant that no schedule named."""
    recover(story)
    timing = story.timing
    reached = timing.next_run_at or timing.held_at
    assert reached is not None
    runs, gaps = runs_of(story), gaps_of(story)
    planned_before: set[datetime] = set()
    named: set[datetime] = set()
    for era in story.eras:
        last = era.replaced_at or reached - timedelta(milliseconds=1)
        instants = era.named(NOW, last)
        own = [gap for gap in gaps if era.given_at < gap.first <= last and gap.last <= last]
        for instant in instants:
            spanned = sum(gap.first <= instant <= gap.last for gap in own)
            has_run = instant in runs
            # A run that an earlier schedule had planned stays, and outranks a later gap.
            outranks = has_run and instant in planned_before
            assert spanned + has_run == 1 or (outranks and spanned <= 1), (instant, spanned)
        for gap in own:
            assert gap.count == len(era.named(gap.first, gap.last))
        ahead = era.named(NOW, last + timedelta(minutes=11))
        planned_before |= set(ahead) - set(instants)
        named |= set(ahead)

    if timing.next_run_at is not None:
        # No write put it where no planner looks: it stands beyond the look-ahead.
        assert timing.next_run_at > story.world.clock.now() + timedelta(minutes=9)
    assert len(runs) == len(set(runs))
    assert set(runs) <= named
    assert sum(gap.count for gap in gaps) == sum(
        len(era.named(gap.first, gap.last))
        for era in story.eras
        for gap in gaps
        if era.given_at < gap.first and gap.last <= (era.replaced_at or reached)
    )
