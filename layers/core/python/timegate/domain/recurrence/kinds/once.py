"""Ground of the kinds that name one instant, or none."""

from abc import abstractmethod
from collections.abc import Iterator
from datetime import datetime

from timegate.domain.recurrence.kinds.kind import (
    InstantSeries,
    Kind,
    MinuteCount,
    minute_number,
)
from timegate.domain.recurrence.schedule import Schedule


class OnceKind(Kind):
    """A kind that runs once."""

    @abstractmethod
    def instant(self, schedule: Schedule, created_at: datetime) -> datetime | None:
        """Find its instant; ``None``: it has none."""

    def fires(
        self, schedule: Schedule, created_at: datetime, after: datetime
    ) -> Iterator[datetime]:
        """Yield its instant, where it is later."""
        instant = self.instant(schedule, created_at)
        if instant is not None and instant > after:
            yield instant

    def span(
        self,
        schedule: Schedule,  # noqa: ARG002 - it has been found
        created_at: datetime,  # noqa: ARG002
        within: tuple[datetime, datetime],
        at_most: int | None,  # noqa: ARG002
    ) -> InstantSeries:
        """Its instant is all of them."""
        opening, _ = within
        return InstantSeries(first=opening, last=opening, count=1)

    def minutes(
        self,
        schedule: Schedule,  # noqa: ARG002 - it has been found
        created_at: datetime,  # noqa: ARG002
        within: tuple[datetime, datetime],
    ) -> Iterator[MinuteCount]:
        """Yield its minute."""
        opening, _ = within
        yield minute_number(opening), 1
