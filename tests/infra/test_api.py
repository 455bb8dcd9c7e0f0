"""The way in: routes, scopes, tokens, throttles, logs."""

import json

import pytest

from tests.infra.conftest import Synthesise
from tests.infra.stage_template import StageTemplate


def test_every_route_asks_for_its_scope(stage: StageTemplate) -> None:
    """Reading for ``read``, workers for ``worker``, all else for ``write``; no route is open."""
    routes = {
        each.properties["RouteKey"]: each.properties
        for each in stage.of_type("AWS::ApiGatewayV2::Route")
    }
    scopes = {key: route["AuthorizationScopes"] for key, route in routes.items()}

    assert scopes == {
        "GET /v1/{proxy+}": ["timegate/read"],
        "POST /v1/{proxy+}": ["timegate/write"],
        "PUT /v1/{proxy+}": ["timegate/write"],
        "PATCH /v1/{proxy+}": ["timegate/write"],
        "DELETE /v1/{proxy+}": ["timegate/write"],
        "GET /v1/pools/{pool}": ["timegate/read"],
        "POST /v1/pools/{pool}/claim": ["timegate/worker"],
        "POST /v1/runs/{run_id}/heartbeat": ["timegate/worker"],
        "POST /v1/runs/{run_id}/complete": ["timegate/worker"],
        "POST /v1/runs/{run_id}/fail": ["timegate/worker"],
        "POST /v1/runs/{run_id}/release": ["timegate/worker"],
        "POST /v1/runs/{run_id}/continue": ["timegate/worker"],
    }
    assert {"JWT"} == {route["AuthorizationType"] for route in routes.values()}


def test_tokens_come_from_the_stage_s_own_pool(stage: StageTemplate) -> None:
    """Issuer and audience are the pool and its clients."""
    (authorizer,) = stage.of_type("AWS::ApiGatewayV2::Authorizer")
    configuration = authorizer.properties["JwtConfiguration"]
    clients = {each.path for each in stage.of_type("AWS::Cognito::UserPoolClient")}

    assert configuration["Issuer"].endswith("/Tokens/Pool")
    assert clients == set(configuration["Audience"])


def test_a_tenant_is_a_machine_without_the_admin_scope(stage: StageTemplate) -> None:
    """Client credentials only; quotas and other tenants' settings are not a tenant's."""
    clients = stage.of_type("AWS::Cognito::UserPoolClient")

    assert clients
    for client in clients:
        assert client.properties["AllowedOAuthFlows"] == ["client_credentials"]
        scopes = {each.rpartition("/")[2] for each in client.properties["AllowedOAuthScopes"]}
        assert {"read", "write", "operate", "worker"} == scopes


def test_requests_are_throttled_and_logged(stage: StageTemplate) -> None:
    """Limits before the function, and a line per request without the token."""
    (api_stage,) = stage.of_type("AWS::ApiGatewayV2::Stage")
    throttle = api_stage.properties["DefaultRouteSettings"]
    log_format = json.loads(api_stage.properties["AccessLogSettings"]["Format"])

    assert throttle["ThrottlingRateLimit"] > 0
    assert throttle["ThrottlingBurstLimit"] > 0
    assert {"request_id", "status", "client_id"} <= set(log_format)
    assert [each for each in log_format.values() if "authorization" in each.lower()] == []


def test_any_issuer_can_replace_the_pool(synthesise: Synthesise) -> None:
    """With ``-c issuer=…`` no Cognito resource is made, and the audience is the issuer's."""
    template = synthesise(
        issuer="https://id.example.com", audience="timegate,jobs", tenantClaim="tenant"
    )
    (authorizer,) = template.of_type("AWS::ApiGatewayV2::Authorizer")
    environment = template.function("api").properties["Environment"]["Variables"]

    assert authorizer.properties["JwtConfiguration"] == {
        "Issuer": "https://id.example.com",
        "Audience": ["timegate", "jobs"],
    }
    assert environment["TENANT_CLAIM"] == "tenant"
    assert [each.type for each in template.resources if "Cognito" in each.type] == []


@pytest.mark.parametrize(
    "name",
    [
        *("ApiUrl", "UserPoolId", "UserPoolClientId", "TokenUrl"),
        *("JobsTableName", "RunsTableName", "BlobBucketName"),
        *("QueueUrls", "DeadLetterQueueUrls", "RejectedQueueUrl"),
        *("PlannerFunctionName", "SweeperFunctionName", "RelayFunctionName"),
        *("OutcomesFunctionName", "ApiFunctionName", "DeadLetterFunctionName"),
        "ExecutorFunctionNames",
    ],
)
def test_tools_find_what_they_need_in_the_outputs(stage: StageTemplate, name: str) -> None:
    """Scripts and the command line read outputs and guess no names."""
    assert stage.outputs[name]
