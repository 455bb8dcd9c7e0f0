"""Slices: the stretches in which a run works that is longer than one worker lives."""

from datetime import datetime

from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

#: A week.
MAX_DURATION_SECONDS = 7 * 86_400
MAX_SLICES = 10_000
#: Between two slices: a day.
MAX_DELAY_SECONDS = 86_400
#: A run that orders to go on and on, and gets nowhere, ends some time.
DEFAULT_SLICES = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class LongRun:
    """Allowance of runs that go on in slices; ``timeout_seconds`` bounds each slice."""

    #: From the first start to the last, waits and retries included.
    max_duration_seconds: int
    max_slices: int = DEFAULT_SLICES


#: Bounds of runs that follow their target's work: ``timeout_seconds`` bounds that work, and nothing
#: else the number of looks.
FOLLOWING = LongRun(max_duration_seconds=10 * 365 * 86_400, max_slices=1_000_000_000)


@dataclass(frozen=True, kw_only=True, slots=True)
class Slice:
    """One stretch of work that ended with the order to go on."""

    started_at: datetime
    ended_at: datetime
    #: Fence of the lease it was done under.
    fence: int
    #: Names of the slots that went with the lease, and are kept until the next slice.
    slots: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Slices:
    """Progress of a long run over all attempts since it was opened."""

    #: So many ended with the order to go on: the one that is due, or at work, is the next.
    ended: int = 0
    #: When the first of them was claimed, of a job with long runs: its duration counts from here.
    begun_at: datetime | None = None
    last: Slice | None = None


NO_SLICES = Slices()


@dataclass(frozen=True, kw_only=True, slots=True)
class Continuation:
    """A target's order to go on: checkpoint and delay."""

    #: JSON text; ``None``: at the last checkpoint there is.
    checkpoint: str | None = None
    delay_seconds: float = 0.0
    percent: float | None = None
    message: str | None = None

    @property
    def has_progress(self) -> bool:
        """It says how far it is."""
        return self.percent is not None or bool(self.message)


def check_long_run(long_run: LongRun, *, timeout_seconds: int) -> None:
    """Refuse a run that is shorter than a slice; raises ``InvalidInput`` naming the field."""
    if long_run.max_duration_seconds < timeout_seconds:
        detail = f"One slice may take {timeout_seconds} s already (timeout_seconds)."
        raise InvalidInput("long_run.max_duration_seconds", "too_small", detail)
