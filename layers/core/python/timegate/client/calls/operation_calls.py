"""The client's operations on many jobs, and on the past of one."""

from collections.abc import Sequence

from timegate.client.calling import ApiCall, PageCall, change, get, job_path, keyed, page, segment
from timegate.client.operation import listing, operation
from timegate.client.schemas import (
    BackfillAnswer,
    BackfillRequest,
    BulkCreation,
    KeyedJob,
    NewOperation,
    Operation,
    OperationPage,
)
from timegate.client.sending import Calls


class OperationCalls(Calls):
    """Operations that start, show and stop long work."""

    @operation
    def create_jobs(
        self, definitions: Sequence[KeyedJob], *, idempotency_key: str | None = None
    ) -> ApiCall[BulkCreation]:
        """Create up to a hundred jobs; what became of each, in order. The key as in create_job."""
        return keyed("/v1/jobs/bulk", {"jobs": definitions}, idempotency_key)

    @operation
    def backfill_job(
        self, job_id: str, request: BackfillRequest, *, idempotency_key: str | None = None
    ) -> ApiCall[BackfillAnswer]:
        """Run it for instants of the past; the operation, or what a dry run says."""
        return keyed(f"{job_path(job_id)}/backfill", request, idempotency_key)

    @operation
    def start_operation(
        self, request: NewOperation, *, idempotency_key: str | None = None
    ) -> ApiCall[Operation]:
        """Pause, resume or cancel every job that matches; the operation that does it."""
        return keyed("/v1/operations", request, idempotency_key)

    @listing
    def list_operations(
        self,
        *,
        kind: str | None = None,
        status: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PageCall[OperationPage, Operation]:
        """A page of operations, newest first."""
        which = {"kind": kind, "status": status}
        return page("/v1/operations", {**which, "limit": limit, "cursor": cursor})

    @operation
    def get_operation(self, operation_id: str) -> ApiCall[Operation]:
        """An operation, and how far it came."""
        return get(_operation(operation_id))

    @operation
    def cancel_operation(self, operation_id: str) -> ApiCall[Operation]:
        """Ask it to begin nothing more."""
        return change("POST", f"{_operation(operation_id)}/cancel")


def _operation(operation_id: str) -> str:
    return f"/v1/operations/{segment(operation_id)}"
