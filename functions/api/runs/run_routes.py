"""Routes that read and cancel runs."""

from collections.abc import Sequence
from functools import partial

from api.http.exchange import Exchange, Reply
from api.http.route import Scope, route
from api.runs import run_answers, run_record_answers
from api.runs.notification_views import notifications_view
from api.runs.run_record_views import log_view, result_view, tenant_runs_view
from api.runs.run_views import attempt_view, run_page_view, run_view
from api.values.views import View
from timegate.contracts.jobs.listings import RunQuery, RunsQuery, TenantRunsQuery
from timegate.contracts.jobs.triggers import Reschedule
from timegate.contracts.values.queries import LogQuery
from timegate.usecases.archive.read_archive import read_kept_run
from timegate.usecases.execution.cancel_run import cancel_run
from timegate.usecases.execution.reschedule_run import NewInstant, reschedule_run
from timegate.usecases.ledger.explain_offer import explain_offer, read_job
from timegate.usecases.ledger.read_log import read_log
from timegate.usecases.runs.read_notifications import read_notifications
from timegate.usecases.runs.read_result import read_result
from timegate.usecases.runs.read_runs import list_runs
from timegate.usecases.runs.read_tenant_runs import list_all_runs
from timegate.usecases.runs.read_triggered import read_triggered
from timegate.usecases.runs.read_window import with_window
from timegate.usecases.runs.store_payload import load_own_payload, sent_payload


@route(
    "GET",
    "/v1/jobs/<job_id>/runs",
    operation="listRuns",
    query=RunsQuery,
    answer=run_answers.RunPage,
    success={200: "A page of the job's runs."},
    refusals=(404,),
)
def list_page(exchange: Exchange) -> Reply:
    """List the runs of a job.

    Latest instant first, each with its last attempt.
    """
    query = exchange.query(RunsQuery)
    page = list_runs(
        exchange.tenant, exchange.job_id, query.to_filter(), exchange.services, **query.paging
    )
    return Reply(body=run_page_view(query.leading_on(page)))


@route(
    "GET",
    "/v1/runs",
    operation="listAllRuns",
    query=TenantRunsQuery,
    answer=run_answers.TenantRunPage,
    success={200: "A page of the tenant's runs."},
    refusals=(404,),
)
def list_across_jobs(exchange: Exchange) -> Reply:
    """List the runs of all jobs.

    Failures, the latest end first: runs of every job that were to happen and did not succeed, for
    no rule of their owner. Or runs in every state, the latest instant first, of jobs that list all
    their runs. Each has its last attempt and the name of its job.
    """
    query = exchange.query(TenantRunsQuery)
    wanted = exchange.of_job(query.to_filter())
    page = list_all_runs(
        exchange.tenant, wanted, exchange.services, now=exchange.now, **query.paging
    )
    return Reply(body=tenant_runs_view(query.leading_on(page), wanted))


@route(
    "GET",
    "/v1/runs/<run_id>",
    operation="getRun",
    query=RunQuery,
    answer=run_answers.Run,
    success={200: "The run with every attempt."},
    refusals=(404,),
)
def get(exchange: Exchange) -> Reply:
    """Read a run with its attempts, and what its ends triggered.

    With every attempt at it, its own payload whatever its size or the one that is sent, and the
    runs that its ends triggered. The explanation of one that waits in a pool says if workers serve
    it.
    """
    services, now = exchange.services, exchange.now
    attempts = read_kept_run(exchange.tenant, exchange.run_id, services, now=now)
    last = attempts[-1]
    job_of = partial(read_job, last, services.runs)
    waits = explain_offer(last, services.pools, job_of=job_of, now=now)
    triggered = read_triggered(attempts, exchange.services)
    payload, sent = load_own_payload(attempts[-1], services.blobs), None
    if exchange.query(RunQuery).filled:
        sent = sent_payload(attempts[-1], services.runs, services.blobs)
    attempts = with_window(attempts, exchange.services.runs)
    return Reply(body=run_view(attempts, triggered, waits=waits, payload=payload, sent=sent))


