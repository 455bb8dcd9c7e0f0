"""Wiring of the steps of executions."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.tenants.tenant_store import DynamoTenantStore
from timegate.runtime.environment import environment
from timegate.runtime.settings import DagSettings
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring.parts.dag_works import dag_works
from timegate.runtime.wiring.parts.dynamo_engine import dynamo_engine
from timegate.runtime.wiring.parts.records import StoreMaker
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.services.tenants_at_hand import TenantsAtHand
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.ports.dispatch.messaging import Rejects

#: An entry of EventBridge has 256 KB at most. SQS refuses one that its reason makes larger: it is
#: kept as one on which the function failed.
MOST_OF_AN_EVENT = 256 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class DagServices:
    """Services of the steps of executions."""

    works: DagWorks
    #: May they start runs by events.
    tenants: TenantsAtHand
    telemetry: LambdaTelemetry
    #: Builds the queue of events that their tenants' standing refused; ``None``: there is none.
    refused: "Callable[[], Rejects] | None" = None


def dag_services() -> DagServices:
    """Build the steps; raises ``MissingSetting``."""
    settings, telemetry = DagSettings.read(environment()), LambdaTelemetry()
    records = StoreMaker.obedient(settings.tables, dynamo_engine())
    return DagServices(
        works=dag_works(settings, records, telemetry),
        tenants=TenantsAtHand(records.plain(DynamoTenantStore), settings.tables.stage_quotas),
        telemetry=telemetry,
        refused=partial(_refused, url) if (url := settings.refused_events_url) else None,
    )


def _refused(queue_url: str) -> "Rejects":
    # Imported here: few stages have rules, and fewer events are refused.
    from timegate.adapters.sqs.rejects import SqsRejects  # noqa: PLC0415
    from timegate.runtime import clients  # noqa: PLC0415

    return SqsRejects(clients.sqs(), queue_url, most_characters=MOST_OF_AN_EVENT)
