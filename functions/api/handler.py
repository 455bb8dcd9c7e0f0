"""The HTTP API: parse, call one use case, map what it returns."""

from typing import Any

from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2
from aws_lambda_powertools.utilities.typing import LambdaContext

from api.app import answer, register
from api.http.places import modules_of
from api.http.route import routes_of
from api.http.tenancy import unprefixed
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring.api import api_services

services = api_services()


def _serve(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    event = unprefixed(event)
    for module in modules_of(APIGatewayProxyEventV2(event).path):
        register(routes_of(module))
    return answer(event, context, services)


handle = LambdaTelemetry().instrument(_serve)