@route(
    "GET",
    "/v1/runs/<run_id>/notifications",
    operation="listNotifications",
    answer=run_record_answers.NotificationList,
    success={200: "What was told of the run, and whether it arrived."},
    refusals=(404,),
)
def notifications(exchange: Exchange) -> Reply:
    """List what was told of a run.

    Each notification of its job about the run shows whether it arrived.
    """
    told = read_notifications(exchange.tenant, exchange.run_id, exchange.services)
    return Reply(body=notifications_view(told))


@route(
    "POST",
    "/v1/runs/<run_id>/cancel",
    operation="cancelRun",
    asks=Scope.OPERATE,
    answer=run_answers.Run,
    success={200: "The run, cancelled or about to be."},
    refusals=(404, 409),
)
def cancel(exchange: Exchange) -> Reply:
    """Cancel a run.

    A run that has not begun never begins; a worker is asked to stop at its next heartbeat.
    """
    attempts = cancel_run(exchange.tenant, exchange.run_id, exchange.services, now=exchange.now)
    return Reply(body=run_view(attempts))


@route(
    "POST",
    "/v1/runs/<run_id>/reschedule",
    operation="rescheduleRun",
    asks=Scope.OPERATE,
    body=Reschedule,
    answer=run_answers.Run,
    success={200: "The run, due at the new instant."},
    refusals=(404, 409),
)
def reschedule(exchange: Exchange) -> Reply:
    """Move a run that has not begun.

    It is due at another instant and keeps its id, which names the old one. Calendars, freezes,
    overlap and limits hold then as they do for any run.
    """
    due_at = exchange.body().parse(Reschedule).due_at(exchange.now)
    wish = NewInstant(tenant=exchange.tenant, run=exchange.run_id, due_at=due_at)
    attempts = reschedule_run(wish, exchange.services, now=exchange.now)
    return Reply(body=run_view(attempts))


@route(
    "GET",
    "/v1/runs/<run_id>/attempts",
    operation="listAttempts",
    answer=run_record_answers.AttemptPage,
    success={200: "Every attempt."},
    refusals=(404,),
)
def attempts(exchange: Exchange) -> Reply:
    """List the attempts at a run.

    All of them: a run has no more than its retry policy allows.
    """
    services, now = exchange.services, exchange.now
    found = read_kept_run(exchange.tenant, exchange.run_id, services, now=now)
    return _whole([attempt_view(attempt) for attempt in found])


@route(
    "GET",
    "/v1/runs/<run_id>/result",
    operation="getResult",
    answer=run_record_answers.Result,
    success={200: "The result as far as it is kept; nulls where there is none."},
    refusals=(404,),
)
def result(exchange: Exchange) -> Reply:
    """Read what a run came to.

    The result is its target's answer. Beyond an excerpt there is a link, good for minutes.
    """
    found = read_result(exchange.tenant, exchange.run_id, exchange.services, now=exchange.now)
    return Reply(body=result_view(found))


@route(
    "GET",
    "/v1/runs/<run_id>/logs",
    operation="readLog",
    query=LogQuery,
    answer=run_record_answers.LogPage,
    success={200: "What happened to the run."},
    refusals=(404,),
)
def logs(exchange: Exchange) -> Reply:
    """Read what happened to a run.

    Decisions about the run and its worker's lines come in order, the earliest first. next_cursor
    leads on while the run works.
    """
    cursor = exchange.query(LogQuery).cursor
    page = read_log(exchange.tenant, exchange.run_id, exchange.services, cursor=cursor)
    return Reply(
        body={"items": [log_view(line) for line in page.lines], "next_cursor": page.cursor}
    )


def _whole(items: Sequence[View]) -> Reply:
    """A listing of one page: a run has few attempts."""
    return Reply(body={"items": items, "next_cursor": None})
