"""The loads of the promises N1 to N4 at full size, and of what goes wrong beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from bench.scale.model.parcels import instant
from bench.scale.model.planner import Jobs
from bench.scale.model.stage import Choices, Course, Stage
from tests.support.factories import timing_factory
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind

DAY = 86_400
MINUTE = 60
#: A web hook, as the page of costs has it.
WEB_HOOK_SECONDS = 0.2
#: Virtual time at which runs begin to be due: the planner has its whole look-ahead before.
FIRST = 720
#: Frequent jobs are moved once in seven minutes; their moves are spread over these.
_MOVE_MINUTES = 7
#: Tenants among whom jobs are spread.
_TENANTS = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Scenario:
    """A load, and the stages that it is played on."""

    name: str
    title: str
    jobs: Sequence[Jobs]
    #: Runs that are to begin; ``None``: the course ends by time.
    runs: int | None
    choices: dict[str, Choices]
    work_seconds: float = WEB_HOOK_SECONDS
    until: float = FIRST + 3_600
    dips: tuple[tuple[float, float, float], ...] = ()
    #: Runs that are due before are left out; 0: none is.
    counted_from: float = 0
    #: The promise, and the largest p99 of lateness with which it holds, in seconds.
    promise: str = ""
    bound_seconds: float | None = None

    def play(self, label: str) -> Course:
        """Play it on one of the stages."""
        stage = Stage(
            self.choices[label],
            work_seconds=self.work_seconds,
            dips=self.dips,
            counted_from=self.counted_from,
        )
        for each in self.jobs:
            stage.register(each)
        return stage.run(until=self.until, runs=self.runs)


def jobs_due(count: int, due: float, *, every: int = DAY, tenant: str = "first") -> Jobs:
    """Return jobs that are next due at an instant of virtual time."""
    first = instant(due)
    timing = timing_factory(
        tenant=tenant,
        schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=every),
        anchored_at=first - timedelta(seconds=every),
        created_at=first - timedelta(days=2),
        next_run_at=first,
    )
    return Jobs(timing=timing, lane="", every_seconds=every, left=count)


def spread(count: int, *, seconds: int, begin: float = FIRST) -> list[Jobs]:
    """Return jobs of several tenants, so many due in each second."""
    if seconds == 1:
        each = count // _TENANTS
        return [jobs_due(each, begin, tenant=f"tenant-{n}") for n in range(_TENANTS)]
    return [
        jobs_due(count // seconds, begin + second, tenant=f"tenant-{second % _TENANTS}")
        for second in range(seconds)
    ]


def minutely(count: int) -> list[Jobs]:
    """Return minutely jobs in steady state: moves and fires are spread evenly."""
    each = count // MINUTE // _MOVE_MINUTES
    return [
        jobs_due(each, 300 + minute * MINUTE + second, every=MINUTE, tenant=f"tenant-{second % 20}")
        for minute in range(_MOVE_MINUTES)
        for second in range(MINUTE)
    ]
