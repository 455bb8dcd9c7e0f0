"""The job that governs a task's runs, as an item."""

from timegate.adapters.dynamo.jobs.job_items import job_to_fields
from timegate.adapters.dynamo.tables.keys import governor_key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.jobs.job import Job
from timegate.domain.values.identity import TaskKey

_HIDDEN = frozenset({"tenant_key", "listed_at", "due_bucket", "due_at"})


def governor_fields(
    run: DagRun, task: TaskKey, governor: Job, *, expires_at: int
) -> dict[str, Plain]:
    """Build the governing job's item, which no list and no index shows."""
    key = governor_key(run.tenant, run.dag_run_id, task)
    fields = job_to_fields(governor, shards=ONE_SHARD)
    own = {name: value for name, value in fields.items() if name not in _HIDDEN}
    return {**own, "pk": key.pk, "sk": key.sk, "expires_at": expires_at}
