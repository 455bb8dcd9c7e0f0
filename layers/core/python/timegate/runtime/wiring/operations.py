"""Wiring of the operations function."""

from collections.abc import Sequence
from functools import partial

from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.adapters.dynamo.operations.dead_letter_store import DynamoDeadLetterStore
from timegate.adapters.dynamo.operations.operation_store import DynamoOperationStore
from timegate.adapters.dynamo.runs.failure_store import DynamoFailureStore
from timegate.adapters.sqs.rejects import SqsRejects
from timegate.adapters.system_clock import SystemClock
from timegate.domain.values.identity import AbsenceRef
from timegate.domain.values.tenant import TenantId
from timegate.ports.tenants.audit_trail import Trail
from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.settings import OperationsSettings
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring.parts.dynamo_engine import dynamo_engine
from timegate.runtime.wiring.parts.records import StoreMaker
from timegate.runtime.wiring.parts.scheduling import scheduling
from timegate.usecases.operations.do_work import Looks
from timegate.usecases.services.operations_services import Operating
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class OperationsServices:
    """Services of the operations function."""

    operating: Operating
    look: Looks
    rejects: SqsRejects
    telemetry: LambdaTelemetry


def operations_services() -> OperationsServices:
    """Build the operations function; raises ``MissingSetting``."""
    settings = OperationsSettings.read(environment())
    telemetry, engine, tables = LambdaTelemetry(), dynamo_engine(), settings.planning.tables
    trail = Trail(retention=settings.audit_retention)
    records = StoreMaker.opening(tables, engine, trail)
    operating = Operating(
        scheduling=scheduling(settings.planning, records, telemetry),
        operations=StoreMaker.obedient(tables, engine).plain(DynamoOperationStore),
        dead_letters=StoreMaker.obedient(tables, engine, trail).sharded_runs(DynamoDeadLetterStore),
        failures=DynamoFailureStore(engine, table=tables.runs),
        slots=DynamoSlotStore(engine, table=tables.jobs),
        trail=trail,
        clock=SystemClock(),
    )
    return OperationsServices(
        operating=operating,
        look=partial(_look, operating, records),
        rejects=SqsRejects(clients.sqs(), settings.rejected_queue_url),
        telemetry=telemetry,
    )


def _look(
    operating: Operating, records: StoreMaker, watches: Sequence[TenantId | AbsenceRef]
) -> list[bool]:
    """Make looks; what that needs is loaded with the first watch that is due."""
    from timegate.runtime.wiring.parts.rule_looks import looking  # noqa: PLC0415
    from timegate.usecases.rules.make_looks import make_looks  # noqa: PLC0415

    return make_looks(watches, looking(operating, records))
