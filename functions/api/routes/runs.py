"""Routes that read and cancel runs."""

from collections.abc import Sequence

from api.contracts.listings import RunsQuery
from api.contracts.queries import LogQuery
from api.exchange import Exchange, Reply
from api.notification_views import notifications_view
from api.run_views import log_view, result_view
from api.shown import View
from api.views import attempt_view, run_page_view, run_view
from timegate.usecases.execution.cancel_run import cancel_run
from timegate.usecases.ledger.read_log import read_log
from timegate.usecases.runs.read_notifications import read_notifications
from timegate.usecases.runs.read_result import read_result
from timegate.usecases.runs.read_runs import list_runs, read_run
from timegate.usecases.runs.read_triggered import read_triggered


def list_page(exchange: Exchange) -> Reply:
    """List the runs of a job."""
    query = exchange.query(RunsQuery)
    page = list_runs(
        exchange.tenant,
        exchange.job_id,
        query.to_filter(),
        exchange.services,
        limit=query.limit,
        cursor=query.position,
    )
    return Reply(body=run_page_view(query.leading_on(page)))


def get(exchange: Exchange) -> Reply:
    """Read a run with its attempts, and what its ends triggered."""
    attempts = read_run(exchange.tenant, exchange.run_id, exchange.services)
    return Reply(body=run_view(attempts, read_triggered(attempts, exchange.services)))


def notifications(exchange: Exchange) -> Reply:
    """List what was told of a run."""
    told = read_notifications(exchange.tenant, exchange.run_id, exchange.services)
    return Reply(body=notifications_view(told))


def cancel(exchange: Exchange) -> Reply:
    """Cancel a run."""
    attempts = cancel_run(exchange.tenant, exchange.run_id, exchange.services, now=exchange.now)
    return Reply(body=run_view(attempts))


def attempts(exchange: Exchange) -> Reply:
    """List the attempts at a run."""
    found = read_run(exchange.tenant, exchange.run_id, exchange.services)
    return _whole([attempt_view(attempt) for attempt in found])


def result(exchange: Exchange) -> Reply:
    """Read what a run came to."""
    found = read_result(exchange.tenant, exchange.run_id, exchange.services, now=exchange.now)
    return Reply(body=result_view(found))


def logs(exchange: Exchange) -> Reply:
    """Read what happened to a run."""
    cursor = exchange.query(LogQuery).cursor
    page = read_log(exchange.tenant, exchange.run_id, exchange.services, cursor=cursor)
    return Reply(
        body={"items": [log_view(line) for line in page.lines], "next_cursor": page.cursor}
    )


def _whole(items: Sequence[View]) -> Reply:
    """A listing of one page: a run has few attempts."""
    return Reply(body={"items": items, "next_cursor": None})
