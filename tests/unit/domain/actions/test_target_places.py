"""Jobs name targets and secrets in regions that the operator allows, and in no other."""

from dataclasses import replace

import pytest

from timegate.domain.actions.action import Action
from timegate.domain.actions.kinds.aws_lambda import LambdaAction
from timegate.domain.actions.kinds.ecs import EcsAction
from timegate.domain.actions.kinds.eventbridge import EventBridgeAction
from timegate.domain.actions.kinds.sns import SnsAction
from timegate.domain.actions.kinds.sqs import SqsAction
from timegate.domain.actions.kinds.stepfunctions import StepFunctionsAction
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.actions.target_rules import (
    ReachablePlaces,
    TargetPlace,
    TargetRules,
    is_region,
    partition_of,
)
from timegate.domain.actions.web_addresses import check_secret
from timegate.domain.channels.sns import SnsChannel
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId

ACME = TenantId("acme")
OWN = TargetPlace(partition="aws", region="eu-central-1", account="111122223333")
#: Lists that hold back nothing: the places alone decide.
RULES = TargetRules(
    allowed=dict.fromkeys(
        ("lambda", "sqs", "sns", "eventbridge", "stepfunctions", "ecs", "ecs_clusters"),
        ("arn:*:*:*:*:*",),
    ),
    allowed_secrets=("arn:*:secretsmanager:*:*:secret:*", "arn:*:ssm:*:*:parameter/*"),
    places=ReachablePlaces(own=OWN, regions=frozenset({"us-east-1"})),
)


def actions(region: str, account: str = OWN.account, partition: str = "aws") -> dict[str, Action]:
    """Return an action of each kind that calls AWS, in a place."""
    place = f"{region}:{account}"
    domain = "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
    return {
        "lambda": LambdaAction(function_arn=f"arn:{partition}:lambda:{place}:function:f"),
        "sqs": SqsAction(queue_url=f"https://sqs.{region}.{domain}/{account}/q"),
        "sns": SnsAction(topic_arn=f"arn:{partition}:sns:{place}:t"),
        "eventbridge": EventBridgeAction(
            bus_arn=f"arn:{partition}:events:{place}:event-bus/b", source="a", detail_type="b"
        ),
        "stepfunctions": StepFunctionsAction(
            state_machine_arn=f"arn:{partition}:states:{place}:stateMachine:m"
        ),
        "ecs": EcsAction(
            cluster_arn=f"arn:{partition}:ecs:{place}:cluster/c",
            task_definition="d",
            container="app",
            subnets=("subnet-1",),
        ),
    }


def codes(found: dict[str, Action], rules: TargetRules = RULES) -> dict[str, str | None]:
    """Return the code with which each action is refused; ``None``: it is taken."""
    return {kind: code_of(action, rules) for kind, action in found.items()}


def code_of(action: Action, rules: TargetRules = RULES) -> str | None:
    """Return the code with which an action is refused; ``None``: it is taken."""
    try:
        action.check(rules, ACME)
    except InvalidInput as refused:
        return refused.code
    return None


@pytest.mark.parametrize("region", ["eu-central-1", "us-east-1"])
def test_a_target_of_every_kind_is_taken_in_allowed_regions(region: str) -> None:
    """The stage's own, and those that its operator names."""
    assert set(codes(actions(region)).values()) == {None}


def test_a_target_of_any_other_region_is_refused() -> None:
    """Although a list of names covers it: a wildcard there opens no region."""
    assert set(codes(actions("us-east-2")).values()) == {"region_not_allowed"}


def test_a_stage_of_one_region_calls_that_alone() -> None:
    """An operator that names no region allows none beside the own one."""
    alone = replace(RULES, places=ReachablePlaces(own=OWN))

    assert set(codes(actions("us-east-1"), alone).values()) == {"region_not_allowed"}
    assert set(codes(actions("eu-central-1"), alone).values()) == {None}


@pytest.mark.parametrize(
    ("partition", "region"),
    [("aws-cn", "cn-north-1"), ("aws-us-gov", "us-gov-west-1"), ("aws", "cn-north-1")],
)
def test_no_target_is_in_another_partition(partition: str, region: str) -> None:
    """Although its region were allowed: a session of one partition is worth nothing there."""
    opened = ReachablePlaces(own=OWN, regions=frozenset({region}))
    rules = replace(RULES, places=opened)
    found = codes(actions(region, partition=partition), rules)

    assert set(found.values()) == {"partition_mismatch"}


def test_an_arn_names_its_regions_own_partition() -> None:
    """A queue's URL names none, so that its region tells it."""
    found = codes(actions("us-east-1", partition="aws-cn"))

    assert found.pop("sqs") is None
    assert set(found.values()) == {"partition_mismatch"}


def test_another_account_is_called_where_a_policy_of_its_resource_can_let_it() -> None:
    """Executions and tasks have no such policies: AWS would refuse each call."""
    never = {"stepfunctions", "ecs"}
    found = codes(actions("us-east-1", account="999999999999"))

    assert {kind for kind, code in found.items() if code == "account_not_reachable"} == never
    assert {kind for kind, code in found.items() if code is None} == found.keys() - never


