"""Names of tenants' clients and profiles are what Cognito and Secrets Manager take."""

import re
from typing import Any

import botocore.session
import pytest
from aws_cdk import App, Stack
from aws_cdk.assertions import Template
from hypothesis import given
from hypothesis import strategies as st

from infra.constructs.api.client_names import client_name
from infra.constructs.api.identity import TokenPool
from infra.constructs.api.program_access import ProgramAccess
from infra.stage.stage_context import stage_settings
from timegate.domain.values.tenant import TENANT_NAME

TENANTS = ("red", "auth0|ada@example.com", "auth0:ada@example.com", "x" * 128)
#: Secrets Manager's guide takes these in a name; its model has the length alone.
SECRET = re.compile(r"[A-Za-z0-9/_+=.@-]{1,512}")


@pytest.fixture(scope="module")
def names() -> dict[str, list[str]]:
    """Names of clients and of secrets, of programs of these tenants in the longest stage."""
    context = {"stage": "a" * 16, "like": "prod", "tenants": ",".join(TENANTS)}
    stack, settings = Stack(App(), "Api"), stage_settings(context.get)
    pool = TokenPool(stack, "Tokens", settings=settings)
    for client in pool.clients:
        ProgramAccess(
            stack,
            f"Program-{client.tenant}",
            settings=settings,
            client=client,
            api_url="https://api.example.com",
            token_url="https://tokens.example.com",
            key=None,
        )
    made = Template.from_stack(stack).to_json()["Resources"].values()
    return {
        kind: [each["Properties"][name] for each in made if each["Type"] == kind]
        for kind, name in (
            ("AWS::Cognito::UserPoolClient", "ClientName"),
            ("AWS::SecretsManager::Secret", "Name"),
        )
    }


def test_cognito_takes_the_name_of_each_client(names: dict[str, list[str]]) -> None:
    """Tenants of other issuers have a bar or a colon, and their names may be as long as its own."""
    model: Any = botocore.session.get_session().get_service_model("cognito-idp")
    rule = model.shape_for("ClientNameType").metadata
    clients = names["AWS::Cognito::UserPoolClient"]

    assert len(clients) == len(TENANTS)
    for each in clients:
        assert re.fullmatch(rule["pattern"], each)
        assert len(each) <= rule["max"]


def test_secrets_manager_takes_the_name_of_each_profile(names: dict[str, list[str]]) -> None:
    """Each tenant has its own."""
    secrets = names["AWS::SecretsManager::Secret"]

    assert len(set(secrets)) == len(TENANTS)
    assert all(SECRET.fullmatch(each) for each in secrets)


@given(st.from_regex(TENANT_NAME, fullmatch=True), st.from_regex(TENANT_NAME, fullmatch=True))
def test_a_usual_name_stays_and_others_stay_apart(one: str, other: str) -> None:
    """A client that exists keeps its name."""
    usual = re.fullmatch(r"[A-Za-z0-9_.@-]{1,96}", one)

    assert (client_name(one) == one) == bool(usual)
    assert (client_name(one) == client_name(other)) == (one == other)
