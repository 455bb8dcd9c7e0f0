"""The client's operations of workers and targets, and of those who look at pools."""

from collections.abc import Mapping, Sequence

from timegate.client.calling import ApiCall, change, get, segment
from timegate.client.operation import operation
from timegate.client.schemas import Claim, Heartbeat, Pool, PoolList, PoolStanding, Recorded
from timegate.client.sending import Calls


class PoolCalls(Calls):
    """Operations that show pools, and claim their runs."""

    @operation
    def list_pools(self) -> ApiCall[PoolList]:
        """Pools that workers asked within a day, and those that the newest jobs name."""
        return get("/v1/pools")

    @operation
    def get_pool(self, pool: str) -> ApiCall[Pool]:
        """Read the waiting runs of a pool, and its workers."""
        return get(f"/v1/pools/{segment(pool)}")

    @operation
    def pause_pool(
        self, pool: str, *, reason: str | None = None, until: str | None = None
    ) -> ApiCall[PoolStanding]:
        """Hand out no run of it until it is resumed, or until the instant ``until`` (RFC 3339).

        Pausing a paused pool sets its reason and its end anew.
        """
        said = {"reason": reason, "until": until}
        body = {name: value for name, value in said.items() if value is not None}
        return change("POST", f"/v1/pools/{segment(pool)}/pause", body=body or None)

    @operation
    def resume_pool(self, pool: str) -> ApiCall[PoolStanding]:
        """Hand out what waits in a pool, from now on."""
        return change("POST", f"/v1/pools/{segment(pool)}/resume")

    @operation
    def claim_runs(
        self,
        pool: str,
        *,
        worker: str,
        limit: int = 1,
        wait_seconds: float = 0,
        handlers: Sequence[str] = (),
        capacity: int | None = None,
        in_use: int | None = None,
    ) -> ApiCall[Claim]:
        """Up to ``limit`` runs (10 at most), waited for up to 20 s; with handlers, only theirs.

        Its pool shows how many runs the worker can work on at once, and works on. A ``limit`` of 0
        claims none and says that much.
        """
        body = {
            "worker": worker,
            "max": limit,
            "wait_seconds": wait_seconds,
            "handlers": list(handlers),
        }
        # A stage of an earlier release refuses what it does not know.
        said = {"capacity": capacity, "in_use": in_use}
        body |= {name: value for name, value in said.items() if value is not None}
        return change("POST", f"/v1/pools/{segment(pool)}/claim", body=body)


class HeldRunCalls(Calls):
    """Operations of the holder of a run's lease token."""

    @operation
    def heartbeat_run(
        self,
        run_id: str,
        *,
        lease_token: str,
        progress: Mapping[str, object] | None = None,
        checkpoint: object = None,
    ) -> ApiCall[Heartbeat]:
        """Hold on to a run; whether it should be stopped.

        Progress has ``percent``, ``message``, or both; a checkpoint is any JSON up to 256 KB.
        """
        body = {"lease_token": lease_token, "progress": progress, "checkpoint": checkpoint}
        return change("POST", f"{self.path_of(run_id)}/heartbeat", body=body)

    @operation
    def complete_run(
        self, run_id: str, *, lease_token: str, result: object = None
    ) -> ApiCall[Recorded]:
        """Say that a run is done; saying it again changes nothing."""
        body = {"lease_token": lease_token, "result": result}
        return change("POST", f"{self.path_of(run_id)}/complete", body=body)

    @operation
    def fail_run(
        self,
        run_id: str,
        *,
        lease_token: str,
        error: Mapping[str, str],
        retryable: bool = True,
        retry_after_seconds: float | None = None,
    ) -> ApiCall[Recorded]:
        """Say that a run failed; an error has ``code``, ``type`` and ``message``."""
        body = {
            "lease_token": lease_token,
            "error": dict(error),
            "retryable": retryable,
            "retry_after_seconds": retry_after_seconds,
        }
        return change("POST", f"{self.path_of(run_id)}/fail", body=body)

    @operation
    def release_run(self, run_id: str, *, lease_token: str) -> ApiCall[Recorded]:
        """Give a run back, unharmed; one that was to be cancelled is."""
        body = {"lease_token": lease_token}
        return change("POST", f"{self.path_of(run_id)}/release", body=body)

    @operation
    def continue_run(
        self,
        run_id: str,
        *,
        lease_token: str,
        checkpoint: object = None,
        delay_seconds: float = 0,
        progress: Mapping[str, object] | None = None,
    ) -> ApiCall[Recorded]:
        """Let a run go on in another slice; its job says how long it may (``long_run``)."""
        body = {
            "lease_token": lease_token,
            "checkpoint": checkpoint,
            "delay_seconds": delay_seconds,
            "progress": progress,
        }
        return change("POST", f"{self.path_of(run_id)}/continue", body=body)

    @operation
    def post_log(
        self,
        run_id: str,
        *,
        lease_token: str,
        sequence: int,
        lines: Sequence[Mapping[str, object]],
    ) -> ApiCall[Recorded]:
        """Keep lines with a run; each has ``text``, and may have ``level`` and ``at``."""
        body = {"lease_token": lease_token, "sequence": sequence, "lines": [*map(dict, lines)]}
        return change("POST", f"{self.path_of(run_id)}/logs", body=body)

    def path_of(self, run_id: str) -> str:
        """Return the path of a run."""
        return f"/v1/runs/{segment(run_id)}"
