"""Regions of targets: rights name each, and nothing opens another one."""

import json
from dataclasses import replace

import pytest
from aws_cdk import App, Environment, Stack

from infra.constructs.targeting.targets import AllowedTargets
from infra.stage.given.target_regions import MOST_REGIONS, TargetRegionError
from infra.stage.settings import STAGES, StageSettings
from infra.stage.stage_context import stage_settings
from tests.infra.conftest import Synthesise
from tests.infra.stage_template import Grant, StageTemplate

ROLES = ("Executors/Targets/Role", "HookSecrets/Role")
OWN = "<AWS::Region>"


def grants(template: StageTemplate) -> set[Grant]:
    """Return the rights of tenants' sessions."""
    return set().union(*map(template.grants_of_role, ROLES))


@pytest.fixture(scope="module")
def far(synthesise: Synthesise) -> StageTemplate:
    """Production that may call two regions more."""
    return synthesise(stage="prod", targetRegions="us-east-1,eu-west-1")


def test_rights_are_those_of_the_own_region_in_each_region(
    far: StageTemplate, prod: StageTemplate
) -> None:
    """Roles have no region; all else has each region."""
    own = grants(prod)
    regional = {each for each in own if OWN in each.resource}
    further = {
        replace(each, resource=each.resource.replace(OWN, region))
        for each in regional
        for region in ("us-east-1", "eu-west-1")
    }

    assert grants(far) == own | further
    assert len(further) > 2 * 10


def test_clusters_of_tasks_name_each_region(far: StageTemplate) -> None:
    """A condition binds tasks to the tenant's clusters, in allowed regions alone."""
    found = [
        each["Condition"]["ArnLike"]["ecs:cluster"]
        for each in far.statements_of_role(ROLES[0])
        if "ArnLike" in each.get("Condition", {})
    ]

    assert [len(each) for each in found] == [3, 3]
    assert not any(":ecs:*:" in arn for each in found for arn in each)


def test_functions_know_the_regions(far: StageTemplate, prod: StageTemplate) -> None:
    """A stage of one region has no variable for them."""
    for name in ("api", "executor-normal-short"):
        variables = far.function(name).properties["Environment"]["Variables"]
        alone = prod.function(name).properties["Environment"]["Variables"]

        assert variables["TARGET_REGIONS"] == "us-east-1,eu-west-1"
        assert "TARGET_REGIONS" not in alone


def test_each_region_of_a_pair_may_call_the_other(pair: StageTemplate) -> None:
    """Jobs that the other one has made go on to be called where their ARNs say."""
    variables = pair.function("api").properties["Environment"]["Variables"]

    assert variables["TARGET_REGIONS"] in {"eu-west-1", "eu-central-1"}


def targets(settings: StageSettings, *, region: str | None = None) -> AllowedTargets:
    """Read the targets of a stage in a region; ``None``: it is known at the deployment."""
    env = Environment(account="111122223333", region=region) if region else None
    return AllowedTargets.of(Stack(App(), "Stack", env=env), settings)


def listing(arn: str, *regions: str) -> StageSettings:
    """Return a stage that lists a function, and allows regions."""
    own = STAGES["prod"]
    return replace(own, targets={**own.targets, "lambda": (arn,)}, target_regions=regions)


@pytest.mark.parametrize("region", [None, "eu-central-1"])
def test_a_wildcard_is_the_allowed_regions(region: str | None) -> None:
    """An ARN of any region opens none that is not named."""
    settings = listing("arn:aws:lambda:*:1:function:f", "us-east-1")
    stack = Stack(App(), "Stack", env=Environment(region=region) if region else None)
    found = AllowedTargets.of(stack, settings)
    (granted,) = (each for each in found.grants if each.action == "lambda:InvokeFunction")

    assert granted.arns == tuple(
        f"arn:aws:lambda:{each}:1:function:f" for each in (stack.region, "us-east-1")
    )


def test_an_arn_of_a_region_is_granted_as_it_is() -> None:
    """An ARN of an allowed region is one right."""
    found = targets(
        listing("arn:aws:lambda:us-east-1:1:function:f", "us-east-1"), region="eu-west-1"
    )
    (granted,) = (each for each in found.grants if each.action == "lambda:InvokeFunction")

    assert granted.arns == ("arn:aws:lambda:us-east-1:1:function:f",)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (listing("arn:aws:lambda:us-east-2:1:function:f", "us-east-1"), "name us-east-2 in"),
        (listing("arn:aws:lambda:us-*:1:function:f", "us-east-1"), "names neither a region nor"),
        (listing("arn:aws:lambda:*:1:function:f", "cn-north-1"), "cn-north-1 is in another"),
        (
            replace(STAGES["prod"], secrets=("arn:aws:secretsmanager:us-east-2:1:secret:x",)),
            "secrets: ",
        ),
    ],
)
def test_a_list_names_no_region_that_jobs_may_not_call(settings: StageSettings, words: str) -> None:
    """At synthesis, with what to do about it."""
    with pytest.raises(TargetRegionError, match=words):
        targets(settings, region="eu-central-1")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("us-east", "no name of a region"),
        ("*", "no name of a region"),
        ("us-east-1,us-east-1", "twice"),
        ("us-east-1,us-gov-west-1", "two partitions"),
        (",".join(f"eu-west-{each}" for each in range(MOST_REGIONS + 1)), "10 is the most"),
    ],
)
def test_regions_are_refused_that_cannot_be(given: str, words: str) -> None:
    """Before anything is deployed."""
    with pytest.raises(TargetRegionError, match=words):
        stage_settings({"targetRegions": given}.get)


def test_as_many_regions_as_fit_are_taken(synthesise: Synthesise) -> None:
    """Ten, whose rights AWS takes in the policies of a role."""
    given = ",".join(f"eu-west-{each}" for each in range(1, MOST_REGIONS + 1))
    template = synthesise(stage="prod", targetRegions=given)
    inline = [
        each.properties["PolicyDocument"]
        for each in template.of_type("AWS::IAM::Policy")
        if "Targets" in each.path
    ]

    assert inline
    assert all(len(json.dumps(each)) < 10_240 for each in inline)
