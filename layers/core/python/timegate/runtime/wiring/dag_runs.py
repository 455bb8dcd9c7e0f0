"""Wiring of the steps of executions."""

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


@dataclass(frozen=True, kw_only=True, slots=True)
class DagServices:
    """Services of the steps of executions."""

    works: DagWorks
    #: May they start runs by events.
    tenants: TenantsAtHand
    telemetry: LambdaTelemetry


def dag_services() -> DagServices:
    """Build the steps; raises ``MissingSetting``."""
    settings, telemetry = DagSettings.read(environment()), LambdaTelemetry()
    records = StoreMaker.obedient(settings.tables, dynamo_engine())
    return DagServices(
        works=dag_works(settings, records, telemetry),
        tenants=TenantsAtHand(records.plain(DynamoTenantStore), settings.tables.stage_quotas),
        telemetry=telemetry,
    )
