"""The way in: routes, scopes, tokens, throttles, logs."""

import json
from pathlib import Path

import pytest

from api.http.tenancy import PREFIX
from infra.constructs.api.identity import NO_AUDIENCE
from infra.constructs.api.job_api import KEY_PATH
from tests.infra.stage_template import Properties, Resource, StageTemplate

DESCRIPTION = Path(__file__).resolve().parents[3] / "docs" / "reference" / "openapi.json"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
HOOK = "POST /v1/hooks/{hook_id}"
#: Routes for a person who holds the link of an approval.
LINKS = {"GET /v1/approval", "POST /v1/approval"}
SIGNED = {HOOK, *LINKS}


@pytest.fixture(scope="module")
def routes(stage: StageTemplate) -> dict[str, Properties]:
    """The gateway's routes, by method and path."""
    found = stage.of_type("AWS::ApiGatewayV2::Route")
    return {each.properties["RouteKey"]: each.properties for each in found}


def test_every_operation_has_a_route_that_asks_for_its_scope(
    routes: dict[str, Properties],
) -> None:
    """Method by method; what the gateway knows besides finds nothing behind it."""
    described = json.loads(DESCRIPTION.read_text())["paths"]
    asked = {
        f"{method.upper()} {path}": operation["security"][0]["token"]
        if operation["security"]
        else None
        for path, methods in described.items()
        for method, operation in methods.items()
    }
    nothing = {f"{method} /v1/{{proxy+}}": None for method in METHODS}
    tokens = {
        k: route.get("AuthorizationScopes") for k, route in routes.items() if not _is_by_key(k)
    }

    assert tokens == asked | nothing


def test_holders_of_keys_have_the_same_paths_behind_one_of_their_own(
    routes: dict[str, Properties],
) -> None:
    """Workers' requests go to their function, and all others to the API's."""
    theirs = {
        key.replace(" /key/", " /"): route for key, route in routes.items() if _is_by_key(key)
    }
    of_workers = {k for k, r in routes.items() if "Workers" in r["Target"] and not _is_open(r)}
    everything = {f"{method} /v1/{{proxy+}}" for method in METHODS}

    assert theirs.keys() == of_workers | everything
    for key, route in theirs.items():
        assert route["AuthorizationType"] == "NONE"
        assert ("Workers" in route["Target"]) is (key in of_workers)


def test_one_path_leads_to_keys() -> None:
    """The gateway's is the one that the function takes away again."""
    assert KEY_PATH == PREFIX


def _is_by_key(route_key: str) -> bool:
    return route_key.partition(" ")[2].startswith("/key/")


def test_no_route_is_open_but_those_of_targets_and_senders(routes: dict[str, Properties]) -> None:
    """A request without a valid token reaches no function, wherever else it goes."""
    for key, route in routes.items():
        of_targets = key.startswith("POST /v1/callbacks/{run_id}/")
        is_open = of_targets or key in SIGNED or _is_by_key(key)
        expected = "NONE" if is_open else "JWT"
        assert route["AuthorizationType"] == expected


def test_requests_without_a_tenant_are_throttled_apart(
    stage: StageTemplate, routes: dict[str, Properties]
) -> None:
    """A caller there without a token uses up no tenant's requests."""
    (api_stage,) = stage.of_type("AWS::ApiGatewayV2::Stage")
    whole = api_stage.properties["DefaultRouteSettings"]["ThrottlingRateLimit"]
    throttles = api_stage.properties["RouteSettings"]

    assert set(throttles) == {k for k, route in routes.items() if _is_open(route)}
    for each in throttles.values():
        assert 0 < each["ThrottlingRateLimit"] < whole
        assert each["ThrottlingBurstLimit"] > 0


def _is_open(route: Properties) -> bool:
    return bool(route["AuthorizationType"] == "NONE")


def test_executors_know_where_targets_call_back(prod: StageTemplate, local: StageTemplate) -> None:
    """The API's own address; on the local cloud its path, as host names resolve nowhere there."""
    urls = [
        json.dumps(each.function("executor-normal-short").properties["Environment"]["Variables"])
        for each in (prod, local)
    ]

    assert ["/_aws/execute-api/" in url for url in urls] == [False, True]


def test_workers_talk_to_a_function_of_their_own(routes: dict[str, Properties]) -> None:
    """It waits for work, and hears targets that call back; the API must not wait with it."""
    theirs = {k for k, r in routes.items() if "Workers" in r["Target"] and not _is_by_key(k)}

    assert theirs == {
        "GET /v1/pools/{pool}",
        *(k for k, r in routes.items() if _is_open(r) and k not in SIGNED and not _is_by_key(k)),
        *(key for key, route in routes.items() if _asks(route) == ["timegate/worker"]),
    }


def _asks(route: Properties) -> list[str] | None:
    scopes: list[str] | None = route.get("AuthorizationScopes")
    return scopes


def test_tokens_come_from_the_stage_s_own_pool(stage: StageTemplate) -> None:
    """Issuer and audience are the pool and its clients."""
    (authorizer,) = stage.of_type("AWS::ApiGatewayV2::Authorizer")
    configuration = authorizer.properties["JwtConfiguration"]
    clients = {each.path for each in stage.of_type("AWS::Cognito::UserPoolClient")}

    assert configuration["Issuer"].endswith("/Tokens/Pool")
    assert (clients or {NO_AUDIENCE}) == set(configuration["Audience"])


