"""Routes that read archived runs."""

from api.http.exchange import Exchange, Reply
from api.http.route import route
from api.runs import archive_answers, run_answers
from api.runs.run_views import run_row, run_view
from api.values.views import page_view
from timegate.contracts.archive.archived_runs import ArchivedRunsQuery

#: A page may have forty files read.
_WEIGHT = 10


@route(
    "GET",
    "/v1/archive/runs",
    operation="listArchivedRuns",
    query=ArchivedRunsQuery,
    answer=archive_answers.ArchivedRunPage,
    success={200: "A page of the tenant's archived runs."},
    refusals=(404,),
    weight=_WEIGHT,
)
def list_page(exchange: Exchange) -> Reply:
    """List archived runs.

    The latest day of their ends first, and within a day in no order. A run is archived one to eight
    days after its end and stays for ever; its record expires. Counts as ten requests.
    """
    query = exchange.query(ArchivedRunsQuery)
    wanted = exchange.of_job(query.to_filter())
    archive = exchange.services.archive().runs
    page = archive.list_runs(exchange.tenant, wanted, **query.paging)
    until = archive.archived_until()
    return Reply(
        body={
            **page_view(query.leading_on(page), run_row),
            "archived_until": until.isoformat() if until is not None else None,
        }
    )


@route(
    "GET",
    "/v1/archive/runs/<run_id>",
    operation="getArchivedRun",
    answer=run_answers.Run,
    success={200: "The run with every attempt, as it was when it was archived."},
    refusals=(404,),
    weight=_WEIGHT,
)
def get(exchange: Exchange) -> Reply:
    """Read an archived run with its attempts.

    Attempts that ended between the day before its instant and eight days after it are found. Its
    payload is shown where its record had it. Counts as ten requests.
    """
    attempts = exchange.services.archive().runs.attempts(exchange.tenant, exchange.run_id)
    return Reply(body=run_view(attempts))
