"""Settings: one frozen dataclass per function, read once, failing by the missing name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Self

from timegate.domain.limits.quotas import Quotas
from timegate.domain.tenants.people import PeopleRules
from timegate.domain.tenants.token_rules import TokenRules
from timegate.runtime.variables import Environment


@dataclass(frozen=True, kw_only=True, slots=True)
class Tables:
    """Tables of jobs and runs, with shards and retention."""

    jobs: str
    runs: str
    shards: int
    run_retention_days: int
    #: Quotas of tenants without their own, for claims of runs.
    stage_quotas: Quotas = field(default_factory=Quotas)

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(
            stage_quotas=env.quotas("STAGE_QUOTAS", unset="{}"),
            jobs=env.text("JOBS_TABLE"),
            runs=env.text("RUNS_TABLE"),
            shards=env.number("SHARDS"),
            run_retention_days=env.number("RUN_RETENTION_DAYS"),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Targets:
    """Targets that jobs may invoke."""

    #: ARN patterns by kinds of actions; ``*`` matches anything.
    allowed: Mapping[str, tuple[str, ...]]
    #: ARNs of secrets and parameters; ``{tenant}`` stands for whose job it is.
    secrets: tuple[str, ...]
    #: Host names a webhook may reach although they resolve to private addresses.
    private_hosts: tuple[str, ...]
    #: Ports a webhook may reach: ``443``, ``8000-8999``.
    ports: tuple[str, ...]

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(
            allowed=env.lists("ALLOWED_TARGETS"),
            secrets=env.texts("ALLOWED_SECRETS"),
            private_hosts=env.texts("ALLOWED_PRIVATE_HOSTS"),
            ports=env.texts("ALLOWED_PORTS"),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanningSettings:
    """Planner, API and operator: they create runs."""

    tables: Tables
    queue_urls: Mapping[str, str]
    look_ahead: timedelta
    hold_lead_seconds: float

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(
            tables=Tables.read(env),
            queue_urls=env.queue_urls(),
            look_ahead=env.seconds("LOOK_AHEAD_SECONDS"),
            hold_lead_seconds=env.seconds("HOLD_LEAD_SECONDS").total_seconds(),
        )


def _token_rules(env: Environment) -> TokenRules:
    """Unset, both would refuse every caller; an issuer that is missing is said at once."""
    audience = env.words("TOKEN_AUDIENCE")
    return TokenRules(
        issuer=env.text("TOKEN_ISSUER"),
        audience=frozenset(audience),
        people=PeopleRules.of(
            env.mapping("PEOPLE"), audience, tenant_claim=env.text("TENANT_CLAIM")
        ),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class ApiSettings:
    """The API."""

    planning: PlanningSettings
    blob_bucket: str
    tenant_claim: str
    scope_prefix: str
    token_rules: TokenRules
    stage_quotas: Quotas
    audit_retention: timedelta
    targets: Targets
    #: Reads secrets of web hooks for one tenant at a time, and nothing else.
    hook_secrets_role_arn: str

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(
            planning=PlanningSettings.read(env),
            blob_bucket=env.text("BLOB_BUCKET"),
            tenant_claim=env.text("TENANT_CLAIM"),
            scope_prefix=env.text("SCOPE_PREFIX"),
            token_rules=_token_rules(env),
            stage_quotas=env.quotas("STAGE_QUOTAS"),
            audit_retention=env.days("AUDIT_RETENTION_DAYS"),
            targets=Targets.read(env),
            hook_secrets_role_arn=env.text("HOOK_SECRETS_ROLE_ARN"),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkerSettings:
    """The function of workers."""

    tables: Tables
    blob_bucket: str
    tenant_claim: str
    scope_prefix: str
    token_rules: TokenRules
    lease_length: timedelta

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(
            tables=Tables.read(env),
            blob_bucket=env.text("BLOB_BUCKET"),
            tenant_claim=env.text("TENANT_CLAIM"),
            scope_prefix=env.text("SCOPE_PREFIX"),
            token_rules=_token_rules(env),
            lease_length=env.seconds("WORKER_LEASE_SECONDS"),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class RelaySettings:
    """The relay: queues and nothing else."""

    queue_urls: Mapping[str, str]
    hold_lead_seconds: float
    rejected_queue_url: str

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(
            queue_urls=env.queue_urls(),
            hold_lead_seconds=env.seconds("HOLD_LEAD_SECONDS").total_seconds(),
            rejected_queue_url=env.text("REJECTED_QUEUE_URL"),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ExecutorSettings:
    """One executor: one queue."""

    tables: Tables
    blob_bucket: str
    queue_key: str
    queue_url: str
    visibility: timedelta
    lease_length: timedelta
    #: Where targets say how it goes that work on by themselves.
    api_url: str
    #: Where people read of runs; empty: the stage has no console.
    console_url: str
    targets: Targets
    #: Sessions of it, one for each tenant, have the rights on the tenant's targets.
    targets_role_arn: str

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(
            tables=Tables.read(env),
            blob_bucket=env.text("BLOB_BUCKET"),
            queue_key=env.text("QUEUE_KEY"),
            queue_url=env.text("QUEUE_URL"),
            visibility=env.seconds("QUEUE_VISIBILITY_SECONDS"),
            lease_length=env.seconds("LEASE_SECONDS"),
            api_url=env.url("API_URL"),
            console_url=env.optional("CONSOLE_URL"),
            targets=Targets.read(env),
            targets_role_arn=env.text("TARGETS_ROLE_ARN"),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class SweeperSettings:
    """The sweeper."""

    tables: Tables
    queue_urls: Mapping[str, str]
    looks_queue_url: str

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(
            tables=Tables.read(env),
            queue_urls=env.queue_urls(),
            looks_queue_url=env.text("LOOKS_QUEUE_URL"),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditorSettings:
    """The auditor."""

    tables: Tables
    #: Empty: it calls no address after its ticks.
    heartbeat_url: str

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(tables=Tables.read(env), heartbeat_url=env.optional("HEARTBEAT_URL"))


@dataclass(frozen=True, kw_only=True, slots=True)
class DagSettings:
    """Settings of functions that move DAG runs on."""

    tables: Tables
    blob_bucket: str
    state_machine_arn: str

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(
            tables=Tables.read(env),
            blob_bucket=env.text("BLOB_BUCKET"),
            state_machine_arn=env.text("DAG_MACHINE_ARN"),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class OutcomesSettings:
    """Settings of ``outcomes``, which also plans jobs and pauses failing ones."""

    dags: DagSettings
    planning: PlanningSettings
    audit_retention: timedelta
    rejected_queue_url: str

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(
            dags=DagSettings.read(env),
            planning=PlanningSettings.read(env),
            audit_retention=env.days("AUDIT_RETENTION_DAYS"),
            rejected_queue_url=env.text("REJECTED_QUEUE_URL"),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class OperationsSettings:
    """Settings of ``operations``, which changes jobs and creates runs."""

    planning: PlanningSettings
    audit_retention: timedelta
    rejected_queue_url: str

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(
            planning=PlanningSettings.read(env),
            audit_retention=env.days("AUDIT_RETENTION_DAYS"),
            rejected_queue_url=env.text("REJECTED_QUEUE_URL"),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class DeadLetterSettings:
    """The handler of the dead-letter queues."""

    tables: Tables
    rejected_queue_url: str

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment."""
        return cls(tables=Tables.read(env), rejected_queue_url=env.text("REJECTED_QUEUE_URL"))
