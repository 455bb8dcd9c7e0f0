"""Routes of what operators do with tasks of DAG runs."""

import json
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import TypeVar

from pydantic import BaseModel

from api.dag_runs import approval_answers, dag_run_answers
from api.dag_runs.approval_views import link_view
from api.dag_runs.dag_run_routes import dag_run_id_of
from api.dag_runs.dag_run_views import dag_run_row, task_view
from api.http.exchange import Exchange, Reply
from api.http.headers import idempotency_key
from api.http.route import Scope, route
from timegate.contracts.approvals import NewLink
from timegate.contracts.dag_runs import (
    TaskCompletion,
    TaskDecision,
    TaskRerun,
    TaskSignal,
    TaskSkip,
)
from timegate.domain.approvals.link import MAX_RECEIVER
from timegate.domain.dag_runs.intervening import RerunScope
from timegate.domain.dag_runs.progress import InterventionKind
from timegate.domain.values.identity import TaskKey
from timegate.domain.values.payload import json_text
from timegate.usecases.approvals.make_link import LinkRequest, make_link
from timegate.usecases.dag_runs.interventions.intervene import InterventionRequest, intervene

Body = TypeVar("Body", bound=BaseModel)


_TASK = "/v1/dag-runs/<dag_run_id>/tasks/<task_key>"
_DONE_BEFORE = {200: "It was done before: the task as it is now."}
_intervene = partial(
    route,
    "POST",
    asks=Scope.OPERATE,
    body_is_optional=True,
    answer=dag_run_answers.DagRunWithTask,
    refusals=(404, 409),
    request_headers=("Idempotency-Key",),
    answer_headers=("Idempotency-Replayed",),
)


@_intervene(
    f"{_TASK}/complete",
    operation="completeDagTask",
    body=TaskCompletion,
    success={202: "The task has succeeded; the DAG run moves on.", **_DONE_BEFORE},
)
def complete(exchange: Exchange) -> Reply:
    """Say that a task has succeeded.

    The task counts as succeeded with this result; tasks that wait for it may start.
    """
    asked = _body(exchange, TaskCompletion)
    result = None
    if "result" in asked.model_fields_set:
        result = json.dumps(asked.result, separators=(",", ":"), ensure_ascii=False)
    return _reply(exchange, InterventionKind.COMPLETE, asked, result=result)


@_intervene(
    f"{_TASK}/skip",
    operation="skipDagTask",
    body=TaskSkip,
    success={202: "The task is skipped; the DAG run moves on.", **_DONE_BEFORE},
)
def skip(exchange: Exchange) -> Reply:
    """Say that a task is not to be run.

    Tasks that wait for it are decided as after any skipped task.
    """
    return _reply(exchange, InterventionKind.SKIP, _body(exchange, TaskSkip))


@_intervene(
    f"{_TASK}/rerun",
    operation="rerunDagTask",
    body=TaskRerun,
    success={202: "The task is put back, and is about to run again.", **_DONE_BEFORE},
)
def rerun(exchange: Exchange) -> Reply:
    """Have a task run again, and what follows from it.

    In another round, with all that follows from it or by itself.
    """
    asked = _body(exchange, TaskRerun)
    return _reply(exchange, InterventionKind.RERUN, asked, scope=asked.scope)


@_intervene(
    f"{_TASK}/decide",
    operation="decideDagTask",
    body=TaskDecision,
    body_is_optional=False,
    success={
        202: "The task has ended as the caller decided; the DAG run moves on.",
        **_DONE_BEFORE,
    },
)
def decide(exchange: Exchange) -> Reply:
    """Approve or reject what a task waits for.

    Only while it waits, and only as one of its approvers where it names them.
    """
    asked = exchange.body().parse(TaskDecision)
    request = _request(exchange, InterventionKind(asked.decision), note=asked.note)
    return _answer(exchange, replace(request, round=asked.round))


@route(
    "POST",
    "/v1/dag-runs/<dag_run_id>/tasks/<task_key>/approval-link",
    operation="createDagTaskLink",
    asks=Scope.OPERATE,
    body=NewLink,
    body_is_optional=True,
    answer=approval_answers.NewApprovalLink,
    success={200: "The link. It is stored nowhere, and the same for the same receiver."},
    refusals=(404, 409),
)
def create_link(exchange: Exchange) -> Reply:
    """Make the link of an approval that waits.

    Any holder of the link may decide, until the wait ends. The task has a link_secret; once its key
    is taken out of the secret, all links that it signed are refused.
    """
    asked = _body(exchange, NewLink)
    request = LinkRequest(
        tenant=exchange.tenant,
        dag_run_id=dag_run_id_of(exchange),
        key=TaskKey(exchange.path["task_key"]),
        receiver=asked.receiver or exchange.caller[:MAX_RECEIVER],
    )
    return Reply(body=link_view(make_link(request, exchange.services, now=exchange.now)))


@_intervene(
    f"{_TASK}/signal",
    operation="signalDagTask",
    body=TaskSignal,
    success={202: "The task has succeeded with this data; the DAG run moves on.", **_DONE_BEFORE},
)
def signal(exchange: Exchange) -> Reply:
    """Give a task the data of the event that it waits for.

    Only while it waits. The data is its result, whatever the pattern of the event says.
    """
    asked = _body(exchange, TaskSignal)
    result = json_text(asked.data) if "data" in asked.model_fields_set else None
    request = _request(exchange, InterventionKind.SIGNAL, note=asked.note)
    return _answer(exchange, replace(request, result=result))


def _body(exchange: Exchange, contract: type[Body]) -> Body:
    return exchange.optional_body().parse(contract)


def _reply(
    exchange: Exchange,
    kind: InterventionKind,
    asked: TaskSkip,
    *,
    scope: RerunScope = RerunScope.BRANCH,
    result: str | None = None,
) -> Reply:
    request = _request(exchange, kind, note=asked.reason)
    request = replace(request, members=asked.members, scope=scope, result=result)
    return _answer(exchange, request)


def _request(
    exchange: Exchange, kind: InterventionKind, *, note: str | None
) -> InterventionRequest:
    return InterventionRequest(
        tenant=exchange.tenant,
        dag_run_id=dag_run_id_of(exchange),
        key=TaskKey(exchange.path["task_key"]),
        kind=kind,
        by=exchange.caller,
        note=note,
        idempotency_key=idempotency_key(exchange),
    )


def _answer(exchange: Exchange, request: InterventionRequest) -> Reply:
    done = intervene(request, exchange.services, now=exchange.now)
    body = {**dag_run_row(done.run), "task": task_view(done.run, done.task, done.progress)}
    return Reply(body=body, status=HTTPStatus.ACCEPTED).unless(replayed=done.is_replay)
