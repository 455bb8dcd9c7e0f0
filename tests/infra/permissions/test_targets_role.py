"""The targets' role: AWS keeps tenants apart where our code does not."""

from dataclasses import replace

import pytest

from infra.stage.settings import QUEUE_KEYS, STAGES
from infra.stage.target_patterns import TargetPatternError, check_patterns
from tests.infra.permissions.allowed import TARGET_CLUSTERS, TARGETS
from tests.infra.stage_template import Grant, StageTemplate, listed

ROLE = "Executors/Targets/Role"
HOOKS = "HookSecrets/Role"
TAG = "${aws:PrincipalTag/tenant}"


def test_a_session_may_do_exactly_what_targets_need(prod: StageTemplate) -> None:
    """On the resources of the tenant that its tag names, and on no other."""
    facts = {
        Grant(f"{service}:{action}", resource)
        for service, actions, resources in TARGETS
        for action in actions
        for resource in resources
    }

    assert facts == prod.grants_of_role(ROLE)
    assert {grant.action for grant in facts if TAG not in grant.resource} == {"ecs:ListTasks"}


def test_tasks_run_and_are_listed_in_the_clusters_of_the_tenant(stage: StageTemplate) -> None:
    """A definition of the tenant's runs in no other cluster; a list takes no resource."""
    bound = {
        action: each["Condition"]
        for each in stage.statements_of_role(ROLE)
        for action in listed(each["Action"])
        if action in {"ecs:RunTask", "ecs:ListTasks"}
    }
    clusters = {"ArnLike": {"ecs:cluster": [TARGET_CLUSTERS]}}

    assert bound == {"ecs:RunTask": clusters, "ecs:ListTasks": clusters}


def test_roles_are_passed_to_tasks_alone(stage: StageTemplate) -> None:
    """A session that could pass a role to another service could have that act for it."""
    (condition,) = (
        each["Condition"]
        for each in stage.statements_of_role(ROLE)
        if each["Action"] == "iam:PassRole"
    )

    assert condition == {"StringEquals": {"iam:PassedToService": "ecs-tasks.amazonaws.com"}}


def test_every_right_on_a_tenants_target_names_the_session(stage: StageTemplate) -> None:
    """A target shared between tenants is named in full: it has no wildcard."""
    resources = {
        grant.resource for grant in stage.grants_of_role(ROLE) if grant.action != "ecs:ListTasks"
    }

    assert [each for each in resources if TAG not in each and "*" in each] == []


def test_executors_alone_assume_it_and_only_for_a_tenant(stage: StageTemplate) -> None:
    """Not without a tag, and not with another one beside it."""
    (statement,) = stage.one(ROLE).properties["AssumeRolePolicyDocument"]["Statement"]
    roles = [f"Executors/{key}/Role.Arn" for key in QUEUE_KEYS]

    assert statement["Effect"] == "Allow"
    assert sorted(statement["Action"]) == ["sts:AssumeRole", "sts:TagSession"]
    # The template is other tests' as well: a copy is taken apart.
    condition = dict(statement["Condition"])
    assert sorted(condition.pop("ArnEquals")["aws:PrincipalArn"]) == sorted(roles)
    assert condition == {
        "StringLike": {"aws:RequestTag/tenant": "?*"},
        "ForAllValues:StringEquals": {"aws:TagKeys": ["tenant"]},
    }


def test_the_api_alone_reads_secrets_of_web_hooks_and_only_for_a_tenant(
    stage: StageTemplate,
) -> None:
    """Its role reads what the targets' role reads, and calls no target."""
    reading = {"secretsmanager:GetSecretValue", "ssm:GetParameter"}
    (statement,) = stage.one(HOOKS).properties["AssumeRolePolicyDocument"]["Statement"]
    readable = {grant for grant in stage.grants_of_role(ROLE) if grant.action in reading}

    assert stage.grants_of_role(HOOKS) == readable
    assert all(TAG in grant.resource for grant in readable)
    assert statement["Condition"] == {
        "ArnEquals": {"aws:PrincipalArn": ["Function/Role.Arn"]},
        "StringLike": {"aws:RequestTag/tenant": "?*"},
        "ForAllValues:StringEquals": {"aws:TagKeys": ["tenant"]},
    }