@pytest.mark.parametrize("name", ["dev", "prod"])
def test_a_stage_has_no_client_of_a_program_by_itself(
    name: str, request: pytest.FixtureRequest
) -> None:
    """Each costs 6 USD a month: tenants and the administration have API keys."""
    plain: StageTemplate = request.getfixturevalue(name)

    assert plain.of_type("AWS::Cognito::UserPoolClient") == []
    assert {"UserPoolClientId", "TenantClientIds", "AdminClientId"} & set(plain.outputs) == set()


def test_clients_of_programs_are_those_that_are_asked_for(chosen: StageTemplate) -> None:
    """One of the administration, and one of each tenant."""
    clients = {
        each.path.removeprefix("Tokens/Pool/")
        for each in chosen.of_type("AWS::Cognito::UserPoolClient")
    }

    assert clients == {"Administration", "Tenant-red", "Tenant-blue"}
    assert chosen.outputs["AdminClientId"]


def test_a_tenant_is_a_machine_without_the_admin_scope(chosen: StageTemplate) -> None:
    """Client credentials only; quotas and other tenants' settings are not a tenant's."""
    clients = chosen.of_type("AWS::Cognito::UserPoolClient")
    tenants = [each for each in clients if "/Tenant-" in each.path]

    assert tenants
    assert {"client_credentials"} == {
        flow for each in tenants for flow in each.properties["AllowedOAuthFlows"]
    }
    for client in tenants:
        assert {"read", "write", "operate", "send", "worker"} == scopes_of(client)


def test_who_administers_the_stage_is_no_tenant(chosen: StageTemplate) -> None:
    """A client of its own, with a scope that lets it do nothing else."""
    clients = chosen.of_type("AWS::Cognito::UserPoolClient")
    (admin,) = [each for each in clients if each.path.endswith("/Administration")]

    assert {"admin"} == scopes_of(admin)
    assert admin.properties["AllowedOAuthFlows"] == ["client_credentials"]


def scopes_of(client: Resource) -> set[str]:
    """Return the scopes that a client's tokens may have."""
    return {each.rpartition("/")[2] for each in client.properties["AllowedOAuthScopes"]}


def test_requests_are_throttled_and_logged(stage: StageTemplate) -> None:
    """Limits before the function, and a line per request without the token."""
    (api_stage,) = stage.of_type("AWS::ApiGatewayV2::Stage")
    throttle = api_stage.properties["DefaultRouteSettings"]
    log_format = json.loads(api_stage.properties["AccessLogSettings"]["Format"])

    assert throttle["ThrottlingRateLimit"] > 0
    assert throttle["ThrottlingBurstLimit"] > 0
    assert {"request_id", "status", "client_id"} <= set(log_format)
    assert [each for each in log_format.values() if "authorization" in each.lower()] == []
    # Links of approvals are parameters, which a path does not have.
    assert [each for each in log_format.values() if "query" in each.lower()] == []


def test_browsers_are_told_of_no_page_unless_asked(dev: StageTemplate) -> None:
    """A page of another origin then cannot read an answer, whatever token it has."""
    (api,) = dev.of_type("AWS::ApiGatewayV2::Api")

    assert "CorsConfiguration" not in api.properties


def test_pages_of_chosen_origins_may_call_the_api(chosen: StageTemplate) -> None:
    """With every method and header of the description, and without cookies."""
    (api,) = chosen.of_type("AWS::ApiGatewayV2::Api")
    cors = api.properties["CorsConfiguration"]
    described = json.loads(DESCRIPTION.read_text())["paths"]
    operations = [each for methods in described.values() for each in methods.values()]
    # No page has the key with which senders of web hooks sign.
    operations = [each for each in operations if each["operationId"] != "receiveHook"]
    sent = {p["name"] for each in operations for p in each["parameters"] if p["in"] == "header"}
    answered = {
        name
        for each in operations
        for answer in each["responses"].values()
        for name in answer.get("headers", {})
    }

    assert cors["AllowOrigins"] == ["https://console.example.com", "https://b.example.com"]
    assert set(cors["AllowMethods"]) == set(METHODS)
    assert set(cors["AllowHeaders"]) == {"Authorization", "Content-Type"} | sent
    # A browser obeys these by itself, and no page reads them.
    obeyed = {"Content-Security-Policy", "X-Content-Type-Options"}
    assert set(cors["ExposeHeaders"]) >= answered - obeyed
    assert "Date" in cors["ExposeHeaders"]
    assert "AllowCredentials" not in cors


def test_any_issuer_can_replace_the_pool(foreign: StageTemplate) -> None:
    """With ``-c issuer=…`` no Cognito resource is made, and the audience is the issuer's."""
    (authorizer,) = foreign.of_type("AWS::ApiGatewayV2::Authorizer")
    environment = foreign.function("api").properties["Environment"]["Variables"]

    assert authorizer.properties["JwtConfiguration"] == {
        "Issuer": "https://id.example.com",
        "Audience": ["timegate", "jobs"],
    }
    assert environment["TENANT_CLAIM"] == "tenant"
    assert [each.type for each in foreign.resources if "Cognito" in each.type] == []


@pytest.mark.parametrize(
    "name",
    [
        *("ApiUrl", "UserPoolId", "TokenUrl"),
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


def test_groups_that_services_deliver_logs_to_are_vended(stage: StageTemplate) -> None:
    """One policy of 5,120 characters in a Region lists all others, and is full in large accounts.

    API Gateway then enables no log, and CloudFormation takes the stage back.
    """
    names = {each.properties["LogGroupName"] for each in stage.of_type("AWS::Logs::LogGroup")}
    delivered = {each for each in names if not each.startswith("/aws/lambda/")}

    assert len(delivered) == 2
    assert all(each.startswith("/aws/vendedlogs/") for each in delivered)
