"""Saying how a run ended, until it is on record or another worker's."""

import json
import logging
import time
from collections.abc import Callable
from http import HTTPStatus

from timegate.client import CallbackClient, ClientError, NotSendable, ProblemError, TimegateClient
from timegate.worker.errors import LeaseLost
from timegate.worker.holding import Hold, is_lost, is_our_fault
from timegate.worker.outcomes import Broke, Continue, Done, GaveUp, Outcome
from timegate.worker.task import ClaimedRun

logger = logging.getLogger("timegate.worker")

_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 10.0
_TRIES = 30
#: From here on the API's fault, which may pass; below, the request's.
_SERVER_ERRORS = 500
_TOO_MANY = 429
#: Characters of a result too large to be sent: as much as a record shows.
_BEGINNING_CHARACTERS = 499
#: Characters of a refusal in the failure that stands for what was refused.
_MOST_DETAIL = 2000


def say(
    client: TimegateClient | CallbackClient,
    task: ClaimedRun,
    outcome: Outcome,
    *,
    hold: Hold | None = None,
    patient: bool = True,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Say it, again and again if it is not answered: it is recorded once. Raises ``ClientError``.

    A run that was lost is another worker's: nothing is said of it.
    """
    if hold is not None and isinstance(hold.interruption, LeaseLost) and outcome == GaveUp():
        return
    if hold is not None:
        hold.flush_log()
    client = client.traced(task.traceparent)
    pause = _FIRST_PAUSE_SECONDS
    for left in reversed(range(_TRIES if patient else 1)):
        try:
            _say_or_replace(client, task, outcome)
        except ClientError as error:
            if is_lost(error):
                fields = {"run_id": task.run_id, "fence": task.fence}
                logger.warning("lease_lost", extra={"fields": fields})
                return
            if not left or not _may_pass(error):
                raise
            sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
        else:
            return


def _say_or_replace(
    client: TimegateClient | CallbackClient, task: ClaimedRun, outcome: Outcome
) -> None:
    """Say it, or what can be said in its place: silence would look like a dead worker."""
    try:
        _say_once(client, task, outcome)
    except ClientError as error:
        other = _in_place_of(outcome, error) if is_our_fault(error) else None
        if other is None:
            raise
        fields = {"run_id": task.run_id, "code": error.code, "detail": error.detail}
        logger.warning("outcome_refused", extra={"fields": fields})
        _say_once(client, task, other)


def _in_place_of(outcome: Outcome, refusal: ClientError) -> Outcome | None:
    """Return the end that stands for a refused one: the beginning of a result, or a failure."""
    match outcome:
        case Done(result=result) if _is_too_large(refusal):
            text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
            return Done(result=f"{text[:_BEGINNING_CHARACTERS]}…")
        case Done() | Continue():
            code, kind, retryable = refusal.code, type(outcome).__name__, False
        case Broke(code=code, retryable=retryable):
            kind = type(outcome).__name__
        case _:
            return None
    return Broke(code=code, type=kind, message=refusal.detail[:_MOST_DETAIL], retryable=retryable)


def _is_too_large(error: ClientError) -> bool:
    too_large = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return isinstance(error, ProblemError) and error.status == too_large


def _say_once(client: TimegateClient | CallbackClient, task: ClaimedRun, outcome: Outcome) -> None:
    match outcome:
        case Done(result=result):
            client.complete_run(task.run_id, lease_token=task.lease_token, result=result)
        case Continue(checkpoint=checkpoint, delay_seconds=delay_seconds):
            client.continue_run(
                task.run_id,
                lease_token=task.lease_token,
                checkpoint=checkpoint,
                delay_seconds=delay_seconds,
            )
        case GaveUp():
            client.release_run(task.run_id, lease_token=task.lease_token)
        case Broke():
            client.fail_run(
                task.run_id,
                lease_token=task.lease_token,
                error={"code": outcome.code, "type": outcome.type, "message": outcome.message},
                retryable=outcome.retryable,
                retry_after_seconds=outcome.retry_after_seconds,
            )


def _may_pass(error: ClientError) -> bool:
    if not isinstance(error, ProblemError):
        return not isinstance(error, NotSendable)
    # Only this conflict may pass: the run kept changing while it was written.
    return error.status >= _SERVER_ERRORS or error.status == _TOO_MANY or error.code == "conflict"
