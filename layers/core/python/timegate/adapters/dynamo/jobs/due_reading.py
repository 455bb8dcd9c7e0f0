"""Reading a bucket of the ``due`` index."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from timegate.adapters.dynamo.tables.engine import Engine, Query
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.values.tenant import TenantId

#: Operands that ``IN`` takes.
_MAX_NAMED = 100


def read_due(
    engine: Engine, table: str, bucket: str, *, passing_over: Collection[TenantId]
) -> Iterator[dict[str, Plain]]:
    """The entries of a bucket, soonest first, a page at a time.

    ``passing_over`` is looked at before each page but the first. Entries passed over are read and
    billed all the same, but neither sent nor parsed, which takes most of the time.
    """
    query = Query(table=table, of=bucket, index="due")
    while True:
        page = engine.query(query)
        yield from page.items
        if page.last is None:
            return
        passed = sorted(passing_over)[:_MAX_NAMED]
        query = replace(query, after=page.last, without={"tenant": passed})
