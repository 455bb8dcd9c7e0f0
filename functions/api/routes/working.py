"""The routes of worker pools."""

from functools import partial

from api.contracts.pools import (
    ClaimRequest,
    CompletionBody,
    ContinueBody,
    FailureBody,
    HeartbeatBody,
    LeaseBody,
    LogBody,
)
from api.routes import pools
from api.routes.route import Route
from api.routes.scope import Scope

#: What a worker does.
_work = partial(Route, method="POST", asks=Scope.WORKER, served_by="workers")

WORKING = (
    Route(
        method="GET",
        path="/v1/pools/<pool>",
        serve=pools.get,
        operation="getPool",
        served_by="workers",
    ),
    _work(
        path="/v1/pools/<pool>/claim",
        serve=pools.claim,
        operation="claimRuns",
        body=ClaimRequest,
    ),
    _work(
        path="/v1/runs/<run_id>/heartbeat",
        serve=pools.heartbeat,
        operation="heartbeatRun",
        body=HeartbeatBody,
    ),
    _work(
        path="/v1/runs/<run_id>/complete",
        serve=pools.complete,
        operation="completeRun",
        body=CompletionBody,
    ),
    _work(
        path="/v1/runs/<run_id>/fail",
        serve=pools.fail,
        operation="failRun",
        body=FailureBody,
    ),
    _work(
        path="/v1/runs/<run_id>/release",
        serve=pools.release,
        operation="releaseRun",
        body=LeaseBody,
    ),
    _work(
        path="/v1/runs/<run_id>/continue",
        serve=pools.go_on,
        operation="continueRun",
        body=ContinueBody,
    ),
    _work(
        path="/v1/runs/<run_id>/logs",
        serve=pools.log,
        operation="postLog",
        body=LogBody,
    ),
)
