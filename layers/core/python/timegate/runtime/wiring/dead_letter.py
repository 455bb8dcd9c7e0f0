"""Wiring of the dead-letter handler."""

from timegate.adapters.dynamo.runs.run_store import DynamoRunStore
from timegate.adapters.sqs.rejects import SqsRejects
from timegate.adapters.system_clock import SystemClock
from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.settings import DeadLetterSettings
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring.parts.dynamo_engine import dynamo_engine
from timegate.runtime.wiring.parts.records import StoreMaker
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class DeadLetterServices:
    """Services of the dead-letter function."""

    runs: DynamoRunStore
    rejects: SqsRejects
    clock: SystemClock
    telemetry: LambdaTelemetry


def dead_letter_services() -> DeadLetterServices:
    """Build the dead-letter handler; raises ``MissingSetting``."""
    settings = DeadLetterSettings.read(environment())
    return DeadLetterServices(
        runs=StoreMaker.obedient(settings.tables, dynamo_engine()).runs(),
        rejects=SqsRejects(clients.sqs(), settings.rejected_queue_url),
        clock=SystemClock(),
        telemetry=LambdaTelemetry(),
    )
