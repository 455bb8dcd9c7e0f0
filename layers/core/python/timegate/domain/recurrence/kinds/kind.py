"""Questions that each kind of schedule answers for itself."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import ClassVar, NamedTuple, Protocol

from timegate.domain.recurrence.schedule import Schedule
from timegate.value_classes import dataclass

#: Fields of each kind that recurs: the bounds of its fires, and their spread.
BOUNDS = ("starts_at", "ends_at", "max_runs", "jitter_seconds")

#: A minute, counted from 1970, and how many instants lie in it. A minute may come in parts.
MinuteCount = tuple[int, int]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)
MINUTE_SECONDS = 60


def minute_number(instant: datetime) -> int:
    """The minute of an instant, counted from 1970."""
    return (instant - EPOCH) // SECOND // MINUTE_SECONDS


@dataclass(frozen=True, kw_only=True, slots=True)
class InstantSeries:
    """Instants of a schedule that follow one another; there is at least one."""

    first: datetime
    last: datetime
    count: int


class TextRefusal(NamedTuple):
    """A refusal of a kind's own text, for the catalogue of errors."""

    code: str
    meaning: str


class MemberDays(Protocol):
    """The instants of a union's member."""

    def on_day(self, day: int) -> int:
        """The seconds of a day in UTC on which it runs, as bits."""


class Kind(ABC):
    """Rules of one kind. Each method takes a schedule of the kind."""

    #: Fields that the kind uses, in the order of the API; the first one is required.
    fields: ClassVar[tuple[str, ...]] = ()
    #: The refusal of its text; ``None``: it has no text of its own.
    malformed: ClassVar[TextRefusal | None] = None
    #: Its instants are counted by walking through them.
    is_walked: ClassVar[bool] = False

    @property
    def required(self) -> str | None:
        """The field without which the kind says nothing; ``None`` where it has none."""
        return next((name for name in self.fields if name not in BOUNDS), None)

    def written(self, schedule: Schedule) -> Schedule:
        """Rewrite a schedule as it is stored: equal schedules become alike.

        Raises ``InvalidInput`` for another kind's spelling that cannot be read.
        """
        return schedule

    def check(self, schedule: Schedule, now: datetime) -> None:  # noqa: B027 - some take any
        """Refuse a schedule that contradicts itself; raises ``InvalidInput`` naming the field."""

    @abstractmethod
    def words(self, schedule: Schedule) -> Iterator[str]:
        """Say its instants to people, without its bounds."""

    @abstractmethod
    def fires(
        self, schedule: Schedule, created_at: datetime, after: datetime
    ) -> Iterator[datetime]:
        """Yield its instants later than ``after``, strictly increasing; ``ends_at`` aside."""

    @abstractmethod
    def span(
        self,
        schedule: Schedule,
        created_at: datetime,
        within: tuple[datetime, datetime],
        at_most: int | None,
    ) -> InstantSeries:
        """Measure its instants, or the last ``at_most``, in bounded time.

        ``within``: the first of them, and the instant up to which they are taken.
        """

    @abstractmethod
    def minutes(
        self, schedule: Schedule, created_at: datetime, within: tuple[datetime, datetime]
    ) -> Iterator[MinuteCount]:
        """Yield the minutes that have instants, within the same two."""


class MemberKind(Kind):
    """A kind that may be a member of a union."""

    @abstractmethod
    def names_all_of(self, wide: Schedule, narrow: Schedule) -> bool:
        """Tell if ``wide`` names each instant of ``narrow``, as far as that can be told."""

    @abstractmethod
    def days(self, schedule: Schedule, created_at: datetime) -> tuple[int, MemberDays]:
        """Give its days, and the milliseconds by which its instants miss whole seconds."""