@pytest.mark.parametrize("place", ["us-east-1:111122223333", "eu-central-1:999999999999"])
def test_a_task_definition_is_where_its_cluster_is(place: str) -> None:
    """ECS would run the definition of the same name beside the cluster."""
    cluster = actions("eu-central-1")["ecs"]
    assert isinstance(cluster, EcsAction)
    action = replace(cluster, task_definition=f"arn:aws:ecs:{place}:task-definition/d")

    assert code_of(action) == "place_mismatch"
    assert not action.is_allowed(RULES, ACME)
    assert cluster.is_allowed(RULES, ACME)


@pytest.mark.parametrize(
    "url",
    [
        "https://sqs.eu-central-1.amazonaws.com.cn/111122223333/q",
        "https://sqs.cn-north-1.amazonaws.com/111122223333/q",
    ],
)
def test_a_queues_host_is_that_of_its_region(url: str) -> None:
    """Regions of China answer under a domain of their own, and no other region does."""
    assert code_of(SqsAction(queue_url=url)) == "target_not_allowed"


@pytest.mark.parametrize(
    ("arn", "expected"),
    [
        ("arn:aws:secretsmanager:us-east-1:111122223333:secret:a", None),
        ("arn:aws:secretsmanager:us-east-1:999999999999:secret:a", None),
        ("arn:aws:secretsmanager:us-east-2:111122223333:secret:a", "region_not_allowed"),
        ("arn:aws-cn:secretsmanager:cn-north-1:111122223333:secret:a", "partition_mismatch"),
        ("arn:aws:ssm:us-east-1:111122223333:parameter/a", None),
        ("arn:aws:ssm:eu-central-1:111122223333:parameter/a/b", None),
        ("arn:aws:ssm:us-east-1:999999999999:parameter/a", None),
        ("arn:aws:ssm:us-east-2:111122223333:parameter/a", "region_not_allowed"),
        ("arn:aws-cn:ssm:cn-north-1:111122223333:parameter/a", "partition_mismatch"),
    ],
)
def test_secrets_are_in_allowed_regions(arn: str, expected: str | None) -> None:
    """One rule checks those of web hooks, conditions, channels and event triggers."""
    name = "ssm_parameter" if ":ssm:" in arn else "secret_arn"

    def check() -> None:
        check_secret(SecretRef(**{name: arn}), "hook.secret", RULES, ACME)

    if expected is None:
        check()
        return
    with pytest.raises(InvalidInput) as refused:
        check()
    assert (refused.value.field, refused.value.code) == (f"hook.secret.{name}", expected)


def test_channels_are_in_allowed_regions() -> None:
    """A notification is a call like any other; the refusal names the channel's field."""
    channel = SnsChannel(topic_arn="arn:aws:sns:us-east-2:111122223333:t")
    with pytest.raises(InvalidInput) as refused:
        channel.check("notifications.0", RULES, ACME)

    assert refused.value.code == "region_not_allowed"
    assert refused.value.field == "notifications.0.topic_arn"


@pytest.mark.parametrize("place", ["us-east-1:111122223333", "eu-central-1:999999999999"])
def test_a_parameter_listed_elsewhere_is_no_parameter_of_the_stage(place: str) -> None:
    """A parameter is named without its place, and read in the stage's own."""
    ref = SecretRef(ssm_parameter="/keys/a")
    elsewhere = replace(RULES, allowed_secrets=(f"arn:aws:ssm:{place}:parameter/keys/*",))
    here = replace(RULES, allowed_secrets=("arn:aws:ssm:*:111122223333:parameter/keys/*",))

    assert not elsewhere.allows_secret(ACME, ref)
    assert here.allows_secret(ACME, ref)


def test_a_parameter_of_an_arn_is_listed_as_it_stands() -> None:
    """A list of the stage's own region has no parameter of another one."""
    listed = "arn:aws:ssm:us-east-1:111122223333:parameter/timegate-target/{tenant}/*"
    rules = replace(RULES, allowed_secrets=(listed,))
    own, others, near = (
        SecretRef(ssm_parameter=f"arn:aws:ssm:{place}:parameter/timegate-target/{tenant}/key")
        for place, tenant in (
            ("us-east-1:111122223333", "acme"),
            ("us-east-1:111122223333", "globex"),
            ("eu-central-1:111122223333", "acme"),
        )
    )

    assert [rules.allows_secret(ACME, each) for each in (own, others, near)] == [True, False, False]


def test_a_web_hook_and_a_local_queue_have_no_place() -> None:
    """Hosts that are none of AWS's are called as they are named."""
    local = SqsAction(queue_url="http://localhost:4566/000000000000/q")

    assert WebhookAction(url="https://a.example").place is None
    assert local.place is None
    assert SqsAction(queue_url="https://[").place is None
    assert RULES.other_region(local.place) is None


def test_regions_have_partitions() -> None:
    """By their names, as AWS has given them."""
    found = {each: partition_of(each) for each in ("us-east-1", "us-gov-east-1", "cn-north-1")}

    assert found == {"us-east-1": "aws", "us-gov-east-1": "aws-us-gov", "cn-north-1": "aws-cn"}
    assert partition_of("us-iso-east-1") == "aws-iso"
    assert partition_of("us-isob-east-1") == "aws-iso-b"
    assert partition_of("eusc-de-east-1") == "aws-eusc"


@pytest.mark.parametrize("name", ["us-east-1", "us-gov-west-1", "eusc-de-east-1", "ap-south-2"])
def test_names_of_regions_are_known_by_their_form(name: str) -> None:
    """Any other text is none."""
    assert is_region(name)
    assert not any(map(is_region, (f"{name}.evil.com", f"{name}\n", name.upper(), "us-*", "")))
