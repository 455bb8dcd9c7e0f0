"""Services of the API."""

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.tenants.token_rules import TokenRules
from timegate.domain.values.errors import JobNotFound
from timegate.domain.values.identity import JobId, dag_of, key_of, own_job_id, parse_job_id
from timegate.domain.values.tenant import TenantId
from timegate.ports.blobs import BlobStore
from timegate.ports.clock import Clock
from timegate.ports.dag_runs import DagRunStore
from timegate.ports.dags import DagStore
from timegate.ports.events import EventStore
from timegate.ports.limits.quotas import UsageStore
from timegate.ports.limits.slots import SlotStore
from timegate.ports.operations.dead_letters import DeadLetterStore, FailureStore, ListedRunStore
from timegate.ports.operations.operation_store import OperationStore
from timegate.ports.pools import PoolStore
from timegate.ports.restrictions import RestrictionStore
from timegate.ports.runs.logs import LogStore
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.ports.tenants.audit_trail import AuditStore, Trail
from timegate.ports.tenants.tenant_store import TenantStore
from timegate.usecases.services.planner_services import Scheduling
from timegate.usecases.services.request_rates import RequestRates
from timegate.usecases.services.tenants_at_hand import TenantsAtHand
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.ports.archive import ArchiveReaders
    from timegate.ports.dispatch.regions import RegionGuard
    from timegate.ports.dispatch.stage_ticks import StageTicks
    from timegate.ports.event_triggers import EventTriggering
    from timegate.ports.metering import MeterStore
    from timegate.ports.operations.approvals import ApprovalStore
    from timegate.ports.rules import RuleStore
    from timegate.ports.telemetry.stage_metrics import StageMetrics
    from timegate.ports.tenants.api_key_store import KeyRing


class ChangeServices(Protocol):
    """Services that change jobs, of the API and of operations."""

    @property
    def scheduling(self) -> Scheduling:
        """Materialises what the next tick might miss."""

    @property
    def jobs(self) -> JobStore:
        """The definitions."""

    @property
    def telemetry(self) -> Telemetry:
        """One event per decision."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiServices:
    """Built once per process; stores and telemetry are those of ``scheduling``."""

    scheduling: Scheduling
    operations: OperationStore
    dead_letters: DeadLetterStore
    failures: FailureStore
    listed_runs: ListedRunStore
    dags: DagStore
    dag_runs: DagRunStore
    events: EventStore
    blobs: BlobStore
    logs: LogStore
    slots: SlotStore
    event_triggers: "EventTriggering"
    #: Which workers serve the pools in which runs wait.
    pools: PoolStore
    tenants: TenantStore
    #: Settings that judge requests: read up to ten seconds ago.
    tenants_at_hand: TenantsAtHand
    #: How much of its quotas a tenant uses.
    usage: UsageStore
    request_rates: RequestRates
    #: On whose behalf the stores write.
    trail: Trail
    audits: AuditStore
    #: Built when a request is about rules: others load nothing of them.
    rule_store: "Callable[[], RuleStore]"
    #: Credentials of programs; built at the first request that carries or administers one.
    keys_at_hand: "Callable[[], KeyRing]"
    #: Metrics of the stage as a whole, for its administration.
    stage_metrics: "StageMetrics"
    #: Progress of ticks in every shard, for the same.
    stage_ticks: "Callable[[], StageTicks]"
    #: Built when a request is about approvals of all DAG runs.
    approvals: "Callable[[], ApprovalStore]"
    #: Costs of runs, built when a request is about them.
    meter: "Callable[[], MeterStore]"
    #: Built when a request is about what has expired.
    archive: "Callable[[], ArchiveReaders]"
    clock: Clock
    #: The token claim that names the tenant.
    tenant_claim: str
    #: Beginning of the names of a token's scopes.
    scope_prefix: str
    #: Rules of the tokens that count.
    token_rules: TokenRules
    target_rules: TargetRules
    #: Fresh random bytes, for the id of a job created without an idempotency key.
    new_seed: Callable[[], bytes]
    #: How long records of what happened are kept at least.
    run_retention: timedelta
    #: ``None``: the stage has one region.
    region: "RegionGuard | None" = None

    def job_named(self, tenant: TenantId, text: str) -> JobId:
        """Return the job of an id, of a reference by key, which is read, or of a DAG's id.

        Raises ``JobNotFound`` for text that is neither, and for a key of no job.
        """
        dag_id = dag_of(text)
        if dag_id is not None:
            return own_job_id(tenant, dag_id)
        key = key_of(text)
        job_id = parse_job_id(text) if key is None else self.jobs.keyed_job(tenant, key)
        if job_id is None:
            raise JobNotFound(text)
        return job_id

    @property
    def jobs(self) -> JobStore:
        """The definitions."""
        return self.scheduling.jobs

    @property
    def runs(self) -> RunStore:
        """The store of runs."""
        return self.scheduling.runs

    @property
    def restrictions(self) -> RestrictionStore:
        """The tenants' calendars and freezes."""
        return self.scheduling.restrictions

    @property
    def rules(self) -> "RuleStore":
        """The tenants' notification rules."""
        return self.rule_store()

    @property
    def telemetry(self) -> Telemetry:
        """One event per decision."""
        return self.scheduling.telemetry
