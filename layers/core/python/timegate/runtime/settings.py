"""Settings: one frozen dataclass per function, read once, failing by the missing name."""

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from timegate.domain.limits.quotas import Quotas
from timegate.runtime.variables import Environment, Settings, setting
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.domain.tenants.token_rules import TokenRules


@dataclass(frozen=True, kw_only=True, slots=True)
class Tables(Settings):
    """Tables of jobs and runs, with shards and retention."""

    jobs: str = setting(Environment.text, "JOBS_TABLE")
    runs: str = setting(Environment.text, "RUNS_TABLE")
    shards: int = setting(Environment.number, "SHARDS")
    run_retention_days: int = setting(Environment.number, "RUN_RETENTION_DAYS")
    #: Quotas of tenants without their own, for claims of runs.
    stage_quotas: Quotas = setting(Environment.quotas, "STAGE_QUOTAS", unset="{}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Targets(Settings):
    """Targets that jobs may invoke."""

    #: ARN patterns by kinds of actions; ``*`` matches anything.
    allowed: Mapping[str, tuple[str, ...]] = setting(Environment.lists, "ALLOWED_TARGETS")
    #: ARNs of secrets and parameters; ``{tenant}`` stands for whose job it is.
    secrets: tuple[str, ...] = setting(Environment.texts, "ALLOWED_SECRETS")
    #: Host names a webhook may reach although they resolve to private addresses.
    private_hosts: tuple[str, ...] = setting(Environment.texts, "ALLOWED_PRIVATE_HOSTS")
    #: Ports a webhook may reach: ``443``, ``8000-8999``.
    ports: tuple[str, ...] = setting(Environment.texts, "ALLOWED_PORTS")
    #: Lambda says so where the function is; clients of no other region go there.
    own_region: str = setting(Environment.text, "AWS_DEFAULT_REGION")
    #: Further regions that jobs may call.
    regions: tuple[str, ...] = setting(Environment.words, "TARGET_REGIONS")


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanningSettings(Settings):
    """Planner, API and operator: they create runs."""

    tables: Tables = setting(Tables.read)
    queue_urls: Mapping[str, str] = setting(Environment.queue_urls)
    look_ahead: timedelta = setting(Environment.seconds, "LOOK_AHEAD_SECONDS")
    hold_lead_seconds: float = setting(Environment.number_of_seconds, "HOLD_LEAD_SECONDS")


def _token_rules(env: Environment) -> "TokenRules":
    """Unset, both would refuse every caller; an issuer that is missing is said at once."""
    # Functions that read tokens alone.
    from timegate.domain.tenants.people import PeopleRules  # noqa: PLC0415
    from timegate.domain.tenants.token_rules import TokenRules  # noqa: PLC0415

    audience = env.words("TOKEN_AUDIENCE")
    return TokenRules(
        issuer=env.text("TOKEN_ISSUER"),
        audience=frozenset(audience),
        people=PeopleRules.of(
            env.mapping("PEOPLE"), audience, tenant_claim=env.text("TENANT_CLAIM")
        ),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiSettings(Settings):
    """The API."""

    planning: PlanningSettings = setting(PlanningSettings.read)
    blob_bucket: str = setting(Environment.text, "BLOB_BUCKET")
    tenant_claim: str = setting(Environment.text, "TENANT_CLAIM")
    scope_prefix: str = setting(Environment.text, "SCOPE_PREFIX")
    token_rules: "TokenRules" = setting(_token_rules)
    stage_quotas: Quotas = setting(Environment.quotas, "STAGE_QUOTAS")
    audit_retention: timedelta = setting(Environment.days, "AUDIT_RETENTION_DAYS")
    targets: Targets = setting(Targets.read)
    #: Reads secrets of web hooks for one tenant at a time, and nothing else.
    hook_secrets_role_arn: str = setting(Environment.text, "HOOK_SECRETS_ROLE_ARN")


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkerSettings(Settings):
    """The function of workers."""

    tables: Tables = setting(Tables.read)
    blob_bucket: str = setting(Environment.text, "BLOB_BUCKET")
    tenant_claim: str = setting(Environment.text, "TENANT_CLAIM")
    scope_prefix: str = setting(Environment.text, "SCOPE_PREFIX")
    token_rules: "TokenRules" = setting(_token_rules)
    lease_length: timedelta = setting(Environment.seconds, "WORKER_LEASE_SECONDS")


@dataclass(frozen=True, kw_only=True, slots=True)
class RelaySettings(Settings):
    """The relay: queues and nothing else."""

    queue_urls: Mapping[str, str] = setting(Environment.queue_urls)
    hold_lead_seconds: float = setting(Environment.number_of_seconds, "HOLD_LEAD_SECONDS")
    rejected_queue_url: str = setting(Environment.text, "REJECTED_QUEUE_URL")


@dataclass(frozen=True, kw_only=True, slots=True)
class ExecutorSettings(Settings):
    """One executor: one queue."""

    tables: Tables = setting(Tables.read)
    blob_bucket: str = setting(Environment.text, "BLOB_BUCKET")
    queue_key: str = setting(Environment.text, "QUEUE_KEY")
    queue_url: str = setting(Environment.text, "QUEUE_URL")
    runs_at_once: int = setting(Environment.number, "RUNS_AT_ONCE")
    visibility: timedelta = setting(Environment.seconds, "QUEUE_VISIBILITY_SECONDS")
    lease_length: timedelta = setting(Environment.seconds, "LEASE_SECONDS")
    #: Where targets say how it goes that work on by themselves.
    api_url: str = setting(Environment.url, "API_URL")
    #: Where people read of runs; empty: the stage has no console.
    console_url: str = setting(Environment.optional, "CONSOLE_URL")
    targets: Targets = setting(Targets.read)
    #: Sessions of it, one for each tenant, have the rights on the tenant's targets.
    targets_role_arn: str = setting(Environment.text, "TARGETS_ROLE_ARN")


@dataclass(frozen=True, kw_only=True, slots=True)
class SweeperSettings(Settings):
    """The sweeper."""

    tables: Tables = setting(Tables.read)
    queue_urls: Mapping[str, str] = setting(Environment.queue_urls)
    looks_queue_url: str = setting(Environment.text, "LOOKS_QUEUE_URL")


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditorSettings(Settings):
    """The auditor."""

    tables: Tables = setting(Tables.read)
    #: Empty: it calls no address after its ticks.
    heartbeat_url: str = setting(Environment.optional, "HEARTBEAT_URL")


@dataclass(frozen=True, kw_only=True, slots=True)
class DagSettings(Settings):
    """Settings of functions that move DAG runs on."""

    tables: Tables = setting(Tables.read)
    blob_bucket: str = setting(Environment.text, "BLOB_BUCKET")
    state_machine_arn: str = setting(Environment.text, "DAG_MACHINE_ARN")
    #: Empty: no rule starts runs of DAGs.
    refused_events_url: str = setting(Environment.optional, "REFUSED_EVENTS_QUEUE_URL")


@dataclass(frozen=True, kw_only=True, slots=True)
class OutcomesSettings(Settings):
    """Settings of ``outcomes``, which also plans jobs and pauses failing ones."""

    dags: DagSettings = setting(DagSettings.read)
    planning: PlanningSettings = setting(PlanningSettings.read)
    audit_retention: timedelta = setting(Environment.days, "AUDIT_RETENTION_DAYS")
    rejected_queue_url: str = setting(Environment.text, "REJECTED_QUEUE_URL")


@dataclass(frozen=True, kw_only=True, slots=True)
class OperationsSettings(Settings):
    """Settings of ``operations``, which changes jobs and creates runs."""

    planning: PlanningSettings = setting(PlanningSettings.read)
    audit_retention: timedelta = setting(Environment.days, "AUDIT_RETENTION_DAYS")
    rejected_queue_url: str = setting(Environment.text, "REJECTED_QUEUE_URL")


@dataclass(frozen=True, kw_only=True, slots=True)
class DeadLetterSettings(Settings):
    """The handler of the dead-letter queues."""

    tables: Tables = setting(Tables.read)
    rejected_queue_url: str = setting(Environment.text, "REJECTED_QUEUE_URL")
