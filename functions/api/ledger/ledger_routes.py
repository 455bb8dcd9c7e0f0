"""Routes that say what became of a job's instants."""

from api.http.exchange import Exchange, Reply
from api.http.route import route
from api.ledger import ledger_answers
from api.ledger.ledger_views import explained_view, record_view
from api.values.views import page_view
from timegate.contracts.ledger import InstantQuery, LedgerQuery
from timegate.usecases.ledger.explain_instant import explain_instant
from timegate.usecases.ledger.read_ledger import read_ledger


@route(
    "GET",
    "/v1/jobs/<job_id>/ledger",
    operation="readLedger",
    weight=2,
    query=LedgerQuery,
    answer=ledger_answers.LedgerPage,
    success={200: "A page of the range, earliest instant first."},
    refusals=(404,),
)
def list_page(exchange: Exchange) -> Reply:
    """Read a job's ledger.

    Every instant of a range with the run or the gap that it became.
    """
    query = exchange.query(LedgerQuery)
    page = read_ledger(
        exchange.tenant, exchange.job_id, query.to_range(), exchange.services, **query.paging
    )
    return Reply(body=page_view(query.leading_on(page), record_view))


@route(
    "GET",
    "/v1/jobs/<job_id>/explain",
    operation="explainInstant",
    query=InstantQuery,
    answer=ledger_answers.Explanation,
    success={200: "What became of the instant, or is to become of it."},
    refusals=(404, 409),
)
def explain(exchange: Exchange) -> Reply:
    """Explain what became of an instant.

    The answer names what decided about a past instant, or would decide about one to come.
    """
    query = exchange.query(InstantQuery)
    explained = explain_instant(
        exchange.tenant,
        exchange.job_id,
        query.at,
        exchange.services,
        now=exchange.now,
        filled=query.filled,
    )
    return Reply(body=explained_view(explained))
