"""The HTTP API of workers: parse, call one use case, map what it returns."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from api.app import answer, register
from api.http.route import routes_of
from api.http.tenancy import unprefixed
from api.pools import pool_routes, worker_log_routes
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring.workers import worker_services

services = worker_services()
register(routes_of(pool_routes) + routes_of(worker_log_routes))


def _serve(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    return answer(unprefixed(event), context, services)


handle = LambdaTelemetry().instrument(_serve)
