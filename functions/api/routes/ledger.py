"""Routes that say what became of a job's instants."""

from api.contracts.ledger import InstantQuery, LedgerQuery
from api.exchange import Exchange, Reply
from api.ledger_views import explained_view, record_view
from api.views import page_view
from timegate.usecases.ledger.explain_instant import explain_instant
from timegate.usecases.ledger.read_ledger import read_ledger


def list_page(exchange: Exchange) -> Reply:
    """Read a job's ledger."""
    query = exchange.query(LedgerQuery)
    page = read_ledger(
        exchange.tenant,
        exchange.job_id,
        query.to_range(),
        exchange.services,
        limit=query.limit,
        cursor=query.position,
    )
    return Reply(body=page_view(query.leading_on(page), record_view))


def explain(exchange: Exchange) -> Reply:
    """Explain what became of an instant."""
    query = exchange.query(InstantQuery)
    explained = explain_instant(
        exchange.tenant, exchange.job_id, query.at, exchange.services, now=exchange.now
    )
    return Reply(body=explained_view(explained))
