"""Routes under ``/v1/dead-letters``."""

import hashlib
from dataclasses import replace
from http import HTTPStatus

from api.contracts.dead_letters import (
    DeadLettersQuery,
    Discard,
    DiscardMany,
    Redrive,
    RedriveMany,
)
from api.dead_letter_views import dead_letter_row, dead_letter_view
from api.exchange import Exchange, Reply
from api.headers import idempotency_key
from api.routes.operations import operation_request, started_reply
from api.views import page_view, run_view
from timegate.domain.jobs.definition import UNSET, Unset
from timegate.domain.operations.operation import OperationKind
from timegate.domain.runs.resolution import AskedAs, Settled
from timegate.domain.values.errors import InvalidInput
from timegate.usecases.operations.read_dead_letters import list_dead_letters, read_dead_letter
from timegate.usecases.operations.redrive_run import redrive_run, store_correction
from timegate.usecases.operations.settle_dead_letter import Wish, settle_dead_letter
from timegate.usecases.operations.start_operation import start_operation

#: Of a fingerprint on record, so many hexadecimal digits.
_MARK = 32


def list_page(exchange: Exchange) -> Reply:
    """List dead letters."""
    query = exchange.query(DeadLettersQuery)
    page = list_dead_letters(
        exchange.tenant,
        query.to_filter(),
        exchange.services,
        limit=query.limit,
        cursor=query.position,
    )
    return Reply(body=page_view(query.leading_on(page), dead_letter_row))


def get(exchange: Exchange) -> Reply:
    """Read a dead letter with everything that is known of it."""
    letter = read_dead_letter(exchange.tenant, exchange.run_id, exchange.services)
    return Reply(body=dead_letter_view(letter))


def redrive(exchange: Exchange) -> Reply:
    """Try a dead-lettered run again."""
    asked = Redrive()
    corrected: str | Unset | None = UNSET
    if exchange.has_body:
        body = exchange.body()
        asked = body.parse(Redrive)
        corrected = asked.correction(body.payload)
    wish = replace(
        _wish(exchange, Settled.REDRIVEN, asked.note), fresh=asked.fresh, request=_asked(exchange)
    )
    redriven = redrive_run(wish, corrected, exchange.services, now=exchange.now)
    view, headers = run_view(redriven.attempts), {"Location": f"/v1/runs/{wish.run}"}
    if redriven.replayed:
        return Reply(body=view, headers=headers | {"Idempotency-Replayed": "true"})
    return Reply(body=view, status=HTTPStatus.ACCEPTED, headers=headers)


def _asked(exchange: Exchange) -> AskedAs | None:
    key = idempotency_key(exchange)
    if key is None:
        return None
    asked = exchange.body().fingerprint if exchange.has_body else ""
    return AskedAs(key=hashlib.sha256(key.encode()).hexdigest()[:_MARK], hash=asked[:_MARK])


def discard(exchange: Exchange) -> Reply:
    """Let a dead letter rest."""
    asked = exchange.body().parse(Discard) if exchange.has_body else Discard()
    wish = _wish(exchange, Settled.DISCARDED, asked.note)
    attempts = settle_dead_letter(wish, exchange.services, now=exchange.now)
    return Reply(body=run_view(attempts))


def redrive_many(exchange: Exchange) -> Reply:
    """Try many dead-lettered runs again."""
    body = exchange.body()
    asked = body.parse(RedriveMany)
    task = asked.to_domain(None)
    corrected = asked.correction(body.payload)
    if not isinstance(corrected, Unset):
        job_id = task.letters.job_id
        if job_id is None:
            detail = "A payload belongs to a job: say which one in filter.job_id."
            raise InvalidInput("payload", "job_id_required", detail)
        payload = store_correction(exchange.tenant, job_id, corrected, exchange.services)
        task = asked.to_domain(payload)
    started = start_operation(
        operation_request(exchange, body, "redrive"),
        OperationKind.REDRIVE,
        task,
        exchange.services,
        now=exchange.now,
    )
    return started_reply(started, exchange)


def discard_many(exchange: Exchange) -> Reply:
    """Let many dead letters rest."""
    body = exchange.body()
    started = start_operation(
        operation_request(exchange, body, "discard"),
        OperationKind.DISCARD,
        body.parse(DiscardMany).to_domain(),
        exchange.services,
        now=exchange.now,
    )
    return started_reply(started, exchange)


def _wish(exchange: Exchange, settled: Settled, note: str | None) -> Wish:
    return Wish(
        tenant=exchange.tenant,
        run=exchange.run_id,
        settled=settled,
        by=exchange.caller,
        note=note,
    )
