"""Loads that wheels are played with: those of ``bench.scale`` that fail there or cost most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bench.scale.scenarios import DAY, FIRST, MINUTE
from bench.scale.wheels import figures
from bench.scale.wheels.model import Choices, Course, Wheel, WheelStage


@dataclass(frozen=True, kw_only=True, slots=True)
class Load:
    """Wheels, and the choices that they are played with."""

    name: str
    title: str
    #: The scenario of ``bench.scale`` with the same load, whose best stage it is compared with.
    beside: str
    bound_seconds: float
    wheels: Sequence[Wheel]
    choices: Mapping[str, Choices]
    #: Runs that are to begin; ``None``: the course ends by time.
    runs: int | None
    until: float = FIRST + 3_600

    def play(self, label: str) -> Course:
        """Play it with one of the choices."""
        stage = WheelStage(self.choices[label])
        for each in self.wheels:
            stage.register(each)
        return stage.run(until=self.until, runs=self.runs)


_INVOKED = Choices(pollers=None, lead_seconds=90)
_QUEUED = Choices(pollers=200, lead_seconds=90)
_FEW = Choices(pollers=200, lead_seconds=10, warm=500)


def loads() -> Sequence[Load]:
    """Return every load."""
    return (_midnight(), _peak(), _sustained())


#: Members of a wheel of its own, to see from where on it pays.
THIN = (1, 2, 5, 10, 50, 500, 5_000)


def thin(members: int, every_seconds: int) -> Course:
    """Play one wheel with few members for an hour, on executors that are warm."""
    stage = WheelStage(replace(_FEW, warm=100))
    stage.register(Wheel(members=members, due=FIRST, every_seconds=every_seconds))
    return stage.run(until=FIRST + 3_600)


def _midnight() -> Load:
    return Load(
        name="midnight",
        title="4.2 million daily jobs of one pattern, due in one second",
        beside="midnight",
        bound_seconds=5.0,
        wheels=[Wheel(members=4_200_000, due=FIRST, every_seconds=DAY)],
        runs=4_200_000,
        choices={
            "a function invoked for each sheaf, 90 s ahead, all cold": _INVOKED,
            "the same, 30 s ahead": replace(_INVOKED, lead_seconds=30),
            "the same, 90 s ahead, fresh connections": replace(
                _INVOKED, fire_cpu=figures.FIRE_CPU_FRESH
            ),
            "the same, a record for each run": replace(_INVOKED, records_runs=True),
            "by a queue with 200 pollers, 90 s ahead, all cold": _QUEUED,
            "the same, sheaves of 2,000": replace(_QUEUED, sheaf=2_000),
            "the same, 30 s ahead, sheaves of 2,000": replace(
                _QUEUED, sheaf=2_000, lead_seconds=30
            ),
            "the same, fresh connections": replace(
                _QUEUED, sheaf=2_000, lead_seconds=30, fire_cpu=figures.FIRE_CPU_FRESH
            ),
        },
    )


def _peak() -> Load:
    return Load(
        name="peak",
        title="50,000 daily runs a second for a minute, a pattern for each second",
        beside="peak",
        bound_seconds=1.0,
        wheels=[Wheel(members=50_000, due=FIRST + n, every_seconds=DAY) for n in range(60)],
        runs=3_000_000,
        choices={"sheaves of 500, 200 pollers, 10 s ahead, 500 warm": _FEW},
    )


def _sustained() -> Load:
    return Load(
        name="sustained",
        title="10,000 minutely runs a second for three minutes, a pattern for each second",
        beside="sustained",
        bound_seconds=1.0,
        wheels=[
            Wheel(members=10_000, due=FIRST - 600 + n, every_seconds=MINUTE) for n in range(60)
        ],
        runs=None,
        until=FIRST + 180,
        choices={
            "sheaves of 500, 200 pollers, 10 s ahead, 500 warm": _FEW,
            "the same, 60 s ahead": replace(_FEW, lead_seconds=60),
            "the same, 10 s ahead, a record for each run": replace(_FEW, records_runs=True),
        },
    )
