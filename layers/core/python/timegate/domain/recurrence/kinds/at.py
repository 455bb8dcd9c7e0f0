"""Once, at a timestamp."""

from collections.abc import Iterator
from datetime import datetime

from timegate.domain.recurrence.kinds.once import OnceKind
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.words import instant_in_words
from timegate.domain.values.errors import InvalidInput


class AtKind(OnceKind):
    """An instant."""

    fields = ("at",)

    def check(self, schedule: Schedule, now: datetime) -> None:
        """Refuse one that has passed: there is no grace."""
        if schedule.at is not None and schedule.at < now:
            raise InvalidInput("schedule.at", "in_the_past", "It has already passed.")

    def words(self, schedule: Schedule) -> Iterator[str]:
        """Say it."""
        yield f"Once, at {instant_in_words(schedule.at)}"

    def instant(self, schedule: Schedule, created_at: datetime) -> datetime | None:  # noqa: ARG002
        """It is written down."""
        return schedule.at


KIND = AtKind()
