"""The routes of worker pools."""

from api.contracts.pools import (
    ClaimRequest,
    CompletionBody,
    ContinueBody,
    FailureBody,
    HeartbeatBody,
    LeaseBody,
)
from api.routes import pools
from api.routes.route import Route

_SCOPE = "worker"

WORKING = (
    Route(method="GET", path="/v1/pools/<pool>", serve=pools.get, operation="getPool"),
    Route(
        method="POST",
        path="/v1/pools/<pool>/claim",
        serve=pools.claim,
        operation="claimRuns",
        body=ClaimRequest,
        scope=_SCOPE,
    ),
    Route(
        method="POST",
        path="/v1/runs/<run_id>/heartbeat",
        serve=pools.heartbeat,
        operation="heartbeatRun",
        body=HeartbeatBody,
        scope=_SCOPE,
    ),
    Route(
        method="POST",
        path="/v1/runs/<run_id>/complete",
        serve=pools.complete,
        operation="completeRun",
        body=CompletionBody,
        scope=_SCOPE,
    ),
    Route(
        method="POST",
        path="/v1/runs/<run_id>/fail",
        serve=pools.fail,
        operation="failRun",
        body=FailureBody,
        scope=_SCOPE,
    ),
    Route(
        method="POST",
        path="/v1/runs/<run_id>/release",
        serve=pools.release,
        operation="releaseRun",
        body=LeaseBody,
        scope=_SCOPE,
    ),
    Route(
        method="POST",
        path="/v1/runs/<run_id>/continue",
        serve=pools.go_on,
        operation="continueRun",
        body=ContinueBody,
        scope=_SCOPE,
    ),
)