def test_a_trust_policy_fits_into_aws_limit(prod: StageTemplate) -> None:
    """2,048 characters; a role's ARN has at most 64 characters of a name."""
    (statement,) = prod.one(ROLE).properties["AssumeRolePolicyDocument"]["Statement"]
    arns = [f"arn:aws:iam::{'1' * 12}:role/{'n' * 64}" for _ in QUEUE_KEYS]
    condition = statement["Condition"] | {"ArnEquals": {"aws:PrincipalArn": arns}}
    text = str({"Version": "2012-10-17", "Statement": [statement | {"Condition": condition}]})

    assert len(text.replace(" ", "")) < 2_048


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param("team-{tenant}*", id="nothing ends the name"),
        pytest.param("team-{tenant}_x", id="an underscore is part of a name"),
        pytest.param("team-{tenant}?x", id="a wildcard is no end"),
        pytest.param("*-{tenant}-x", id="a wildcard before it"),
        pytest.param("t?am-{tenant}-x", id="any character before it"),
        pytest.param("{tenant}-{tenant}-x", id="twice"),
        pytest.param("arn:aws:lambda:{tenant}:1:function:x", id="not in the name"),
    ],
)
def test_a_pattern_that_could_mean_two_tenants_is_refused(pattern: str) -> None:
    """At synthesis, naming the setting and the pattern."""
    with pytest.raises(TargetPatternError, match="lambda_targets"):
        check_patterns("lambda_targets", [pattern])


@pytest.mark.parametrize(
    "pattern",
    [
        "timegate-target-{tenant}-*",
        "timegate-target/{tenant}/*",
        "{tenant}.jobs",
        "jobs-of-{tenant}",
        "arn:aws:lambda:*:111122223333:function:jobs-{tenant}-*",
        "shared-*",
    ],
)
def test_a_pattern_that_means_one_tenant_is_taken(pattern: str) -> None:
    """Something a form of a name never holds ends it; or all tenants share it."""
    check_patterns("lambda_targets", [pattern])


@pytest.mark.parametrize(
    "pattern", ["*", "timegate-*", "timegate-prod-planner", "*-shared", "t*p?od-*", "timegate-p*"]
)
def test_no_job_may_target_the_stage_itself(pattern: str) -> None:
    """A message in a run queue, or an event for an executor, speaks for any tenant."""
    targets = {**STAGES["prod"].targets, "sqs": (pattern,)}

    with pytest.raises(TargetPatternError, match=r"queueTargets: .* own resources, timegate-prod-"):
        replace(STAGES["prod"], targets=targets)


@pytest.mark.parametrize("name", ["prod", "pre-prod"])
def test_no_tenant_is_called_as_the_stage_is(name: str) -> None:
    """The queues of stage ``pre-prod`` were those of a tenant ``pre``."""
    targets = {**STAGES["prod"].targets, "sqs": ("timegate-{tenant}-*",)}

    with pytest.raises(TargetPatternError, match="own resources"):
        replace(STAGES["prod"], name=name, targets=targets)


@pytest.mark.parametrize("pattern", ["shared-*", "timegate-production", "arn:aws:sqs:*:1:*"])
def test_a_pattern_beside_the_stage_is_taken(pattern: str) -> None:
    """An ARN may be of another account."""
    replace(STAGES["prod"], targets={**STAGES["prod"].targets, "sqs": (pattern,)})


@pytest.mark.parametrize("name", ["target", "target-red"])
def test_no_stage_is_called_as_targets_are(name: str) -> None:
    """A tenant ``red`` of another stage could send to its queues, by AWS's own policy as well."""
    with pytest.raises(TargetPatternError, match=f"stage: .*timegate-{name}-"):
        replace(STAGES["prod"], name=name)

    assert replace(STAGES["prod"], name="targets").name == "targets"


def test_no_pattern_goes_on_where_another_has_its_tenant() -> None:
    """A tenant called ``target`` would have all of the second pattern's."""
    with pytest.raises(TargetPatternError, match="does not begin as"):
        check_patterns("queue_targets", ["timegate-{tenant}-*", "timegate-target-{tenant}-*"])


def test_the_stages_keep_tenants_apart() -> None:
    """Only the local stage shares targets: the demonstration's."""
    shared = {
        (stage.name, name, each)
        for stage in STAGES.values()
        for name, listed in stage.targets.items()
        for each in listed
        if "{tenant}" not in each
    }

    assert shared == {("local", kind, "timegate-target-demo") for kind in ("lambda", "sqs")}
