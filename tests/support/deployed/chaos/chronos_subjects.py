"""Jobs of every kind, each with the instants that it names, by counting alone.

Nothing of the product is used here: what a schedule means is said a second time.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import cycle
from zoneinfo import ZoneInfo

#: From a job's creation to an instant, both inclusive.
Named = Callable[[datetime, datetime], list[datetime]]
SECOND = timedelta(seconds=1)
MILLISECOND = timedelta(milliseconds=1)
#: More than any outage of these tests leaves behind.
ALL = 10_000
FIVES = set(range(0, 60, 5))


@dataclass(frozen=True, kw_only=True)
class Subject:
    """One job to create, and what must become of it."""

    name: str
    schedule: Mapping[str, object]
    named: Named
    #: So many of the instants that an outage leaves behind run after all: the latest.
    caught_up: int = ALL
    #: Those that are older than this do not.
    window_seconds: int = 86_400
    #: A run that starts later than this does not start.
    start_within_seconds: int | None = None
    is_paused: bool = False
    #: Its target is a queue instead of a web hook.
    to_queue: bool = False
    settings: Mapping[str, object] = field(default_factory=dict)

    @property
    def fields(self) -> dict[str, object]:
        """The job as the API takes it, without its action."""
        policy = {0: "skip", 1: "latest"}.get(self.caught_up, "all")
        catch_up = {"policy": policy, "window_seconds": self.window_seconds}
        if policy == "all":
            catch_up["limit"] = self.caught_up
        start = {"start_within_seconds": self.start_within_seconds}
        fields: dict[str, object] = {
            "name": self.name,
            "schedule": self.schedule,
            "catch_up": catch_up,
        }
        return {**fields, **self.settings, **(start if self.start_within_seconds else {})}


def in_milliseconds(instant: datetime) -> datetime:
    """Return an instant in the API's precision."""
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def once(instant: Callable[[datetime], datetime]) -> Named:
    """One instant, told by the creation."""
    return lambda created_at, until: [
        found for found in [instant(created_at)] if created_at <= found <= until
    ]


def every(
    seconds: int,
    *,
    start: datetime | None = None,
    end: datetime | None = None,
    most: int = ALL,
) -> Named:
    """Each so many seconds, from ``start`` on or one step after the creation."""
    step = timedelta(seconds=seconds)

    def named(created_at: datetime, until: datetime) -> list[datetime]:
        instants: list[datetime] = []
        instant = start or created_at + step
        while instant <= min(until, end or until):
            # One that has passed when the job comes is none of its own.
            if instant >= created_at:
                instants.append(instant)
            instant += step
        return instants[:most]

    return named


def shown(zone: str, seconds: set[int], *, end: datetime | None = None, most: int = ALL) -> Named:
    """Name each instant at which the clock of a zone shows one of these seconds."""
    clock = ZoneInfo(zone)

    def named(created_at: datetime, until: datetime) -> list[datetime]:
        instant = created_at.replace(microsecond=0)
        instants = []
        while instant <= min(until, end or until):
            if instant >= created_at and instant.astimezone(clock).second in seconds:
                instants.append(instant)
            instant += SECOND
        return instants[:most]

    return named


def subjects_before(now: datetime, *, outage: timedelta, end: datetime) -> list[Subject]:
    """Jobs that live through an outage, whose middle is ``outage`` from now."""
    middle, later = in_milliseconds(now + outage), in_milliseconds(now + timedelta(seconds=12))
    return _spread_over_lanes(
        [
            *_at(later, middle, end - 5 * SECOND),
            *_delays(5, outage.total_seconds()),
            Subject(name="now", schedule={"kind": "immediate"}, named=once(lambda at: at)),
            *_crons(middle),
            *_rates(later, middle),
        ]
    )


def subjects_during(now: datetime, end: datetime) -> list[Subject]:
    """Jobs created while nothing is planned."""
    soon = in_milliseconds(now + timedelta(seconds=10))
    return _spread_over_lanes(
        [
            *_at(soon, end - 4 * SECOND, prefix="dark-at"),
            Subject(name="dark-now", schedule={"kind": "immediate"}, named=once(lambda at: at)),
            Subject(name="dark-rate", schedule=rate(4), named=every(4)),
        ]
    )


