"""The API of one held run, in this process: the rules of the lease, and the record."""

import json
from datetime import timedelta
from typing import Any

import httpx

from timegate.domain.jobs.retry import (
    MAX_RETRY_AFTER_SECONDS,
    Failure,
    FailureKind,
    Retry,
    RetryPolicy,
    Trial,
    decide_retry,
)
from timegate.domain.jobs.slices import MAX_DELAY_SECONDS
from timegate.domain.runs.checkpoint import Progress, check_checkpoint_size, check_progress
from timegate.domain.runs.run_result import excerpt, was_cut, whole
from timegate.domain.values.errors import ContinueNotAllowed, InvalidInput, LeaseLost, TimegateError
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.payload import MAX_PAYLOAD_BYTES, json_text
from timegate.testing.clock import SteppedClock
from timegate.testing.happened import Happened, Outcome
from timegate.worker.task import ClaimedRun

#: Bytes that the API reads of a request.
MAX_BODY_BYTES = 4 * MAX_PAYLOAD_BYTES


class HeldRun(httpx.BaseTransport):
    """Answers what a worker says of its run, until the lease is over or the run has ended."""

    def __init__(
        self,
        task: ClaimedRun,
        clock: SteppedClock,
        *,
        retry: RetryPolicy,
        may_continue: bool,
        cancel_after: float | None,
        lose_lease_after: float | None,
    ) -> None:
        self.happened = Happened(last_checkpoint=task.last_checkpoint)
        self._task = task
        self._clock = clock
        self._retry = retry
        self._may_continue = may_continue
        self._claimed_at = clock.now
        self._cancel_after = cancel_after
        self._lose_lease_after = lose_lease_after
        self._length = timedelta(seconds=task.lease_seconds)
        self._expires_at = clock.now + self._length
        self._has_ended = False

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answer as the API does; refusals are its problems."""
        text = request.read()
        if len(text) > MAX_BODY_BYTES:
            return self._refuse(413, "body_too_large", f"A body may have {MAX_BODY_BYTES} bytes.")
        body = json.loads(text)
        says = {
            "heartbeat": self._heartbeat,
            "logs": self._log,
            "complete": self._complete,
            "fail": self._fail,
            "release": self._release,
            "continue": self._continue,
        }
        try:
            self._check_lease()
            answer = says[request.url.path.rpartition("/")[2]](body)
        except TimegateError as error:
            return self._refuse(*refusal_of(error))
        return httpx.Response(200, json=answer or {"run_id": self._task.run_id})

    def _check_lease(self) -> None:
        """Another worker takes a run over in the instant in which its lease expires."""
        is_over = self._clock.now >= self._expires_at or self._has_come(self._lose_lease_after)
        if self._has_ended or is_over:
            raise LeaseLost(self._task.run_id)

    @property
    def _is_cancelled(self) -> bool:
        return self._has_come(self._cancel_after)

    def _has_come(self, seconds: float | None) -> bool:
        """Tell if so many seconds have passed since the claim; ``None`` never comes."""
        if seconds is None:
            return False
        return self._clock.now >= self._claimed_at + timedelta(seconds=seconds)

    def _heartbeat(self, body: dict[str, Any]) -> dict[str, Any]:
        now = self._clock.now
        if now >= self._task.deadline_at:
            failure = Failure(
                kind=FailureKind.TIMEOUT,
                code="timeout",
                type="TimedOut",
                message="The run has used its time.",
            )
            self._failed(failure)
            raise LeaseLost(self._task.run_id)
        progress, checkpoint = body["progress"], body["checkpoint"]
        if progress is not None:
            check_progress(Progress(**progress, at=now))
        self._store(checkpoint)
        if progress is not None:
            self.happened.progress.append(progress)
        self._expires_at = now + self._length
        self.happened.heartbeats.append(now)
        expires_at = rfc3339(self._expires_at)
        return {"lease_expires_at": expires_at, "cancel_requested": self._is_cancelled}

    def _store(self, checkpoint: object) -> None:
        if checkpoint is None:
            return
        check_checkpoint_size(json_text(checkpoint))
        self.happened.checkpoints.append(checkpoint)
        self.happened.last_checkpoint = checkpoint

    def _log(self, body: dict[str, Any]) -> None:
        self.happened.logs += [(line["level"], line["text"]) for line in body["lines"]]

    def _complete(self, body: dict[str, Any]) -> None:
        result = body["result"]
        text = result if isinstance(result, str) else json_text(result)
        self.happened.result = result
        if was_cut(excerpt(text)) and whole(text) is None:
            self.happened.result, self.happened.result_is_cut = excerpt(text), True
        self._end(Outcome.SUCCEEDED)

    def _fail(self, body: dict[str, Any]) -> None:
        after = body["retry_after_seconds"]
        if after is not None and not 0 <= after <= MAX_RETRY_AFTER_SECONDS:
            detail = f"It is from 0 to {MAX_RETRY_AFTER_SECONDS:g}."
            raise InvalidInput("retry_after_seconds", "out_of_range", detail)
        kind = FailureKind.RETRYABLE if body["retryable"] else FailureKind.PERMANENT
        error = body["error"] | {"message": excerpt(body["error"]["message"])}
        self._failed(Failure(kind=kind, **error, retry_after_seconds=after))

    def _failed(self, failure: Failure) -> None:
        task, happened = self._task, self.happened
        seed = f"{task.run_id}.{task.attempt}"
        trial = Trial(number=task.attempt, scheduled_at=task.scheduled_at, seed=seed)
        decided = decide_retry(self._retry, trial, failure, now=self._clock.now)
        happened.error = {name: getattr(failure, name) for name in ("code", "type", "message")}
        happened.explanation = decided.explanation
        happened.retry_at = decided.due_at if isinstance(decided, Retry) else None
        self._end(Outcome.FAILED if happened.retry_at is None else Outcome.RETRY)

    def _release(self, _: dict[str, Any]) -> None:
        self._end(Outcome.CANCELLED if self._is_cancelled else Outcome.RELEASED)

    def _continue(self, body: dict[str, Any]) -> None:
        delay = body["delay_seconds"]
        if not 0 <= delay <= MAX_DELAY_SECONDS:
            detail = f"It is from 0 to {MAX_DELAY_SECONDS:g}."
            raise InvalidInput("delay_seconds", "out_of_range", detail)
        if not self._may_continue:
            raise ContinueNotAllowed(self._task.job_id)
        if self._is_cancelled:
            self._end(Outcome.CANCELLED)
            return
        self._store(body["checkpoint"])
        self.happened.delay_seconds = delay
        self._end(Outcome.CONTINUED)

    def _end(self, outcome: Outcome) -> None:
        self.happened.outcome = outcome
        self._has_ended = True

    def _refuse(self, status: int, code: str, detail: str) -> httpx.Response:
        self.happened.refusals.append(code)
        problem = {"status": status, "code": code, "detail": detail}
        return httpx.Response(
            status, json=problem, headers={"Content-Type": "application/problem+json"}
        )


def refusal_of(error: TimegateError) -> tuple[int, str, str]:
    """Status, code and detail of a refusal of the lease's or a field's rules."""
    if isinstance(error, InvalidInput):
        return 400, "invalid_request", str(error)
    return 409, error.code, str(error)
