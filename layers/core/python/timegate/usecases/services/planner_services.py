"""Scheduling: the stores and settings that every maker of runs works with."""

from datetime import timedelta
from typing import TYPE_CHECKING

from timegate.ports.clock import Clock
from timegate.ports.dispatch.messaging import Publisher
from timegate.ports.restrictions import RestrictionStore
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.ports.announced_plans import AnnouncedPlans


@dataclass(frozen=True, kw_only=True, slots=True)
class Scheduling:
    """Services that planner and API share: stores, publisher and look-ahead."""

    jobs: JobStore
    runs: RunStore
    restrictions: RestrictionStore
    calendars: CalendarsAtHand
    publisher: Publisher
    telemetry: Telemetry
    #: A message is delayed from the moment at which it is sent.
    clock: Clock
    look_ahead: timedelta
    #: How early a sub-second message arrives at its executor.
    lead_seconds: float
    #: The planner's own way for frequent jobs; ``None``: transactions store all plans.
    announced_plans: "AnnouncedPlans | None" = None
