"""Routes under ``/v1/dead-letters``, and those that settle many other runs."""

import hashlib
from dataclasses import replace
from functools import partial
from http import HTTPStatus

from api.http.body import JsonBody
from api.http.exchange import Exchange, Reply
from api.http.headers import idempotency_key
from api.http.route import Scope, route
from api.operations.dead_letter_views import dead_letter_row, dead_letter_view
from api.operations.operation_routes import started_by, starting
from api.runs import run_answers, run_record_answers
from api.runs.run_views import run_view
from api.values.views import page_view
from timegate.contracts.operations.dead_letters import (
    DeadLettersQuery,
    Discard,
    DiscardMany,
    Redrive,
    RedriveFailed,
    RedriveMany,
)
from timegate.contracts.operations.operation import CancelRuns, RescheduleRuns
from timegate.domain.jobs.definition import Unset
from timegate.domain.operations.operation import OperationKind, Settlement
from timegate.domain.runs.resolution import AskedAs, Settled
from timegate.domain.values.errors import InvalidInput
from timegate.usecases.operations.read_dead_letters import read_dead_letter
from timegate.usecases.operations.redrive_run import redrive_run, store_correction
from timegate.usecases.operations.settle_dead_letter import SettleRequest, settle_dead_letter

#: Hexadecimal digits of a fingerprint on record.
_MARK = 32


@route(
    "GET",
    "/v1/dead-letters",
    operation="listDeadLetters",
    query=DeadLettersQuery,
    answer=run_record_answers.DeadLetterPage,
    success={200: "A page of the tenant's dead letters."},
    refusals=(404,),
)
def list_page(exchange: Exchange) -> Reply:
    """List dead letters.

    Newest first. A filter may make a page short, or empty, and not the last.
    """
    query = exchange.query(DeadLettersQuery)
    wanted = exchange.of_job(query.to_filter())
    letters = exchange.services.dead_letters
    page = letters.list_dead_letters(exchange.tenant, wanted, **query.paging)
    return Reply(body=page_view(query.leading_on(page), dead_letter_row))


@route(
    "GET",
    "/v1/dead-letters/<run_id>",
    operation="getDeadLetter",
    answer=run_record_answers.DeadLetter,
    success={200: "The dead letter, with its job and payload."},
    refusals=(404,),
)
def get(exchange: Exchange) -> Reply:
    """Read a dead letter with everything that is known of it.

    With its job in the version that ran, its payload and every attempt.
    """
    letter = read_dead_letter(exchange.tenant, exchange.run_id, exchange.services)
    return Reply(body=dead_letter_view(letter, now=exchange.now))


_redrive = partial(
    route,
    "POST",
    asks=Scope.OPERATE,
    body=Redrive,
    body_is_optional=True,
    answer=run_answers.Run,
    success={
        202: "The run, with the attempt that was begun.",
        200: "The Idempotency-Key was used before with this body: the run as it is now.",
    },
    refusals=(404, 409),
    request_headers=("Idempotency-Key",),
    answer_headers=("Location", "Idempotency-Replayed"),
)


@_redrive("/v1/dead-letters/<run_id>/redrive", operation="redriveDeadLetter")
def redrive(exchange: Exchange) -> Reply:
    """Try a dead-lettered run again.

    It goes on under the job as it is now, with a corrected payload if there is one.
    """
    return _redriven(exchange, letters_only=True)


@_redrive("/v1/runs/<run_id>/redrive", operation="redriveRun")
def redrive_any(exchange: Exchange) -> Reply:
    """Try a failed run again.

    A run that began, and failed, timed out, was cancelled or given up. It goes on under the job as
    it is now, with a corrected payload if there is one.
    """
    return _redriven(exchange, letters_only=False)


def _redriven(exchange: Exchange, *, letters_only: bool) -> Reply:
    body = exchange.optional_body()
    asked = body.parse(Redrive)
    wish = replace(
        _wish(exchange, Settled.REDRIVEN, asked.note),
        fresh=asked.fresh,
        request=_asked(exchange, body),
        letters_only=letters_only,
    )
    corrected = asked.correction(body.payload)
    redriven = redrive_run(wish, corrected, exchange.services, now=exchange.now)
    view, headers = run_view(redriven.attempts), {"Location": f"/v1/runs/{wish.run}"}
    reply = Reply(body=view, status=HTTPStatus.ACCEPTED, headers=headers)
    return reply.unless(replayed=redriven.replayed)


