"""Routes of the lines that workers and targets log."""

from functools import partial

from api.http.exchange import Exchange, Reply
from api.http.route import Scope, route
from api.pools import pool_answers
from timegate.contracts.pools import LogBody
from timegate.usecases.pools.post_log import post_log

_log = partial(
    route,
    served_by="workers",
    body=LogBody,
    answer=pool_answers.Recorded,
    success={200: "The lines are kept; sending them again changes nothing."},
    refusals=(404, 409),
)


@_log("POST", "/v1/runs/<run_id>/logs", operation="postLog", asks=Scope.WORKER)
@_log(
    "POST",
    "/v1/callbacks/<run_id>/logs",
    operation="postCallbackLog",
    by_lease=True,
    description="As for workers; the lease token that the target was sent is all it takes.",
)
def log(exchange: Exchange) -> Reply:
    """Say something of a claimed run.

    Numbered, so that lines sent twice are kept once. The lease token says whose the run is; a lease
    that was lost is a 409.
    """
    asked = exchange.body().parse(LogBody)
    token, lines = asked.lease_token, asked.to_domain()
    run, sequence = exchange.run_id, asked.sequence
    post_log(exchange.tenant, run, token, sequence, lines, exchange.workers)
    return Reply(body={"run_id": str(run)})
