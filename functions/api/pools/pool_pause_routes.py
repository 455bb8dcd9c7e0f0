"""Routes that pause pools, and resume them."""

from functools import partial

from api.http.exchange import Exchange, Reply
from api.http.route import Scope, route
from api.pools import pool_answers
from api.pools.pool_pause_views import standing_view
from timegate.contracts.pools import PausePoolRequest
from timegate.usecases.pools.pause_pool import pause_pool, resume_pool

_change = partial(
    route, asks=Scope.OPERATE, answer=pool_answers.PoolStanding, success={200: "The pool, changed."}
)


@_change(
    "POST",
    "/v1/pools/<pool>/pause",
    operation="pausePool",
    body=PausePoolRequest,
    body_is_optional=True,
)
def pause(exchange: Exchange) -> Reply:
    """Pause a pool.

    No worker is handed a run of it until it is resumed, or until the pause ends by itself; runs
    that workers hold go on, and what is due waits in its order. Pausing a paused pool sets its
    terms anew: without a body it has no reason and no end.
    """
    terms = exchange.optional_body().parse(PausePoolRequest)
    asked = terms.to_domain(exchange.path["pool"], by=exchange.caller, now=exchange.now)
    standing = pause_pool(exchange.tenant, asked, exchange.services, now=exchange.now)
    return Reply(body=standing_view(standing))


@_change("POST", "/v1/pools/<pool>/resume", operation="resumePool")
def resume(exchange: Exchange) -> Reply:
    """Resume a pool.

    Its workers get what waits, the most urgent and the first due before the others; a pool that is
    not paused stays as it is.
    """
    pool, by, now = exchange.path["pool"], exchange.caller, exchange.now
    standing = resume_pool(exchange.tenant, pool, exchange.services, by=by, now=now)
    return Reply(body=standing_view(standing))