def _asked(exchange: Exchange, body: JsonBody) -> AskedAs | None:
    key = idempotency_key(exchange)
    if key is None:
        return None
    digest = hashlib.sha256(key.encode()).hexdigest()
    return AskedAs(key=digest[:_MARK], hash=body.fingerprint[:_MARK])


@route(
    "POST",
    "/v1/dead-letters/<run_id>/discard",
    operation="discardDeadLetter",
    asks=Scope.OPERATE,
    body=Discard,
    body_is_optional=True,
    answer=run_answers.Run,
    success={200: "The run, as it stays."},
    refusals=(404, 409),
)
def discard(exchange: Exchange) -> Reply:
    """Let a dead letter rest.

    It stays as it ended, and is listed no more.
    """
    asked = exchange.optional_body().parse(Discard)
    wish = _wish(exchange, Settled.DISCARDED, asked.note)
    attempts = settle_dead_letter(wish, exchange.services, now=exchange.now)
    return Reply(body=run_view(attempts))


@starting("/v1/dead-letters/redrive", operation="redriveDeadLetters", body=RedriveMany)
def redrive_many(exchange: Exchange) -> Reply:
    """Try many dead-lettered runs again.

    Every one that matches, as an operation.
    """
    body = exchange.body()
    asked = body.parse(RedriveMany)
    task = asked.to_domain(None)
    task = replace(task, letters=exchange.of_job(task.letters))
    corrected = asked.correction(body.payload)
    if not isinstance(corrected, Unset):
        job_id = task.letters.job_id
        if job_id is None:
            detail = "A payload belongs to a job: say which one in filter.job_id."
            raise InvalidInput("payload", "job_id_required", detail)
        services, now = exchange.services, exchange.now
        payload = store_correction(exchange.tenant, job_id, corrected, services, now=now)
        task = replace(task, payload=payload)
    return started_by(exchange, body, "redrive", OperationKind.REDRIVE, task)


@starting("/v1/runs/redrive", operation="redriveRuns", body=RedriveFailed)
def redrive_failed(exchange: Exchange) -> Reply:
    """Try many failed runs again.

    Every one that matches, began, failed by now and can be tried again, as an operation. GET
    /v1/runs lists failed runs by the same filter.
    """
    body = exchange.body()
    asked = body.parse(RedriveFailed)
    wanted = exchange.of_job(asked.filter.to_domain())
    task = Settlement(failures=wanted, fresh=asked.fresh, note=asked.note)
    return started_by(exchange, body, "redrive-failed", OperationKind.REDRIVE, task)


@starting("/v1/runs/cancel", operation="cancelRuns", body=CancelRuns)
def cancel_pending(exchange: Exchange) -> Reply:
    """Cancel many runs that have not begun.

    Every one that is pending now, of a job or of all jobs that match, as an operation. A run that a
    worker has begun meanwhile goes on.
    """
    body = exchange.body()
    task = exchange.of_job(body.parse(CancelRuns).to_domain())
    return started_by(exchange, body, "cancel-runs", OperationKind.CANCEL_RUNS, task)


@starting("/v1/runs/reschedule", operation="rescheduleRuns", body=RescheduleRuns)
def reschedule_pending(exchange: Exchange) -> Reply:
    """Move many runs that have not begun.

    Every one that is pending now, of a job or of all jobs that match, as an operation. Each keeps
    its id, and is due at another instant. A run that a worker has begun meanwhile goes on.
    """
    body = exchange.body()
    task = exchange.of_job(body.parse(RescheduleRuns).to_domain(exchange.now))
    return started_by(exchange, body, "reschedule-runs", OperationKind.RESCHEDULE_RUNS, task)


@starting("/v1/dead-letters/discard", operation="discardDeadLetters", body=DiscardMany)
def discard_many(exchange: Exchange) -> Reply:
    """Let many dead letters rest.

    Every one that matches, as an operation.
    """
    body = exchange.body()
    task = body.parse(DiscardMany).to_domain()
    task = replace(task, letters=exchange.of_job(task.letters))
    return started_by(exchange, body, "discard", OperationKind.DISCARD, task)


def _wish(exchange: Exchange, settled: Settled, note: str | None) -> SettleRequest:
    return SettleRequest(
        tenant=exchange.tenant,
        run=exchange.run_id,
        settled=settled,
        by=exchange.caller,
        note=note,
    )
