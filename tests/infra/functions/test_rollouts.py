"""Versions, the alias that is invoked, and what CodeDeploy does when a version is no good."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from infra.admin.rollout import Invoked, Version
from infra.rollout_choice import ROLLOUTS, RolloutError
from infra.stage.settings import FUNCTION_NAMES
from infra.stage.stage_context import stage_settings
from tests.infra.observability.alarm_reading import OF_TENANTS
from tests.infra.stage_template import Grant, Resource, StageTemplate, listed
from tests.support.factories import NOW

PREFIX = "timegate-prod-"
#: CodeDeploy user guide, Monitoring deployments with CloudWatch alarms.
MOST_ALARMS = 10


def groups(template: StageTemplate) -> dict[str, Resource]:
    """Deployment groups by their function."""
    found = template.of_type("AWS::CodeDeploy::DeploymentGroup")
    return {each.properties["DeploymentGroupName"].removeprefix(PREFIX): each for each in found}


def alarms_of(template: StageTemplate, group: Resource) -> list[str]:
    """The names of the alarms that end a rollout; a group refers to those of its stack."""
    names = {each.path: each.properties["AlarmName"] for each in alarms(template)}
    found = [each["Name"] for each in group.properties["AlarmConfiguration"]["Alarms"]]
    return [names.get(name, name).removeprefix(PREFIX) for name in found]


def alarms(template: StageTemplate) -> list[Resource]:
    """Every alarm on a metric."""
    return template.of_type("AWS::CloudWatch::Alarm")


def test_every_function_is_invoked_by_an_alias_of_a_version(stage: StageTemplate) -> None:
    """One alias each; its version has the function's code and variables as they were."""
    functions = [each.path for each in stage.of_type("AWS::Lambda::Function")]
    aliases = stage.of_type("AWS::Lambda::Alias")

    assert sorted(each.properties["FunctionName"] for each in aliases) == sorted(functions)
    for alias in aliases:
        assert alias.properties["Name"] == "live"
        version = f"{alias.properties['FunctionName']}/CurrentVersion.Version"
        assert alias.properties["FunctionVersion"] == version


def test_versions_outlive_their_replacement_and_not_a_rollback(stage: StageTemplate) -> None:
    """A rollback goes back to them; what was made by a failed update is deleted with it."""
    versions = stage.of_type("AWS::Lambda::Version")

    assert len(versions) == len(FUNCTION_NAMES)
    assert {each.deletion_policy for each in versions} == {"RetainExceptOnCreate"}


