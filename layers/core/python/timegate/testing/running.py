"""Runs of handlers under test: the worker's own way, with an API in this process."""

import asyncio
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import timedelta
from typing import Any

from timegate.client import CallbackClient, ClientError, Retries
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.values.payload import json_text
from timegate.testing.clock import SteppedClock
from timegate.testing.happened import Happened
from timegate.testing.held_run import HeldRun
from timegate.worker.declared.capturing import captured
from timegate.worker.declared.shapes import as_json
from timegate.worker.errors import WorkerStopping
from timegate.worker.handlers import Handler
from timegate.worker.holding import BEATS_PER_LEASE, Hold
from timegate.worker.logs.log_buffer import EVERY_SECONDS
from timegate.worker.outcomes import Outcome
from timegate.worker.report_outcome import say
from timegate.worker.runners import ThreadRunner
from timegate.worker.task import ClaimedRun

_RUN_ID = "job-under-test.run"
_URL = "https://timegate.invalid/v1/callbacks/run"


def run_handler(  # noqa: PLR0913 - all that a run may meet, by keyword
    handler: Handler,
    *,
    payload: object = None,
    last_checkpoint: object = None,
    attempt: int = 1,
    clock: SteppedClock | None = None,
    lease_seconds: float = 60.0,
    timeout_seconds: float = 3600.0,
    retry: RetryPolicy | None = None,
    may_continue: bool = False,
    parent: Mapping[str, Any] | None = None,
    cancel_after: float | None = None,
    lose_lease_after: float | None = None,
    stop_after: float | None = None,
) -> Happened:
    """Let a handler work on one attempt as ``timegate worker run`` does, and tell what happened.

    The handler, or what it calls, steps ``clock``; each step sends the heartbeats that are due.
    ``cancel_after``, ``lose_lease_after`` and ``stop_after`` are seconds from the claim: a caller
    cancels the run, another worker gets it, and this worker must stop. The job's ``retry`` policy
    decides about failures. ``may_continue``: the job has a ``long_run``. Payload and checkpoint are
    written out as a trigger of the job writes them, and come to the handler as JSON gives them
    back; raises ``TypeError`` or ``ValueError`` for others. An async test may call it: its loop
    waits.
    """
    clock = clock or SteppedClock()
    claim: dict[str, Any] = {
        "payload": payload,
        "last_checkpoint": last_checkpoint,
        "attempt": attempt,
        "lease_seconds": lease_seconds,
        "timeout_seconds": timeout_seconds,
        "parent": parent,
    }
    task = _task(clock, **claim)
    moments = {"cancel_after": cancel_after, "lose_lease_after": lose_lease_after}
    api = HeldRun(task, clock, retry=retry or RetryPolicy(), may_continue=may_continue, **moments)
    _work(handler, task, api, clock, stop_after)
    return api.happened


def _work(
    handler: Handler, task: ClaimedRun, api: HeldRun, clock: SteppedClock, stop_after: float | None
) -> None:
    """The handler works as in a worker; steps of the clock send heartbeats, and no thread does."""
    retries = Retries(max_attempts=1)
    with CallbackClient(_URL, retries=retries, transport=api, sleep=clock.step) as client:
        hold = Hold(client, task, monotonic=clock.monotonic)
        _beat_with(clock, hold)
        if stop_after is not None:
            stopping = WorkerStopping("This worker must stop.")
            at = clock.monotonic() + stop_after
            clock.call_at("stop", at, lambda: hold.interrupt(stopping))
        try:
            with captured():
                outcome = _outcome(handler, hold)
            say(client, task, outcome, hold=hold, patient=False)
        except ClientError as error:
            # The worker says nothing more: the run begins anew once its lease is over.
            api.happened.explanation = str(error)
        finally:
            clock.forget()
            hold.end()


def _outcome(handler: Handler, hold: Hold) -> Outcome:
    """Let the handler work, where no loop runs: an async one has a loop of its own in a worker."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return ThreadRunner().work(handler, hold)
    with ThreadPoolExecutor(max_workers=1) as beside:
        return beside.submit(copy_context().run, ThreadRunner().work, handler, hold).result()


def _beat_with(clock: SteppedClock, hold: Hold) -> None:
    """Send heartbeats and lines of the log as often as the worker's threads do."""

    def repeat(key: str, seconds: float, call: Callable[[], object]) -> None:
        def again() -> None:
            call()
            repeat(key, seconds, call)

        clock.call_at(key, clock.monotonic() + seconds, again)

    repeat("beat", hold.task.lease_seconds / BEATS_PER_LEASE, hold.is_ours)
    repeat("log", EVERY_SECONDS, hold.flush_log)


def _task(
    clock: SteppedClock,
    *,
    payload: object,
    last_checkpoint: object,
    attempt: int,
    lease_seconds: float,
    timeout_seconds: float,
    parent: Mapping[str, Any] | None,
) -> ClaimedRun:
    return ClaimedRun(
        run_id=_RUN_ID,
        job_id=_RUN_ID.partition(".")[0],
        job_name="job under test",
        handler="",
        payload=_as_json(payload),
        last_checkpoint=_as_json(last_checkpoint),
        attempt=attempt,
        idempotency_key=_RUN_ID,
        fence=attempt,
        scheduled_at=clock.now,
        due_at=clock.now,
        deadline_at=clock.now + timedelta(seconds=timeout_seconds),
        lease_token="lease-under-test",  # noqa: S106 - no secret: it speaks for no run
        lease_seconds=lease_seconds,
        parent=parent,
    )


def _as_json(value: object) -> Any:  # noqa: ANN401 - any JSON
    return json.loads(json_text(as_json(value)))
