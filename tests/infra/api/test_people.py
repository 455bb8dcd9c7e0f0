"""People of the pool: a public client, a group for each role, and what functions are told."""

import json
from typing import Any

import pytest

from tests.infra.conftest import Synthesise
from tests.infra.stage_template import StageTemplate
from timegate.domain.tenants.people import SIGN_IN_RETURNS

CONSOLE = "https://console.example.com"


@pytest.fixture(scope="module")
def served(synthesise: Synthesise) -> StageTemplate:
    """A stage with a console."""
    return synthesise(consoleOrigins=CONSOLE, tenants="red,blue")


@pytest.fixture(scope="module")
def client(served: StageTemplate) -> dict[str, Any]:
    """The client with which people sign in."""
    return dict(served.one("Tokens/Pool/Console").properties)


def people_of(template: StageTemplate, function: str) -> dict[str, Any]:
    """Return a function's rules about people."""
    variables = template.function(function).properties["Environment"]["Variables"]
    told: dict[str, Any] = json.loads(variables["PEOPLE"])
    return told


def test_people_sign_in_by_a_code_and_without_a_secret(client: dict[str, Any]) -> None:
    """The browser keeps no secret; no password reaches an API."""
    assert client["AllowedOAuthFlows"] == ["code"]
    assert client["GenerateSecret"] is False
    assert client["CallbackURLs"] == [f"{CONSOLE}/signed-in", *SIGN_IN_RETURNS]
    assert client["LogoutURLs"] == [f"{CONSOLE}/signed-out"]


def test_a_client_whose_refresh_tokens_rotate_names_its_flows(
    client: dict[str, Any], served: StageTemplate
) -> None:
    """Without a list it had those by passwords, and by refresh tokens that do not rotate.

    The one that is named begins by a function, and the pool has none.
    """
    (pool,) = served.of_type("AWS::Cognito::UserPool")

    assert client["RefreshTokenRotation"]["Feature"] == "ENABLED"
    assert client["ExplicitAuthFlows"] == ["ALLOW_CUSTOM_AUTH"]
    assert "LambdaConfig" not in pool.properties


def test_tokens_of_people_are_short_and_revocable(client: dict[str, Any]) -> None:
    """A quarter of an hour, renewed for half a day; a stolen refresh token is found out."""
    units = client["TokenValidityUnits"]
    assert (client["AccessTokenValidity"], units["AccessToken"]) == (15, "minutes")
    assert (client["RefreshTokenValidity"], units["RefreshToken"]) == (720, "minutes")
    assert client["RefreshTokenRotation"]["Feature"] == "ENABLED"
    assert client["EnableTokenRevocation"] is True
    assert client["PreventUserExistenceErrors"] == "ENABLED"


def test_people_work_as_no_worker(client: dict[str, Any]) -> None:
    """Their client is granted every other scope; roles narrow them down."""
    scopes = {each.rpartition("/")[2] for each in client["AllowedOAuthScopes"]}

    assert scopes == {"openid", "read", "write", "operate", "send", "admin"}
    assert "aws.cognito.signin.user.admin" not in client["AllowedOAuthScopes"]


def test_each_role_is_a_group(served: StageTemplate) -> None:
    """Administrators make people, and put them into groups; no person signs up."""
    groups = served.of_type("AWS::Cognito::UserPoolGroup")
    (pool,) = served.of_type("AWS::Cognito::UserPool")

    assert {each.properties["GroupName"] for each in groups} == {
        *("viewer", "operator", "editor", "admin"),
    }
    assert pool.properties["AdminCreateUserConfig"]["AllowAdminCreateUserOnly"] is True


@pytest.mark.parametrize("function", ["api", "workers"])
def test_functions_tell_people_by_the_console_s_client(
    served: StageTemplate, function: str
) -> None:
    """Names of tenants stand in the order of their clients, with which the audience begins."""
    variables = served.function(function).properties["Environment"]["Variables"]
    audience = variables["TOKEN_AUDIENCE"].split(",")
    people = people_of(served, function)

    assert people["client"] == audience[-1] == "Tokens/Pool/Console"
    assert people["tenants"] == ["red", "blue"]
    assert [each.rpartition("-")[2] for each in audience[:2]] == people["tenants"]


def test_people_of_tenants_made_at_run_time_need_no_client_of_a_tenant(
    synthesise: Synthesise,
) -> None:
    """An empty list says that names of people begin with their tenants; by default it is empty."""
    default = synthesise(consoleOrigins=CONSOLE, tenants="")

    assert people_of(default, "api") == {"client": "Tokens/Pool/Console", "tenants": []}


def test_pages_of_the_console_may_call_the_api(served: StageTemplate) -> None:
    """Their origin needs no setting of its own."""
    (api,) = served.of_type("AWS::ApiGatewayV2::Api")

    assert api.properties["CorsConfiguration"]["AllowOrigins"] == [CONSOLE]


def test_a_stage_without_a_console_has_no_client_of_people(dev: StageTemplate) -> None:
    """It has nowhere to send them back to."""
    clients = {each.path for each in dev.of_type("AWS::Cognito::UserPoolClient")}

    assert "Tokens/Pool/Console" not in clients
    assert "client" not in people_of(dev, "api")


def test_an_issuer_of_one_s_own_names_client_and_roles(foreign: StageTemplate) -> None:
    """By settings; the tenant of people is a claim that the issuer gives."""
    assert people_of(foreign, "api") == {"client": "spa", "roles_claim": "roles"}


def test_people_without_a_claim_of_their_tenant_are_refused(synthesise: Synthesise) -> None:
    """A client is a program's tenant: people would all be in one."""
    with pytest.raises(ValueError, match="tenantClaim"):
        synthesise(issuer="https://id.example.com", audience="timegate", consoleClient="spa")
