"""A client whose API is a list of runs, and what it was told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Condition, Lock
from typing import Any, Self

from timegate.client import ClientError, NotReachable, ProblemError
from timegate.worker.task import ClaimedRun


def run_of(handler: str, number: int = 1, **fields: object) -> dict[str, Any]:
    """A run as a claim gives it."""
    run: dict[str, Any] = {
        "run_id": f"run-{number}",
        "job_id": "job",
        "job_name": "close",
        "handler": handler,
        "payload": None,
        "last_checkpoint": None,
        "attempt": 1,
        "idempotency_key": f"run-{number}",
        "fence": 1,
        "scheduled_at": "2026-11-21T07:00:00.000Z",
        "due_at": "2026-11-21T07:00:00.000Z",
        "deadline_at": "2026-11-21T08:00:00.000Z",
        "lease_token": f"token-{number}",
    }
    return run | fields


def task_of(*, lease_seconds: float = 0.3, **fields: object) -> ClaimedRun:
    """A run that was claimed."""
    return ClaimedRun.of(run_of("x") | fields, lease_seconds=lease_seconds)


LOST = ProblemError(status=409, code="lease_lost", detail="No.")
AWAY = NotReachable("https://api.example.com", "away")


@dataclass
class FakeClient:
    """Gives its runs to the first worker that asks."""

    runs: list[dict[str, Any]] = field(default_factory=list)
    lease_seconds: float = 0.3
    cancel: bool = False
    #: Raised by heartbeats, and by what says how a run ended, in turn.
    heartbeat_errors: list[ClientError] = field(default_factory=list)
    ending_errors: list[ClientError] = field(default_factory=list)
    log_errors: list[ClientError] = field(default_factory=list)
    #: The lines of each batch.
    logged: dict[int, list[str]] = field(default_factory=dict)
    said: list[tuple[str, str, Any]] = field(default_factory=list)
    heartbeats: list[dict[str, Any]] = field(default_factory=list)
    claims: list[dict[str, Any]] = field(default_factory=list)
    traces: list[str | None] = field(default_factory=list)
    changed: Condition = field(default_factory=Condition)
    #: Its holder keeps claims waiting, which is seen by the other.
    answering: Lock = field(default_factory=Lock)
    unanswered: bool = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def traced(self, traceparent: str | None) -> Self:
        """Remembers which trace its calls belong to from now on."""
        self.traces.append(traceparent)
        return self

    def claim_runs(
        self,
        pool: str,
        *,
        worker: str,
        limit: int,
        wait_seconds: float,
        handlers: Sequence[str],
        capacity: int | None,
        in_use: int | None,
    ) -> dict[str, Any]:
        """Some of its runs."""
        self.unanswered = True
        with self.answering:
            self.unanswered = False
        with self.changed:
            told = {"limit": limit, "wait_seconds": wait_seconds}
            self.claims.append({"pool": pool, **told, "capacity": capacity, "in_use": in_use})
            if not self.runs:
                self.changed.wait(0.05)
            given, self.runs = self.runs[:limit], self.runs[limit:]
        return {
            "runs": given,
            "lease_seconds": self.lease_seconds,
            "ask_again_after_seconds": 0,
        }

    def heartbeat_run(
        self, run_id: str, *, lease_token: str, progress: object, checkpoint: object
    ) -> dict[str, Any]:
        """Remembers what comes with it."""
        with self.changed:
            if self.heartbeat_errors:
                raise self.heartbeat_errors.pop(0)
            self.heartbeats.append({"progress": progress, "checkpoint": checkpoint})
            self.changed.notify_all()
            return {"cancel_requested": self.cancel}

    def post_log(
        self,
        run_id: str,
        *,
        lease_token: str,
        sequence: int,
        lines: Sequence[Mapping[str, object]],
    ) -> None:
        """Remembers what was said, once."""
        if self.log_errors:
            raise self.log_errors.pop(0)
        self.logged.setdefault(sequence, [str(line["text"]) for line in lines])

    def complete_run(self, run_id: str, *, lease_token: str, result: object) -> None:
        self._end("complete", run_id, result)

    def fail_run(self, run_id: str, *, lease_token: str, **told: object) -> None:
        self._end("fail", run_id, told)

    def continue_run(self, run_id: str, *, lease_token: str, **told: object) -> None:
        self._end("continue", run_id, told)

    def release_run(self, run_id: str, *, lease_token: str) -> None:
        self._end("release", run_id, None)

    def wait_for(self, count: int, seconds: float = 30.0) -> list[tuple[str, str, Any]]:
        """Return the reports about runs, once there are ``count``."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.said) >= count, seconds), self.said
            return list(self.said)

    def wait_until_held(self, count: int, seconds: float = 30.0) -> None:
        """Wait until so many heartbeats have come."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.heartbeats) >= count, seconds)

    def _end(self, what: str, run_id: str, told: Mapping[str, Any] | object) -> None:
        with self.changed:
            if self.ending_errors:
                raise self.ending_errors.pop(0)
            self.said.append((what, run_id, told))
            self.changed.notify_all()
