"""The client's operations on many jobs, and on the past of one."""

from collections.abc import Mapping, Sequence

from timegate.client.calling import Calling, Filter, segment
from timegate.client.sending import JsonObject


class OperationCalls(Calling):
    """What starts, shows and stops long work."""

    def create_jobs(
        self, definitions: Sequence[object], *, idempotency_key: str | None = None
    ) -> JsonObject:
        """Create up to a hundred jobs; what became of each, in order. The key as in create_job."""
        body = {"jobs": definitions}
        return self.send("POST", "/v1/jobs/bulk", body=body, headers=_keyed(idempotency_key))

    def backfill_job(
        self, job_id: str, request: Mapping[str, object], *, idempotency_key: str | None = None
    ) -> JsonObject:
        """Run it for instants of the past; the operation, or what a dry run says."""
        path, headers = f"/v1/jobs/{segment(job_id)}/backfill", _keyed(idempotency_key)
        return self.send("POST", path, body=request, headers=headers)

    def start_operation(
        self, request: Mapping[str, object], *, idempotency_key: str | None = None
    ) -> JsonObject:
        """Pause, resume or cancel every job that matches; the operation that does it."""
        headers = _keyed(idempotency_key)
        return self.send("POST", "/v1/operations", body=request, headers=headers)

    def list_operations(self, **filters: Filter) -> JsonObject:
        """A page of operations, newest first; filters are ``limit cursor``."""
        return self.page("/v1/operations", filters)

    def get_operation(self, operation_id: str) -> JsonObject:
        """An operation, and how far it came."""
        return self.send("GET", _operation(operation_id))

    def cancel_operation(self, operation_id: str) -> JsonObject:
        """Ask it to begin nothing more."""
        return self.send("POST", f"{_operation(operation_id)}/cancel")


def _operation(operation_id: str) -> str:
    return f"/v1/operations/{segment(operation_id)}"


def _keyed(idempotency_key: str | None) -> dict[str, str]:
    return {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
