"""Peaks that a stage is ready for: warm tables, and event sources that do not begin from few."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from infra.stage.given.lists import listed

#: A poller holds so many invocations; an event source has 2 to 200 of them at rest (Lambda, API
#: model of 2026).
POLLER_INVOCATIONS = 10
LEAST_POLLERS = 2
MOST_POLLERS = 200
#: A table on demand serves so many writes a second from its first moment (on-demand capacity
#: mode); the default quota of a table is the largest value that AWS takes without being asked.
INITIAL_WRITES = 4_000
#: Reads that a table is warm for beside its writes: as many for each as a new table has.
_READS_A_WRITE = 3


class PeakError(ValueError):
    """The context says of peaks what no stage can have."""


@dataclass(frozen=True, kw_only=True)
class PeakChoice:
    """Peaks of a stage; without a choice AWS's tables and event sources grow with the load."""

    #: Write units a second that both tables, and their indexes of every run, serve at once.
    warm_writes: int | None = None
    #: Provisioned pollers at rest, by queue (``normal-short``).
    pollers: Mapping[str, int] = field(default_factory=dict)

    @property
    def warm_reads(self) -> int | None:
        """Read units a second beside ``warm_writes``."""
        return self.warm_writes * _READS_A_WRITE if self.warm_writes else None


def peak_choice(context: Callable[[str], object], lanes: Mapping[str, int]) -> PeakChoice:
    """Read ``warmWrites`` and ``pollers`` (``normal-short=50,critical-short=20``).

    ``lanes``: most batches at once, by queue. Raises ``PeakError``.
    """
    return PeakChoice(
        warm_writes=_warm_writes(context("warmWrites")), pollers=_pollers(context("pollers"), lanes)
    )


def most_pollers(batches: int) -> int:
    """Return the pollers with which an event source invokes no more batches than its lane has."""
    return batches // POLLER_INVOCATIONS


def _warm_writes(value: object) -> int | None:
    if value in (None, ""):
        return None
    text = str(value)
    if not text.isdecimal() or int(text) < INITIAL_WRITES:
        raise PeakError(
            f"warmWrites: {text!r} is no number of write units a second from"
            f" {INITIAL_WRITES:,} on, which every new table has"
        )
    return int(text)


def _pollers(value: object, lanes: Mapping[str, int]) -> dict[str, int]:
    return dict(_poller(part, lanes) for part in listed(value))


def _poller(part: str, lanes: Mapping[str, int]) -> tuple[str, int]:
    queue, _, text = part.partition("=")
    if queue not in lanes:
        raise PeakError(f"pollers: {queue!r} is none of {', '.join(lanes)}")
    most = min(most_pollers(lanes[queue]), MOST_POLLERS)
    if most < LEAST_POLLERS:
        batches = LEAST_POLLERS * POLLER_INVOCATIONS
        raise PeakError(
            f"pollers: {queue} has {lanes[queue]} batches at once, and {LEAST_POLLERS} pollers"
            f" hold {batches}: choose a larger capacity"
        )
    if not text.isdecimal() or not LEAST_POLLERS <= int(text) <= most:
        raise PeakError(
            f"pollers: {part!r}: {queue} has {LEAST_POLLERS} to {most} pollers at rest, each of"
            f" {POLLER_INVOCATIONS} batches; the lane has {lanes[queue]}"
        )
    return queue, int(text)
