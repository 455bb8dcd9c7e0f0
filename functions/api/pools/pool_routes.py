"""Routes of workers, and of those who look at their pools."""

from functools import partial

from api.http.exchange import Exchange, Reply
from api.http.route import Scope, route
from api.pools import pool_answers
from api.pools.pool_views import handed_out_view, heard_view, pool_view
from timegate.contracts.pools import (
    ClaimRequest,
    CompletionBody,
    ContinueBody,
    FailureBody,
    HeartbeatBody,
    LeaseBody,
)
from timegate.usecases.pools.claim_from_pool import claim_from_pool
from timegate.usecases.pools.continue_run import continue_run
from timegate.usecases.pools.end_held_run import complete_run, fail_run, release_run
from timegate.usecases.pools.heartbeat_run import heartbeat_run
from timegate.usecases.pools.read_pool import read_pool

_renew = partial(
    route,
    served_by="workers",
    body=HeartbeatBody,
    answer=pool_answers.Heartbeat,
    success={200: "The lease was renewed."},
    refusals=(404, 409),
)
_end = partial(
    route,
    asks=Scope.WORKER,
    served_by="workers",
    answer=pool_answers.Recorded,
    success={200: "It is on record; saying it again changes nothing."},
    refusals=(404, 409),
)
_BY_LEASE = "As for workers; the lease token that the target was sent is all it takes."
_end_callback = partial(_end, asks=None, by_lease=True, description=_BY_LEASE)


@route(
    "POST",
    "/v1/pools/<pool>/claim",
    operation="claimRuns",
    asks=Scope.WORKER,
    served_by="workers",
    body=ClaimRequest,
    answer=pool_answers.Claim,
    success={200: "Runs, or none."},
)
def claim(exchange: Exchange) -> Reply:
    """Claim runs from a pool.

    The most urgent runs come first. Waits for so many seconds if there is nothing; a claimed run is
    the worker's until its lease expires. A pool that is paused hands out none, and says so.
    """
    wanted = exchange.body().parse(ClaimRequest).to_domain(exchange.tenant, exchange.path["pool"])
    return Reply(body=handed_out_view(claim_from_pool(wanted, exchange.workers)))


@route(
    "GET",
    "/v1/pools/<pool>",
    operation="getPool",
    served_by="workers",
    answer=pool_answers.Pool,
    success={200: "The pool as it is now."},
)
def get(exchange: Exchange) -> Reply:
    """See what waits in a pool, and who comes for it.

    How much waits in it, by priority, and which workers asked lately.
    """
    pool = read_pool(exchange.tenant, exchange.path["pool"], exchange.workers, now=exchange.now)
    return Reply(body=pool_view(pool, now=exchange.now))


@_renew("POST", "/v1/runs/<run_id>/heartbeat", operation="heartbeatRun", asks=Scope.WORKER)
@_renew(
    "POST",
    "/v1/callbacks/<run_id>/heartbeat",
    operation="heartbeatCallback",
    by_lease=True,
    description=_BY_LEASE,
)
def heartbeat(exchange: Exchange) -> Reply:
    """Hold on to a claimed run.

    Renews the lease, and may carry progress and a checkpoint. The lease token says whose the run
    is; a lease that was lost is a 409.
    """
    asked = exchange.body().parse(HeartbeatBody)
    token, said = asked.lease_token, asked.to_domain()
    heard = heartbeat_run(exchange.tenant, exchange.run_id, token, said, exchange.workers)
    return Reply(body=heard_view(heard))


@_end("POST", "/v1/runs/<run_id>/complete", operation="completeRun", body=CompletionBody)
@_end_callback(
    "POST", "/v1/callbacks/<run_id>/complete", operation="completeCallback", body=CompletionBody
)
def complete(exchange: Exchange) -> Reply:
    """Say that a claimed run is done.

    With its result, if there is one. The lease token says whose the run is; a lease that was lost
    is a 409.
    """
    asked = exchange.body().parse(CompletionBody)
    token, answer = asked.lease_token, asked.to_domain()
    complete_run(exchange.tenant, exchange.run_id, token, answer, exchange.workers)
    return _recorded(exchange)


@_end("POST", "/v1/runs/<run_id>/fail", operation="failRun", body=FailureBody)
@_end_callback("POST", "/v1/callbacks/<run_id>/fail", operation="failCallback", body=FailureBody)
def fail(exchange: Exchange) -> Reply:
    """Say that a claimed run failed.

    Its job's retry policy decides about another attempt. The lease token says whose the run is; a
    lease that was lost is a 409.
    """
    asked = exchange.body().parse(FailureBody)
    token = asked.lease_token
    fail_run(exchange.tenant, exchange.run_id, token, asked.to_domain(), exchange.workers)
    return _recorded(exchange)


@_end("POST", "/v1/runs/<run_id>/release", operation="releaseRun", body=LeaseBody)
@_end_callback(
    "POST", "/v1/callbacks/<run_id>/release", operation="releaseCallback", body=LeaseBody
)
def release(exchange: Exchange) -> Reply:
    """Give a claimed run back.

    Another worker may claim it at once; no attempt is used up. The lease token says whose the run
    is; a lease that was lost is a 409.
    """
    asked = exchange.body().parse(LeaseBody)
    release_run(exchange.tenant, exchange.run_id, asked.lease_token, exchange.workers)
    return _recorded(exchange)


@_end("POST", "/v1/runs/<run_id>/continue", operation="continueRun", body=ContinueBody)
@_end_callback(
    "POST", "/v1/callbacks/<run_id>/continue", operation="continueCallback", body=ContinueBody
)
def go_on(exchange: Exchange) -> Reply:
    """Let a claimed run go on in another slice.

    This slice ends, and the next begins from the checkpoint. The lease token says whose the run is;
    a lease that was lost is a 409.
    """
    asked = exchange.body().parse(ContinueBody)
    order, token = asked.to_domain(), asked.lease_token
    continue_run(exchange.tenant, exchange.run_id, token, order, exchange.workers)
    return _recorded(exchange)


def _recorded(exchange: Exchange) -> Reply:
    return Reply(body={"run_id": str(exchange.run_id)})
