"""Routes that read and cancel runs."""

from api.contracts.queries import PageQuery
from api.exchange import Exchange, Reply
from api.views import page_view, run_row, run_view
from timegate.usecases.cancel_run import cancel_run
from timegate.usecases.read_runs import list_runs, read_run


def list_page(exchange: Exchange) -> Reply:
    """List the runs of a job."""
    query = exchange.query(PageQuery)
    page = list_runs(
        exchange.tenant,
        exchange.job_id,
        exchange.services,
        limit=query.limit,
        cursor=query.cursor,
    )
    return Reply(body=page_view(page, run_row))


def get(exchange: Exchange) -> Reply:
    """Read a run with its attempts."""
    return Reply(body=run_view(read_run(exchange.tenant, exchange.run_id, exchange.services)))


def cancel(exchange: Exchange) -> Reply:
    """Cancel a run."""
    attempts = cancel_run(exchange.tenant, exchange.run_id, exchange.services, now=exchange.now)
    return Reply(body=run_view(attempts))
