"""Routes of workers, and of those who look at their pools."""

from api.contracts.pools import (
    ClaimRequest,
    CompletionBody,
    ContinueBody,
    FailureBody,
    HeartbeatBody,
    LeaseBody,
    LogBody,
)
from api.exchange import Exchange, Reply
from api.working_views import handed_out_view, heard_view, pool_view
from timegate.usecases.pools.claim_from_pool import claim_from_pool
from timegate.usecases.pools.continue_run import continue_run
from timegate.usecases.pools.end_held_run import complete_run, fail_run, release_run
from timegate.usecases.pools.heartbeat_run import heartbeat_run
from timegate.usecases.pools.post_log import post_log
from timegate.usecases.pools.read_pool import read_pool


def claim(exchange: Exchange) -> Reply:
    """Claim runs from a pool."""
    wanted = exchange.body().parse(ClaimRequest).to_domain(exchange.tenant, exchange.path["pool"])
    return Reply(body=handed_out_view(claim_from_pool(wanted, exchange.workers)))


def get(exchange: Exchange) -> Reply:
    """See what waits in a pool, and who comes for it."""
    pool = read_pool(exchange.tenant, exchange.path["pool"], exchange.workers, now=exchange.now)
    return Reply(body=pool_view(pool, now=exchange.now))


def heartbeat(exchange: Exchange) -> Reply:
    """Hold on to a claimed run."""
    asked = exchange.body().parse(HeartbeatBody)
    token, said = asked.lease_token, asked.to_domain()
    heard = heartbeat_run(exchange.tenant, exchange.run_id, token, said, exchange.workers)
    return Reply(body=heard_view(heard))


def complete(exchange: Exchange) -> Reply:
    """Say that a claimed run is done."""
    asked = exchange.body().parse(CompletionBody)
    token, answer = asked.lease_token, asked.to_domain()
    complete_run(exchange.tenant, exchange.run_id, token, answer, exchange.workers)
    return _recorded(exchange)


def fail(exchange: Exchange) -> Reply:
    """Say that a claimed run failed."""
    asked = exchange.body().parse(FailureBody)
    token = asked.lease_token
    fail_run(exchange.tenant, exchange.run_id, token, asked.to_domain(), exchange.workers)
    return _recorded(exchange)


def release(exchange: Exchange) -> Reply:
    """Give a claimed run back."""
    asked = exchange.body().parse(LeaseBody)
    release_run(exchange.tenant, exchange.run_id, asked.lease_token, exchange.workers)
    return _recorded(exchange)


def go_on(exchange: Exchange) -> Reply:
    """Let a claimed run go on in another slice."""
    asked = exchange.body().parse(ContinueBody)
    order, token = asked.to_domain(), asked.lease_token
    continue_run(exchange.tenant, exchange.run_id, token, order, exchange.workers)
    return _recorded(exchange)


def log(exchange: Exchange) -> Reply:
    """Say something of a claimed run."""
    asked = exchange.body().parse(LogBody)
    token, lines = asked.lease_token, asked.to_domain()
    run, sequence = exchange.run_id, asked.sequence
    post_log(exchange.tenant, run, token, sequence, lines, exchange.workers)
    return _recorded(exchange)


def _recorded(exchange: Exchange) -> Reply:
    return Reply(body={"run_id": str(exchange.run_id)})
