"""The example's templates: the stage, what the shop was granted, and nothing besides."""

import json
from typing import Any

from tests.infra.stage_template import Grant, StageTemplate, listed

STAGE = {f"Timegate-shop-{name}" for name in ("Data", "Api", "Dispatch", "Observability")}


def variables(template: StageTemplate, path: str) -> dict[str, str]:
    """The environment of one of the shop's functions."""
    found: dict[str, str] = template.one(path).properties["Environment"]["Variables"]
    return found


def test_the_stage_is_four_stacks_that_need_none_of_the_apps(example: StageTemplate) -> None:
    """They are called after the stage; what uses it is deployed after them."""
    needed = example.stack_dependencies

    assert set(example.stacks) == {*STAGE, "Shop"}
    assert all("Shop" not in needed[each] for each in STAGE)
    assert needed["Shop"] == STAGE


def test_a_function_that_may_schedule_reads_one_profile(example: StageTemplate) -> None:
    """It is told where, by the variable that the SDK looks for; no other function may."""
    (secret,) = example.of_type("AWS::SecretsManager::Secret")
    name = "timegate-shop-profile/shop"
    arn = f"arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:{name}-??????"

    assert secret.stack == "Timegate-shop-Api"
    assert secret.properties["Name"] == name
    assert variables(example, "Desk")["TIMEGATE_PROFILE_SECRET"] == name
    assert example.grants_of_role("Desk/ServiceRole") == {
        Grant("secretsmanager:GetSecretValue", arn)
    }
    for other in ("Report/ServiceRole", "Clerk/ServiceRole"):
        assert not any("secret" in each.action for each in example.grants_of_role(other))


def test_no_template_has_the_text_of_the_secret(example: StageTemplate) -> None:
    """Each member of the profile is a reference, or an address made of references."""
    (secret,) = example.of_type("AWS::SecretsManager::Secret")
    profile = json.loads(secret.properties["SecretString"])

    assert profile == {
        "api_url": "https://JobApi/Api.execute-api.<AWS::Region>.<AWS::URLSuffix>/",
        "token_url": "https://timegate-shop-<AWS::AccountId>.auth.<AWS::Region>"
        ".amazoncognito.com/oauth2/token",
        "client_id": "Tokens/Pool/Tenant-shop",
        "client_secret": "Tokens/Pool/Tenant-shop.ClientSecret",
    }


def test_events_of_the_stage_call_the_function(example: StageTemplate) -> None:
    """The rule takes the requested types, from this stage's tenants."""
    (rule,) = [
        each
        for each in example.of_type("AWS::Events::Rule")
        if each.properties.get("EventBusName") == "CloudEvents/Bus"
    ]
    (permission,) = [
        each
        for each in example.of_type("AWS::Lambda::Permission")
        if each.properties["Principal"] == "events.amazonaws.com" and each.stack == "Shop"
    ]
    targets: list[dict[str, Any]] = rule.properties["Targets"]

    assert rule.properties["EventPattern"] == {
        "source": [{"prefix": "/timegate/shop/"}],
        "detail-type": [{"prefix": "io.timegate.run.succeeded"}],
    }
    assert [each["Arn"] for each in targets] == ["Clerk.Arn"]
    assert permission.properties["SourceArn"] == f"{rule.path}.Arn"


def test_attributes_say_what_the_stage_is(example: StageTemplate) -> None:
    """The address of the API, and the names of functions."""
    outputs = example.outputs

    assert outputs["StageUrl"] == outputs["ApiUrl"]
    assert outputs["StagePlannerName"] == "timegate-shop-planner"
    assert "timegate-shop-planner" in {
        each.properties["FunctionName"]
        for each in example.of_type("AWS::Lambda::Function")
        if each.stack in STAGE
    }


def test_jobs_may_call_the_report(example: StageTemplate) -> None:
    """By the name that the props list, which the targets' role is allowed."""
    allowed = {
        resource
        for policy in example.of_type("AWS::IAM::Policy")
        for statement in policy.properties["PolicyDocument"]["Statement"]
        if "lambda:InvokeFunction" in listed(statement["Action"])
        for resource in listed(statement["Resource"])
    }

    assert any(each.endswith(":function:shop-report") for each in allowed)
