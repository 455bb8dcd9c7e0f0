"""Routes that read sealed months of the archive."""

from datetime import datetime, timedelta

from api.http.exchange import Exchange, Reply
from api.http.route import route
from api.ledger import seal_answers
from api.values.views import View, page_view
from timegate.contracts.values.queries import PageQuery
from timegate.domain.archive.sealed_month import ExportedFile
from timegate.domain.values.instants import rfc3339
from timegate.ports.archive import SealedMonth

#: A request reads the bucket a few times.
_WEIGHT = 5
#: Addresses of files are good for so long.
_LINK_SECONDS = 900


@route(
    "GET",
    "/v1/archive/seals",
    operation="listSealedMonths",
    query=PageQuery,
    answer=seal_answers.SealedMonthList,
    success={200: "A page of the tenant's sealed months."},
    weight=_WEIGHT,
)
def list_months(exchange: Exchange) -> Reply:
    """List sealed months.

    A month is sealed one to eight days after its end. Counts as five requests.
    """
    query = exchange.query(PageQuery)
    months = exchange.services.archive().months
    page = months.months(exchange.tenant, **query.paging)
    return Reply(body=page_view(query.leading_on(page), lambda month: {"month": month}))


@route(
    "GET",
    "/v1/archive/seals/<month>",
    operation="exportSealedMonth",
    query=PageQuery,
    answer=seal_answers.SealedMonth,
    success={200: "The seal of the month, and a page of the files that verifying it takes."},
    refusals=(404,),
    weight=_WEIGHT,
)
def export_month(exchange: Exchange) -> Reply:
    """Export a sealed month.

    The seal names every file of the tenant's month with its digest, and the seal before it; it is
    signed. Each file has an address that is good for fifteen minutes. Counts as five requests.
    """
    query = exchange.query(PageQuery)
    found = exchange.services.archive().months.read(
        exchange.tenant, exchange.path["month"], seconds=_LINK_SECONDS, **query.paging
    )
    return Reply(body=_view(query, found, exchange.now + timedelta(seconds=_LINK_SECONDS)))


def _view(query: PageQuery, found: SealedMonth, expire_at: datetime) -> View:
    seal = found.seal
    return {
        "month": seal.month,
        "archived_until": seal.archived_until,
        "sha256": found.sha256,
        "previous": seal.previous,
        "rows": sum(each.rows for each in (*seal.files, *seal.late)),
        "urls_expire_at": rfc3339(expire_at),
        **page_view(query.leading_on(found.files), _file_view),
    }


def _file_view(file: ExportedFile) -> View:
    return {"path": file.path, "bytes": file.bytes, "sha256": file.sha256, "url": file.url}
