"""A region that took over, on tables with what arrived from the one before."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from tests.support.factories import NOW
from tests.support.world import World
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand
from timegate.usecases.services.execution_services import Execution
from timegate.usecases.sweeping.sweeper_services import Sweeping


@dataclass
class TookOver(World):
    """A world whose sweeper and executors know when the region before ended."""

    lost_until: datetime = NOW

    @property
    def sweeping(self) -> Sweeping:
        """Build the sweeper's services."""
        return replace(super().sweeping, lost_until=lambda: self.lost_until)

    def execution(self, *, owner: str = "worker-1", **changes: Any) -> Execution:  # noqa: ANN401
        """One invocation of an executor."""
        calendars = CalendarsAtHand(
            self.restrictions, self.telemetry, lost_until=lambda: self.lost_until
        )
        return replace(super().execution(owner=owner, **changes), calendars=calendars)
