"""Routes that list pools."""

from api.http.exchange import Exchange, Reply
from api.http.route import route
from api.pools import pool_answers
from api.pools.pool_list_views import pools_view
from timegate.usecases.pools.list_pools import list_pools


@route(
    "GET",
    "/v1/pools",
    operation="listPools",
    weight=20,
    answer=pool_answers.PoolList,
    success={200: "The tenant's pools, those that no worker serves first."},
)
def list_all(exchange: Exchange) -> Reply:
    """List pools.

    The list has pools that a worker asked for runs within a day, those that the newest 100 jobs
    name, and those that are paused, with the workers seen and the runs that wait.
    """
    found = list_pools(exchange.tenant, exchange.services, now=exchange.now)
    return Reply(body=pools_view(found))
