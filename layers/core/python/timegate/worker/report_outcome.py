"""Saying how a run ended, until it is on record or another worker's."""

import json
import logging
import time
from collections.abc import Callable
from http import HTTPStatus

from timegate.client import CallbackClient, ClientError, ProblemError, TimegateClient
from timegate.worker.errors import LeaseLost
from timegate.worker.holding import Hold, is_lost
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
            _say_once(client, task, outcome)
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


def _say_once(client: TimegateClient | CallbackClient, task: ClaimedRun, outcome: Outcome) -> None:
    match outcome:
        case Done(result=result):
            _complete(client, task, result)
        case Continue():
            _go_on(client, task, outcome)
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


def _complete(client: TimegateClient | CallbackClient, task: ClaimedRun, result: object) -> None:
    """Complete the run; of a result that no request can carry, only the beginning is sent."""
    try:
        client.complete_run(task.run_id, lease_token=task.lease_token, result=result)
    except ProblemError as error:
        if error.status != HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            raise
        text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
        logger.warning("result_cut", extra={"fields": {"run_id": task.run_id}})
        beginning = f"{text[:_BEGINNING_CHARACTERS]}…"
        client.complete_run(task.run_id, lease_token=task.lease_token, result=beginning)


def _go_on(client: TimegateClient | CallbackClient, task: ClaimedRun, outcome: Continue) -> None:
    """Continue the run; a refused continuation fails it, for silence would look like a dead
    worker.
    """
    try:
        client.continue_run(
            task.run_id,
            lease_token=task.lease_token,
            checkpoint=outcome.checkpoint,
            delay_seconds=outcome.delay_seconds,
        )
    except ProblemError as error:
        if error.code != "continue_not_allowed" and error.status != HTTPStatus.BAD_REQUEST:
            raise
        client.fail_run(
            task.run_id,
            lease_token=task.lease_token,
            error={"code": error.code, "type": "Continue", "message": error.detail},
            retryable=False,
        )


def _may_pass(error: ClientError) -> bool:
    if not isinstance(error, ProblemError):
        return True
    # Only this conflict may pass: the run kept changing while it was written.
    return error.status >= _SERVER_ERRORS or error.status == _TOO_MANY or error.code == "conflict"
