"""Wiring of what creates runs."""

from timegate.adapters.dynamo.jobs.job_store import DynamoJobStore
from timegate.adapters.dynamo.restrictions.restriction_store import DynamoRestrictionStore
from timegate.adapters.system_clock import SystemClock
from timegate.runtime import clients
from timegate.runtime.settings import PlanningSettings
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring import lost_until
from timegate.runtime.wiring.parts.records import StoreMaker
from timegate.runtime.wiring.parts.run_queues import publisher
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand
from timegate.usecases.services.planner_services import Scheduling


def scheduling(
    settings: PlanningSettings, records: StoreMaker, telemetry: LambdaTelemetry
) -> Scheduling:
    """Build the services that create runs, in shards of the records' spread."""
    restrictions = records.plain(DynamoRestrictionStore)
    return Scheduling(
        jobs=records.sharded_jobs(DynamoJobStore),
        runs=records.runs(),
        restrictions=restrictions,
        calendars=CalendarsAtHand(restrictions, telemetry, lost_until=lost_until),
        publisher=publisher(clients.sqs(), settings.queue_urls, telemetry),
        telemetry=telemetry,
        clock=SystemClock(),
        look_ahead=settings.look_ahead,
        lead_seconds=settings.hold_lead_seconds,
    )