def rate(seconds: int) -> dict[str, object]:
    """A schedule of each so many seconds."""
    return {"kind": "rate", "every_seconds": seconds}


def text(instant: datetime) -> str:
    """An instant as the API takes it."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds")


def _delays(*delays: float) -> list[Subject]:
    def delayed(seconds: float) -> Named:
        return once(lambda at: in_milliseconds(at + timedelta(seconds=seconds)))

    return [
        Subject(
            name=f"delay-{number}",
            schedule={"kind": "delay", "delay_seconds": seconds},
            named=delayed(seconds),
        )
        for number, seconds in enumerate(delays)
    ]


def _at(*instants: datetime, prefix: str = "at") -> list[Subject]:
    def fixed(instant: datetime) -> Named:
        return once(lambda _: instant)

    return [
        Subject(
            name=f"{prefix}-{number}",
            schedule={"kind": "at", "at": text(instant)},
            named=fixed(in_milliseconds(instant)),
        )
        for number, instant in enumerate(instants)
    ]


def _crons(middle: datetime) -> list[Subject]:
    cron = {"kind": "cron", "cron": "*/4 * * * * *", "timezone": "Europe/Berlin"}
    fives = {"kind": "cron", "cron": "*/5 * * * * *", "timezone": "America/St_Johns"}
    listed = {"kind": "cron", "cron": "3,17,41 * * * * *", "timezone": "Asia/Kathmandu"}
    fours = set(range(0, 60, 4))
    in_berlin, in_newfoundland = shown("Europe/Berlin", fours), shown("America/St_Johns", FIVES)
    return [
        Subject(name="cron-skip", schedule=cron, named=in_berlin, caught_up=0),
        Subject(name="cron-latest", schedule=fives, named=in_newfoundland, caught_up=1),
        Subject(name="cron-all", schedule=listed, named=shown("Asia/Kathmandu", {3, 17, 41})),
        Subject(
            name="cron-minutes",
            schedule={"kind": "cron", "cron": "* * * * *"},
            named=shown("UTC", {0}),
        ),
        Subject(
            name="cron-bounded",
            schedule=cron | {"ends_at": text(middle), "max_runs": 500},
            named=shown("Europe/Berlin", fours, end=middle, most=500),
            caught_up=2,
        ),
    ]


def _rates(later: datetime, middle: datetime) -> list[Subject]:
    bounds = {"starts_at": text(later), "ends_at": text(middle)}
    return [
        Subject(name="rate-skip", schedule=rate(3), named=every(3), caught_up=0),
        Subject(name="rate-latest", schedule=rate(4), named=every(4), caught_up=1),
        Subject(name="rate-all", schedule=rate(5), named=every(5), to_queue=True),
        Subject(name="rate-some", schedule=rate(2), named=every(2), caught_up=3),
        Subject(name="rate-window", schedule=rate(3), named=every(3), window_seconds=68),
        Subject(name="rate-late", schedule=rate(3), named=every(3), start_within_seconds=40),
        Subject(
            name="rate-bounded",
            schedule=rate(3) | bounds,
            named=every(3, start=later, end=middle),
        ),
        Subject(name="rate-seven", schedule=rate(3) | {"max_runs": 7}, named=every(3, most=7)),
        Subject(name="rate-paused", schedule=rate(3), named=every(3), is_paused=True),
    ]


def _spread_over_lanes(subjects: list[Subject]) -> list[Subject]:
    """Every priority and both precisions, in turn."""
    priorities = cycle(["critical", "high", "normal", "low"])
    precisions = cycle(["second", "subsecond", "second"])
    return [
        Subject(
            **(
                vars(subject)
                | {"settings": {"priority": next(priorities), "precision": next(precisions)}}
            )
        )
        for subject in subjects
    ]
