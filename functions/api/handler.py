"""The HTTP API: parse, call one use case, map what it returns."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from api.app import answer, register
from api.routes.table import ROUTES
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring.api import api_services

services = api_services()
register(ROUTES)


def _serve(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    return answer(event, context, services)


handle = LambdaTelemetry().instrument(_serve)
