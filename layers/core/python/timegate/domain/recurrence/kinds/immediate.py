"""Once, at creation."""

from collections.abc import Iterator
from datetime import datetime

from timegate.domain.recurrence.kinds.once import OnceKind
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.values.instants import to_milliseconds


class ImmediateKind(OnceKind):
    """The instant of its creation."""

    def words(self, schedule: Schedule) -> Iterator[str]:  # noqa: ARG002 - all are alike
        """Say it."""
        yield "Once, at creation"

    def instant(self, schedule: Schedule, created_at: datetime) -> datetime:  # noqa: ARG002
        """It is created then."""
        return to_milliseconds(created_at)


KIND = ImmediateKind()
