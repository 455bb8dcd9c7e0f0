"""The routes of targets that work on by themselves: their own token is all they need."""

from collections.abc import Callable

from pydantic import BaseModel

from api.contracts.pools import (
    CompletionBody,
    ContinueBody,
    FailureBody,
    HeartbeatBody,
    LeaseBody,
    LogBody,
)
from api.exchange import Exchange, Reply
from api.routes import pools
from api.routes.route import Route


def _route(
    word: str, serve: Callable[[Exchange], Reply], operation: str, body: type[BaseModel]
) -> Route:
    return Route(
        method="POST",
        path=f"/v1/callbacks/<run_id>/{word}",
        serve=serve,
        operation=operation,
        body=body,
        by_lease=True,
        served_by="workers",
    )


CALLBACKS = (
    _route("heartbeat", pools.heartbeat, "heartbeatCallback", HeartbeatBody),
    _route("complete", pools.complete, "completeCallback", CompletionBody),
    _route("fail", pools.fail, "failCallback", FailureBody),
    _route("release", pools.release, "releaseCallback", LeaseBody),
    _route("continue", pools.go_on, "continueCallback", ContinueBody),
    _route("logs", pools.log, "postCallbackLog", LogBody),
)
