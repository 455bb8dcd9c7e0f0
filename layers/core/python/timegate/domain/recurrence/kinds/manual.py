"""Never by itself: triggers and other jobs start its runs."""

from collections.abc import Iterator
from datetime import datetime

from timegate.domain.recurrence.kinds.once import OnceKind
from timegate.domain.recurrence.schedule import Schedule


class ManualKind(OnceKind):
    """No instant, and no end."""

    def words(self, schedule: Schedule) -> Iterator[str]:  # noqa: ARG002 - all are alike
        """Say it."""
        yield "Only when it is triggered, or follows another job"

    def instant(self, schedule: Schedule, created_at: datetime) -> None:
        """It names none."""


KIND = ManualKind()
