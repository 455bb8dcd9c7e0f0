"""Entries of the audit trail that join the transaction of a change."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.audit_trail.audit_items import entry_to_fields
from timegate.adapters.dynamo.tables.writes import Put
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt
from timegate.domain.tenants.audit_trail import (
    AuditEntry,
    ResourceKind,
    told_of_api_key,
    told_of_attempt,
    told_of_dag_run,
    told_with_tasks,
)
from timegate.domain.values.tenant import TenantId
from timegate.ports.tenants.audit_trail import Trail

if TYPE_CHECKING:
    from timegate.domain.calendars.calendar import Calendar
    from timegate.domain.dag_runs.progress import DagRun, TaskProgress
    from timegate.domain.dags.definition import Dag
    from timegate.domain.event_triggers.event_trigger import EventTrigger
    from timegate.domain.operations.operation import Operation
    from timegate.domain.pools.pause import PoolPause
    from timegate.domain.restrictions.freeze import Freeze
    from timegate.domain.rules.rule import Rule
    from timegate.domain.tenants.api_key import ApiKey
    from timegate.domain.tenants.tenant_settings import TenantSettings


class AuditWrites:
    """The entry of a change, if a caller asked for the change; else nothing.

    Its key is computed from the request and the thing: a repetition meets itself.
    """

    def __init__(self, trail: Trail | None = None, *, table: str) -> None:
        self._trail = trail
        self._table = table

    def job(self, before: Job | None, after: Job) -> list[Put]:
        """A job."""
        return self.puts(self.entry_of_job(before, after))

    def entry_of_job(self, before: Job | None, after: Job) -> AuditEntry | None:
        """Return the entry of a job's change; ``None``: no caller asked for the change."""
        resource, version = (ResourceKind.JOB, after.job_id), after.timing.version
        return self._entry(after.tenant, resource, before, after, version)

    def puts(self, entry: AuditEntry | None) -> list[Put]:
        """Return the write that stores an entry apart."""
        if entry is None or self._trail is None:
            return []
        fields = entry_to_fields(entry, expires_at=self._trail.expiry(entry).timestamp())
        return [Put(table=self._table, fields=fields)]

    def dag(self, before: "Dag | None", after: "Dag") -> list[Put]:
        """A DAG."""
        resource = (ResourceKind.DAG, after.dag_id)
        return self._of(after.tenant, resource, before, after, after.version)

    def calendar(
        self, tenant: TenantId, name: str, before: "Calendar | None", after: "Calendar | None"
    ) -> list[Put]:
        """A calendar; ``None``: there was none, or is none any more."""
        latest = after or before
        version = latest.version if latest is not None else None
        return self._replaced(tenant, (ResourceKind.CALENDAR, name), before, after, version)

    def freeze(self, before: "Freeze | None", after: "Freeze") -> list[Put]:
        """A freeze."""
        return self._of(after.tenant, (ResourceKind.FREEZE, after.freeze_id), before, after)

    def pool(self, tenant: TenantId, before: "PoolPause | None", after: "PoolPause") -> list[Put]:
        """A pool, by its last pause."""
        return self._of(tenant, (ResourceKind.POOL, after.pool), before, after, after.revision)

    def rule(
        self, tenant: TenantId, name: str, before: "Rule | None", after: "Rule | None"
    ) -> list[Put]:
        """A notification rule; ``None``: there was none, or is none any more."""
        latest = after or before
        version = latest.version if latest is not None else None
        return self._replaced(tenant, (ResourceKind.RULE, name), before, after, version)

    def event_trigger(
        self, before: "EventTrigger | None", after: "EventTrigger | None"
    ) -> list[Put]:
        """An event trigger; ``None``: there was none, or is none any more."""
        latest = after or before
        if latest is None:
            return []
        resource = (ResourceKind.EVENT_TRIGGER, latest.name)
        return self._replaced(latest.tenant, resource, before, after, latest.version)

    def operation(self, before: "Operation | None", after: "Operation") -> list[Put]:
        """An operation."""
        resource = (ResourceKind.OPERATION, after.operation_id)
        return self._of(after.tenant, resource, before, after)

    def tenant(self, before: "TenantSettings", after: "TenantSettings") -> list[Put]:
        """The settings of a tenant."""
        resource = (ResourceKind.TENANT, after.tenant)
        return self._of(after.tenant, resource, before, after, after.version)

    def api_key(self, before: "ApiKey | None", after: "ApiKey") -> list[Put]:
        """An API key."""
        old, new = told_of_api_key(before), told_of_api_key(after)
        return self._of(after.tenant, (ResourceKind.API_KEY, after.key_id), old, new)

    def run(self, before: Attempt | None, after: Attempt) -> list[Put]:
        """A run, by what people change of its last attempt."""
        old, new = told_of_attempt(before), told_of_attempt(after)
        return self._of(after.tenant, (ResourceKind.RUN, str(after.id.run)), old, new)

    def dag_run(self, before: "DagRun | None", after: "DagRun") -> list[Put]:
        """A DAG run."""
        old, new = told_of_dag_run(before), told_of_dag_run(after)
        version = 0 if before is None else before.revision + 1
        resource = (ResourceKind.DAG_RUN, after.dag_run_id)
        return self._of(after.tenant, resource, old, new, version)

    def tasks(
        self,
        before: "DagRun",
        after: "DagRun",
        changed: "Sequence[tuple[TaskProgress, TaskProgress]]",
    ) -> list[Put]:
        """A DAG run and tasks of it, changed together."""
        old = told_with_tasks(before, (task for task, _ in changed))
        new = told_with_tasks(after, (task for _, task in changed))
        resource = (ResourceKind.DAG_RUN, after.dag_run_id)
        return self._of(after.tenant, resource, old, new, before.revision + 1)

    def _replaced(
        self,
        tenant: TenantId,
        resource: tuple[ResourceKind, str],
        before: object | None,
        after: object | None,
        version: int | None,
    ) -> list[Put]:
        """A thing that is put as a whole; as it was before, it has a new version and no entry."""
        entry = self._entry(tenant, resource, before, after, version)
        return self.puts(entry) if entry is not None and entry.changes else []

    def _of(
        self,
        tenant: TenantId,
        resource: tuple[ResourceKind, str],
        before: object | None,
        after: object | None,
        version: int | None = None,
    ) -> list[Put]:
        return self.puts(self._entry(tenant, resource, before, after, version))

    def _entry(
        self,
        tenant: TenantId,
        resource: tuple[ResourceKind, str],
        before: object | None,
        after: object | None,
        version: int | None,
    ) -> AuditEntry | None:
        if self._trail is None:
            return None
        return self._trail.entry(tenant, resource, before=before, after=after, version=version)