def references(value: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON value
    """Every text in a value."""
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        for each in value:
            yield from references(each)
    if isinstance(value, str):
        yield value


#: Types that invoke functions, and where they name them.
INVOKERS = {
    "AWS::Lambda::EventSourceMapping": "FunctionName",
    "AWS::Lambda::Permission": "FunctionName",
    "AWS::Scheduler::Schedule": "Target",
    "AWS::StepFunctions::StateMachine": "DefinitionSubstitutions",
    "AWS::ApiGatewayV2::Integration": "IntegrationUri",
    "AWS::Events::Rule": "Targets",
}


def test_whatever_invokes_a_function_names_its_alias(
    landing: StageTemplate, telling: StageTemplate
) -> None:
    """Sources, schedules, rules, the API and the machine: a version that none names is none's."""
    stages = [landing, telling]
    functions = {each.path for stage in stages for each in stage.of_type("AWS::Lambda::Function")}
    aliases = {each.path for stage in stages for each in stage.of_type("AWS::Lambda::Alias")}
    for kind, field in INVOKERS.items():
        named = {
            text.removesuffix(".Arn")
            for stage in stages
            for each in stage.of_type(kind)
            for text in references(each.properties[field])
        }
        assert named & aliases, kind
        assert not named & functions, kind
    configured = [e for stage in stages for e in stage.of_type("AWS::Lambda::EventInvokeConfig")]
    assert {each.properties["Qualifier"] for each in configured} == {"live"}


def test_who_invokes_the_alias_may_still_invoke_the_function(prod: StageTemplate) -> None:
    """A role changes before its schedules do, and executions of DAG runs outlive a deployment."""
    roles = {
        each.properties["RoleArn"] for each in prod.of_type("AWS::StepFunctions::StateMachine")
    }
    roles |= {s.properties["Target"]["RoleArn"] for s in prod.of_type("AWS::Scheduler::Schedule")}
    assert len(roles) == 5
    for role in roles:
        granted = prod.grants_of_role(role.removesuffix(".Arn"))
        (alias,) = (each.resource for each in granted if each.resource.endswith("/Live"))
        assert Grant("lambda:InvokeFunction", f"{prod.behind(alias)}.Arn") in granted


@pytest.mark.parametrize("name", ["Function", "Workers"])
def test_an_integration_is_made_after_its_permission(prod: StageTemplate, name: str) -> None:
    """A stage that is upgraded to aliases is asked meanwhile."""
    (integration,) = (
        each
        for each in prod.of_type("AWS::ApiGatewayV2::Integration")
        if each.properties["IntegrationUri"] == f"{name}/Live"
    )
    (permission,) = (
        each
        for each in prod.of_type("AWS::Lambda::Permission")
        if each.properties["FunctionName"] == f"{name}/Live"
    )
    assert permission.path in integration.depends_on


def test_every_function_of_a_canary_has_a_group_that_goes_back(prod: StageTemplate) -> None:
    """At an alarm, a failure or a person's stop."""
    found = groups(prod)

    assert found.keys() == set(FUNCTION_NAMES)
    for group in found.values():
        assert group.properties["DeploymentConfigName"] == ROLLOUTS["canary"]
        assert group.properties["AlarmConfiguration"]["Enabled"]
        assert group.properties["AutoRollbackConfiguration"] == {
            "Enabled": True,
            "Events": [
                "DEPLOYMENT_FAILURE",
                "DEPLOYMENT_STOP_ON_ALARM",
                "DEPLOYMENT_STOP_ON_REQUEST",
            ],
        }


def test_each_alias_is_moved_by_its_functions_group(prod: StageTemplate) -> None:
    """CloudFormation leaves the alias to CodeDeploy."""
    policies = prod.update_policies("AWS::Lambda::Alias")
    found = {each.path: each for each in groups(prod).values()}

    assert len(policies) == len(FUNCTION_NAMES)
    for path, policy in policies.items():
        group = found[policy["CodeDeployLambdaAliasUpdate"]["DeploymentGroupName"]]
        name = prod.one(prod.behind(path)).properties["FunctionName"]
        assert group.properties["DeploymentGroupName"] == name
        application = policy["CodeDeployLambdaAliasUpdate"]["ApplicationName"]
        assert application == group.properties["ApplicationName"]


def test_alarms_of_stage_health_end_a_rollout(prod: StageTemplate) -> None:
    """Each that a new version can set off, of its function's group at least; of tenants none.

    Objectives are none of them: their windows are hours. Nor are clocks, which AWS sets.
    """
    watched = {name for group in groups(prod).values() for name in alarms_of(prod, group)}
    health = {each.properties["AlarmName"].removeprefix(PREFIX) for each in alarms(prod)}
    objectives = {name for name in health if "-burn-" in name}

    left_out = {"runs-killed-workers", "executors-clock-skew"}
    assert health - objectives - OF_TENANTS - watched == left_out
    assert watched <= health - OF_TENANTS


def test_a_group_watches_its_functions_alarms_first(prod: StageTemplate) -> None:
    """All of them, and as many of the others as CodeDeploy takes: some groups are cut there."""
    found = {name: alarms_of(prod, group) for name, group in groups(prod).items()}
    health = {each.properties["AlarmName"].removeprefix(PREFIX) for each in alarms(prod)}

    assert max(map(len, found.values())) == MOST_ALARMS
    assert found["api"] == ["api-errors", "api-throttles", "api-5xx"]
    assert found["executor-high-long"][:2] == ["high-long-age", "high-long-dlq-depth"]
    for name in ("planner", "auditor", "relay", "outcomes", "operations"):
        own = {each for each in health - OF_TENANTS if each.startswith(f"{name}-")}
        # It belongs to the queue of looks, not to the function.
        own -= {"sweeper-looks-silence"}
        assert {*found[name][: len(own)]} == own, name
        assert f"{name}-errors" in own


def test_lost_ticks_end_the_rollout_of_a_function_with_ticks(prod: StageTemplate) -> None:
    """Also where its own alarms leave little room; tickets of others take none of it."""
    found = {name: alarms_of(prod, group) for name, group in groups(prod).items()}

    for name in ("planner", "sweeper", "auditor", "archiver"):
        assert found[name].count("ticks-dlq-depth") == 1, name
    assert found["planner"][5:] == [
        *("ticks-dlq-depth", "rejected-depth", "sweeper-looks-silence"),
        *("executors-errors", "executors-throttles"),
    ]
    assert found["relay"][3:] == [
        *("rejected-depth", "sweeper-looks-silence"),
        *("executors-errors", "executors-throttles", "ticks-dlq-depth"),
    ]


def test_codedeploy_moves_aliases_of_the_stage_alone(prod: StageTemplate) -> None:
    """The role allows AWS's own policy's actions, on the functions of one stack."""
    roles = {each.properties["ServiceRoleArn"] for each in groups(prod).values()}
    assert len({each.stack for each in groups(prod).values()}) == 2
    for statement in (
        each for role in roles for each in prod.statements_of_role(role.removesuffix(".Arn"))
    ):
        actions, on = set(listed(statement["Action"])), listed(statement["Resource"])
        if actions == {"cloudwatch:DescribeAlarms"}:
            assert on == ["*"]
            continue
        assert actions == {
            *("lambda:GetAlias", "lambda:UpdateAlias"),
            "lambda:GetProvisionedConcurrencyConfig",
        }
        assert "*" not in str(on)


@pytest.mark.parametrize("name", ["local", "dev"])
def test_other_stages_move_at_once(request: pytest.FixtureRequest, name: str) -> None:
    """The alias alone: a stage without traffic needs no wait, and the emulator has no more."""
    template: StageTemplate = request.getfixturevalue(name)

    assert not template.of_type("AWS::CodeDeploy::DeploymentGroup")
    assert not template.of_type("AWS::CodeDeploy::Application")
    assert not template.update_policies("AWS::Lambda::Alias")


def test_a_fix_goes_out_at_once_without_being_remembered() -> None:
    """An alarm that is on ends each canary, also that of its fix."""
    settings = stage_settings({"stage": "prod", "rollout": "at-once"}.get)

    assert settings.rollout == "at-once"
    assert "rollout" not in settings.choices
    assert stage_settings({"stage": "prod"}.get).rollout == "canary"
    assert stage_settings({"rollout": "linear"}.get).rollout == "linear"


@pytest.mark.parametrize("given", ["Canary", "10", "at once"])
def test_another_way_is_refused_with_the_known_ones(given: str) -> None:
    """Before anything is synthesised."""
    with pytest.raises(RolloutError, match=r"rollout: .* at-once, canary, slow-canary, linear"):
        stage_settings({"rollout": given}.get)


def test_a_function_goes_back_to_what_was_the_newest_then() -> None:
    """A version that came at the instant itself is none of before."""
    versions = [
        Version(number=str(number), changed_at=NOW + timedelta(hours=number)) for number in (1, 2)
    ]
    function = Invoked(function="timegate-prod-api", live="2", shares={}, versions=versions)
    instants = (NOW + timedelta(hours=1), versions[0].changed_at + _TICK, versions[1].changed_at)

    assert function.before(instants[0]) is None
    assert function.before(instants[1]) == function.before(instants[2]) == versions[0]
    assert function.before(versions[1].changed_at + _TICK) == versions[1]


_TICK = timedelta(milliseconds=1)
