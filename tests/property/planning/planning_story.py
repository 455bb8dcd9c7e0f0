"""Stories of a job: planners die, clocks differ, deployments come and go, callers change it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from hypothesis import strategies as st

from tests.support.api import api_services
from tests.support.execution.placing import first_shards
from tests.support.factories import JOB_ID, NOW, TENANT
from tests.support.world import World
from timegate.adapters.memory.clock import MemoryClock
from timegate.domain.dispatch.shards import OpenShards
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.job import Timing
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.errors import InvalidInput, JobIsCompleted
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.jobs.update_job import update_job
from timegate.usecases.planning.materialise import materialise
from timegate.usecases.planning.open_shards import OpeningSpread, open_shards
from timegate.usecases.planning.plan_shard import plan_shard
from timegate.usecases.planning.retire_shards import begin_closing, close_shards, empty_shards

REF = JobRef(tenant=TENANT, job_id=JOB_ID)
#: The stores' methods that a process can die in.
STORE_CALLS = [
    *(("jobs", name) for name in ("get", "update", "settle", "due")),
    *(("cursors", name) for name in ("acquire", "release")),
    *(("shards", name) for name in ("read", "replace")),
    *(("runs", "plan_all"), ("census", "move")),
    *(("plans", name) for name in ("announce_all", "store_runs", "move_all")),
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
_EVENTS = ["tick", "tick", "pause", "resume", "edit", "stale", "operate", "operate"]
#: Where a process dies: in which of its store calls, and whether that has taken effect.
crashes = st.none() | st.tuples(st.integers(1, 4), st.booleans())
skews = st.sampled_from([-2.0, -0.7, 0.0, 0.0, 0.4, 2.0])
#: Mostly short: a planner looks into every minute of an outage, in every shard.
OUTAGES = [90, 90, 90, 600, 3600, 3600, 86_400, 15 * 86_400]


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
class Deployment:
    """Processes that were told a number of shards; old ones live on beside new ones for a while."""

    shards: int
    spread: OpeningSpread


@dataclass
class Story:
    """A world, and what happened to its only job."""

    world: World
    eras: list[Era] = field(default_factory=list)
    stale: list[Timing] = field(default_factory=list)
    #: Those whose processes are alive, the latest last.
    deployments: list[Deployment] = field(default_factory=list)
    announced: OpenShards | None = None

    def deploy(self, shards: int) -> None:
        """Begin a deployment: from now on new processes come and old ones go."""
        spread = OpeningSpread(shards, self.world.shards, self.world.clock)
        self.deployments = [*self.deployments[-1:], Deployment(shards, spread)]

    def retire(self, now: datetime) -> None:
        """An operator's next step towards closing what is retired."""
        world, keep = self.world, max(each.shards for each in self.deployments)
        if self.announced is None:
            self.announced = begin_closing(keep, world.shards)
            return
        empty_shards(self.announced, world.census, world.clock)
        close_shards(self.announced, world.census, world.shards)
        self.announced = None

    @property
    def timing(self) -> Timing:
        """The job as it stands, after any death."""
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
        """All ticks of a minute, of the deployment that works now, by its own clock."""
        world, clock = self.world, MemoryClock(now)
        working = [each for each in self.deployments if each.spread is world.spread]
        count = (working or self.deployments)[0].shards
        opened = open_shards(count, world.shards, clock)
        for turn in opened.turns(range(count), count, at=now):
            plan_shard(turn, world.planning, world.cursors, clock, owner=owner)

    def sweep(self, now: datetime, owner: str) -> None:
        """All sweeps of a minute."""
        world = self.world
        opened = world.shards.read()
        count = self.deployments[-1].shards
        assert opened is not None
        for turn in opened.turns(range(count), count, at=now):
            world.sweep(turn, owner=owner)

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


#: Something else that happens, by a skewed clock, until its process dies.
Event = Callable[[st.DrawFn, Story, float, tuple[int, bool] | None], None]


@contextmanager
def dying(
    world: World,
    crash: tuple[int, bool] | None,
    mortal: Sequence[tuple[str, str]] = STORE_CALLS,
) -> Iterator[None]:
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

    names = ("jobs", "runs", "cursors", "shards", "census", "restrictions")
    stores: dict[str, Any] = {name: getattr(world, name) for name in names}
    stores["plans"] = world.announced_plans
    originals = [(stores[kind], name, getattr(stores[kind], name)) for kind, name in mortal]
    for store, name, call in originals:
        setattr(store, name, wrapped(call))
    try:
        yield
    finally:
        for store, name, call in originals:
            setattr(store, name, call)


@st.composite
def stories(
    draw: st.DrawFn,
    *,
    counts: st.SearchStrategy[int],
    outages: Sequence[int] = OUTAGES,
    watch: Callable[[Story], None] = lambda _: None,
    also: Mapping[str, Event] = MappingProxyType({}),
) -> Story:
    """A job and up to a dozen things that happen to it and to its planners.

    ``counts``: shards of deployments; ``outages``: seconds; ``watch``: looks on; ``also``: happens.
    """
    world, name = World(), draw(names)
    story = Story(world)
    count = draw(counts)
    world.shards.replace(None, first_shards(count, at=world.now))
    story.deploy(count)
    world.spread = story.deployments[-1].spread
    catch_up = CatchUp(
        policy=draw(st.sampled_from(CatchUpPolicy)),
        limit=draw(st.sampled_from([1, 7, 150])),
        window_seconds=draw(st.sampled_from([60, 3600, 86_400])),
    )
    schedule, period = PERIODS[name]
    first = NOW + timedelta(seconds=period)
    given: dict[str, Any] = {"anchored_at": NOW, "created_at": NOW, "updated_at": NOW}
    world.add_job(schedule=schedule, **given, next_run_at=first, catch_up=catch_up)
    story.eras.append(Era(name, NOW))
    # A planner was there before the job, so its watermark is not at the beginning of time.
    story.tick(NOW, "first")
    for number in range(draw(st.integers(3, 12))):
        longest = draw(st.sampled_from(outages))
        world.clock.advance(draw(st.integers(0, longest).map(float)))
        watch(story)
        happen(draw, story, f"planner-{number}", counts, also)
        watch(story)
    return story


def happen(
    draw: st.DrawFn,
    story: Story,
    owner: str,
    counts: st.SearchStrategy[int],
    also: Mapping[str, Event],
) -> None:
    """One event, by a process of its own, of either deployment."""
    skew, crash = draw(skews), draw(crashes)
    story.stale.append(story.timing)
    story.world.spread = draw(st.sampled_from(story.deployments)).spread
    match draw(st.sampled_from([*_EVENTS, *also])):
        case event if event in also:
            also[event](draw, story, skew, crash)
        case "operate":
            operate(draw, story, counts, skew, crash)
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
            scheduling, read = story.world.planning, draw(st.sampled_from(story.stale[-4:]))
            story.act(lambda now: materialise([read], scheduling, now=now), skew, crash)


def operate(
    draw: st.DrawFn,
    story: Story,
    counts: st.SearchStrategy[int],
    skew: float,
    crash: tuple[int, bool] | None,
) -> None:
    """A deployment begins, or its last old process goes, or retired shards are to be closed."""
    match draw(st.sampled_from(["deploy", "settle", "retire", "retire"])):
        case "deploy":
            story.deploy(draw(counts))
        case "settle":
            story.deployments = story.deployments[-1:]
        case "retire":
            story.act(story.retire, skew, crash)
