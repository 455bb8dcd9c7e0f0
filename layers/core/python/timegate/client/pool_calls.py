"""The client's operations of workers, and of those who look at their pools."""

from collections.abc import Mapping, Sequence

from timegate.client.calling import Calling, segment
from timegate.client.sending import JsonObject


class PoolCalls(Calling):
    """What claims runs, holds them and ends them."""

    def get_pool(self, pool: str) -> JsonObject:
        """What waits in a pool, and who comes for it."""
        return self.send("GET", f"/v1/pools/{segment(pool)}")

    def claim_runs(
        self,
        pool: str,
        *,
        worker: str,
        limit: int = 1,
        wait_seconds: float = 0,
        handlers: Sequence[str] = (),
    ) -> JsonObject:
        """Up to ``limit`` runs (10 at most), waited for up to 20 s; with handlers, only theirs."""
        body = {
            "worker": worker,
            "max": limit,
            "wait_seconds": wait_seconds,
            "handlers": list(handlers),
        }
        return self.send("POST", f"/v1/pools/{segment(pool)}/claim", body=body)

    def heartbeat_run(
        self,
        run_id: str,
        *,
        lease_token: str,
        progress: Mapping[str, object] | None = None,
        checkpoint: object = None,
    ) -> JsonObject:
        """Hold on to a run; whether it should be stopped.

        Progress has ``percent``, ``message``, or both; a checkpoint is any JSON up to 256 KB.
        """
        body = {"lease_token": lease_token, "progress": progress, "checkpoint": checkpoint}
        return self._say(run_id, "heartbeat", body)

    def complete_run(self, run_id: str, *, lease_token: str, result: object = None) -> JsonObject:
        """Say that a run is done; saying it again changes nothing."""
        return self._say(run_id, "complete", {"lease_token": lease_token, "result": result})

    def fail_run(
        self,
        run_id: str,
        *,
        lease_token: str,
        error: Mapping[str, str],
        retryable: bool = True,
        retry_after_seconds: float | None = None,
    ) -> JsonObject:
        """Say that a run failed; an error has ``code``, ``type`` and ``message``."""
        body = {
            "lease_token": lease_token,
            "error": dict(error),
            "retryable": retryable,
            "retry_after_seconds": retry_after_seconds,
        }
        return self._say(run_id, "fail", body)

    def release_run(self, run_id: str, *, lease_token: str) -> JsonObject:
        """Give a run back, unharmed; one that was to be cancelled is."""
        return self._say(run_id, "release", {"lease_token": lease_token})

    def continue_run(
        self,
        run_id: str,
        *,
        lease_token: str,
        checkpoint: object = None,
        delay_seconds: float = 0,
        progress: Mapping[str, object] | None = None,
    ) -> JsonObject:
        """Let a run go on in another slice; its job says how long it may (``long_run``)."""
        body = {
            "lease_token": lease_token,
            "checkpoint": checkpoint,
            "delay_seconds": delay_seconds,
            "progress": progress,
        }
        return self._say(run_id, "continue", body)

    def post_log(
        self,
        run_id: str,
        *,
        lease_token: str,
        sequence: int,
        lines: Sequence[Mapping[str, object]],
    ) -> JsonObject:
        """Keep lines with a run; each has ``text``, and may have ``level`` and ``at``."""
        body = {"lease_token": lease_token, "sequence": sequence, "lines": [*map(dict, lines)]}
        return self._say(run_id, "logs", body)

    def _say(self, run_id: str, what: str, body: Mapping[str, object]) -> JsonObject:
        return self.send("POST", f"/v1/runs/{segment(run_id)}/{what}", body=body)
