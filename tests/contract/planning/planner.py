"""A planner over the stores of a contract test."""

from datetime import timedelta

from tests.support.factories import NOW
from tests.support.stores.contract_stores import Stores
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.memory.publisher import MemoryPublisher
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand
from timegate.usecases.services.planner_services import Scheduling


def scheduling_of(stores: Stores, *, look_ahead: timedelta = timedelta(minutes=10)) -> Scheduling:
    """Return the planner's services over these stores."""
    telemetry = MemoryTelemetry()
    return Scheduling(
        jobs=stores.jobs,
        runs=stores.runs,
        restrictions=stores.restrictions,
        calendars=CalendarsAtHand(stores.restrictions, telemetry),
        publisher=MemoryPublisher(),
        telemetry=telemetry,
        clock=MemoryClock(NOW),
        look_ahead=look_ahead,
        lead_seconds=1.0,
        announced_plans=stores.announced_plans,
    )
