"""Results that no run made: short ones ride in the task's record, others lie in the blob store."""

from dataclasses import replace

from timegate.domain.dag_runs.progress import TaskProgress
from timegate.domain.runs.run_result import StoredResult, excerpt
from timegate.domain.values.identity import DagRunId, JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.blobs import BlobStore
from timegate.usecases.runs.store_payload import put_run_text


def kept_result(
    text: str, tenant: TenantId, dag_run_id: DagRunId, blobs: BlobStore
) -> tuple[str, StoredResult | None]:
    """Keep JSON text; its excerpt, and where the whole of a longer one is."""
    short = excerpt(text)
    if short == text:
        return text, None
    path = put_run_text(text, tenant, JobId(dag_run_id), blobs)
    return short, StoredResult(blob=path, size_bytes=len(text.encode()))


def with_result(task: TaskProgress, text: str | None, blobs: BlobStore) -> TaskProgress:
    """Return a task with a result that is kept."""
    if text is None:
        return task
    short, stored = kept_result(text, task.tenant, task.dag_run_id, blobs)
    return replace(task, result=short, stored_result=stored)
