"""A profile as a secret, in a stage with a key of its own."""

from typing import Any

from aws_cdk import App, Stack
from aws_cdk import aws_cognito as cognito
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk.assertions import Template

from infra.constructs.api.identity import TenantClient
from infra.constructs.api.program_access import ProgramAccess
from infra.stage.stage_context import stage_settings

KEY = "arn:aws:kms:eu-central-1:111122223333:key/0f1e2d3c-4b5a-4968-8776-655443322110"


def granted(key_arn: str | None) -> Any:  # noqa: ANN401 - a template
    """The template of a stack with the profile of a client, and a role that was granted it."""
    stack = Stack(App(), "Api")
    pool = cognito.UserPool(stack, "Pool")
    client = pool.add_client("Red", generate_secret=True)
    access = ProgramAccess(
        stack,
        "Program",
        settings=stage_settings(lambda _: None),
        client=TenantClient(tenant="red", client=client),
        api_url="https://api.example.com",
        token_url="https://tokens.example.com",
        key=kms.Key.from_key_arn(stack, "Key", key_arn) if key_arn else None,
    )
    role = iam.Role(stack, "Role", assumed_by=iam.ServicePrincipal("ecs-tasks.amazonaws.com"))
    assert access.grant(role).success
    return Template.from_stack(stack).to_json()["Resources"].values()


def actions(resources: Any) -> set[str]:  # noqa: ANN401 - as above
    """Actions that policies of roles allow."""
    return {
        statement["Action"]
        for each in resources
        if each["Type"] == "AWS::IAM::Policy"
        for statement in each["Properties"]["PolicyDocument"]["Statement"]
    }


def keys(resources: Any) -> list[str | None]:  # noqa: ANN401 - as above
    """Keys of secrets."""
    kept = [each for each in resources if each["Type"] == "AWS::SecretsManager::Secret"]
    return [each["Properties"].get("KmsKeyId") for each in kept]


def test_a_stage_with_a_key_encrypts_the_profile_with_it() -> None:
    """And lets the reader decrypt; without a key neither is there."""
    keyed, plain = granted(KEY), granted(None)
    keys = [
        [
            r["Properties"].get("KmsKeyId")
            for r in each
            if r["Type"] == "AWS::SecretsManager::Secret"
        ]
        for each in (keyed, plain)
    ]

    assert keys == [[KEY], [None]]
    assert actions(keyed) == {"secretsmanager:GetSecretValue", "kms:Decrypt"}
    assert actions(plain) == {"secretsmanager:GetSecretValue"}
