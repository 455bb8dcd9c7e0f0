"""Stages that an app cannot have, and grants that a stage cannot give."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from aws_cdk import App, Aws, CfnOutput, Environment, Stack, Stage
from aws_cdk.aws_lambda import Code, Function, Runtime
from constructs import Construct

from infra.stacks.grants import StageGrants
from infra.stacks.naming import claim_name
from infra.stage.stage_context import stage_settings
from timegate_cdk import NotGranted, PropError, StageTaken, Timegate, TimegateProps

HERE = Environment(account="111122223333", region="eu-central-1")
THERE = Environment(account="111122223333", region="eu-west-1")


def claimed(app: App, name: str, env: Environment | None = None, path: str = "") -> None:
    """Claim a stage's name at a construct of its own."""
    claim_name(Construct(app, path or f"At{len(app.node.children)}"), name, env)


def test_a_stage_is_once_in_an_app() -> None:
    """The refusal names the other, and comes before anything is made."""
    app = App()
    claimed(app, "shop", path="First")
    with pytest.raises(StageTaken, match="stage_taken: First has a stage 'shop' already"):
        Timegate(app, "Second", TimegateProps(stage="shop", like="dev"))

    assert app.node.find_child("Second").node.children == []


@pytest.mark.parametrize(
    ("first", "second"),
    [(None, None), (HERE, HERE), (HERE, None), (None, HERE)],
    ids=["anywhere", "same", "perhaps", "perhaps the other way"],
)
def test_a_name_is_taken_where_both_may_be(
    first: Environment | None, second: Environment | None
) -> None:
    """A stack without an environment may be deployed to any."""
    app = App()
    claimed(app, "shop", first)
    with pytest.raises(StageTaken):
        claimed(app, "shop", second)


def test_other_names_and_other_regions_are_free() -> None:
    """A Region is that of the CDK's stage around, where none is given."""
    app = App()
    claimed(app, "shop", HERE)
    claimed(app, "shop-b", HERE)
    claimed(app, "shop", THERE)
    with pytest.raises(StageTaken):
        claim_name(Construct(Stage(app, "Deployed", env=HERE), "Timegate"), "shop", None)


PAIR = ("eu-west-1", "eu-central-1")


class Made(Exception):
    """The first stack of a stage is about to be made."""


def embedded(app: App, region: str, env: Environment | None) -> Environment | None:
    """Return the environment of the first stack of one region of a pair."""

    def stop(*_: object, env: Environment | None, **__: object) -> None:
        raise Made(env)

    streams = [
        f"arn:aws:dynamodb:{PAIR[1]}:111122223333:table/{name}/stream/x"
        for name in ("Jobs", "Runs")
    ]
    props = TimegateProps(
        stage="shop", like="dev", region_pair=PAIR, region=region, replica_streams=streams
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("infra.stacks.timegate.DataStack", stop)
        with pytest.raises(Made) as made:
            Timegate(app, region, props, env=env)
    found: Environment | None = made.value.args[0]
    return found


@pytest.mark.parametrize(
    "env",
    [None, Environment(account="111122223333"), Environment(region=Aws.REGION)],
    ids=["none", "account", "known at deployment"],
)
def test_both_regions_of_a_pair_are_stages_of_one_app(env: Environment | None) -> None:
    """Each is in its own Region, and takes the name there alone."""
    app = App()
    places = [embedded(app, region, env) for region in PAIR]

    assert [each.region for each in places if each] == [*PAIR]
    assert {each.account for each in places if each} == {env.account if env else None}
    with pytest.raises(StageTaken):
        claimed(app, "shop", HERE)


def test_a_pair_is_in_no_region_but_its_own() -> None:
    """``env=`` and ``region=`` that differ would have replicas on record where there are none."""
    app = App()
    told = r"^region: 'eu-central-1' is deployed here, and env= says 'eu-west-1'\."
    with pytest.raises(PropError, match=told):
        embedded(app, PAIR[1], THERE)

    assert embedded(app, PAIR[0], THERE) is not None
    assert app.node.find_child(PAIR[1]).node.children == []


def test_a_value_of_the_deployment_is_no_choice() -> None:
    """The record of choices is text, which the next deployment is held against."""
    app = App()
    name = CfnOutput(Stack(app, "Shop"), "Name", value="x").import_value
    with pytest.raises(PropError, match="lambdaTargets: a stage's choices are recorded as text"):
        Timegate(app, "Timegate", TimegateProps(lambda_targets=[name]))


def grants(*tenants: str, of_the_stage: bool = True, dispatch: Any = None) -> StageGrants:  # noqa: ANN401 - a stack's part
    """Grants of a stage, perhaps without a bus, and perhaps with tokens of another issuer."""
    clients = [SimpleNamespace(tenant=each) for each in tenants]
    tokens = SimpleNamespace(clients=clients) if of_the_stage else None
    return StageGrants(
        settings=stage_settings(lambda _: None),
        api=cast("Any", SimpleNamespace(tokens=tokens)),
        dispatch=dispatch or cast("Any", SimpleNamespace(bus_name=None)),
        key=None,
    )


class GrantedProgram:
    """Keeps what was granted."""

    def __init__(self) -> None:
        self.granted: list[object] = []

    def grant(self, grantee: object) -> None:
        """Keep it."""
        self.granted.append(grantee)


@pytest.mark.parametrize(
    ("stage", "tenant", "message"),
    [
        (grants("red", "blue"), None, "unknown_tenant: Say tenant=: one of red, blue."),
        (grants("red"), "bleu", "unknown_tenant: 'bleu' is no tenant of the stage: one of red."),
        (grants("red", of_the_stage=False), "red", "no_client_of_stage: The stage's tokens are"),
    ],
    ids=["not said", "unknown", "own issuer"],
)
def test_a_profile_is_of_a_tenant_of_the_stage(
    stage: StageGrants, tenant: str | None, message: str
) -> None:
    """Each refusal says which there are, or what to do instead."""
    with pytest.raises(NotGranted, match=message):
        stage.schedule(cast("Any", None), tenant)


def test_a_function_is_told_one_profile() -> None:
    """A second would take the first one's place; a role is told none, and may have both."""
    stack = Stack(App(), "Shop")
    code = Code.from_inline("pass")
    clerk = Function(stack, "Clerk", runtime=Runtime.PYTHON_3_13, handler="index.a", code=code)
    stage = grants("red", "blue")
    programs = {each: GrantedProgram() for each in ("red", "blue")}
    stage._programs.update(cast("Any", programs))
    stage.schedule(clerk, "red")
    stage.schedule(clerk, "red")
    with pytest.raises(NotGranted, match="other_profile: Shop/Clerk has the profile of dev/red"):
        stage.schedule(clerk, "blue")
    stage.schedule(cast("Any", clerk.role), "blue")

    assert [len(each.granted) for each in programs.values()] == [2, 1]


def test_a_stage_without_events_has_none_to_consume() -> None:
    """The refusal names the prop."""
    with pytest.raises(NotGranted, match=r"events_off: .* set events=True"):
        grants("red").consume_events(cast("Any", None), ["io.timegate."], None)


def test_a_function_may_consume_events_of_several_tenants() -> None:
    """Each grant is a rule of its own; the first keeps the name that it had alone."""
    stack = Stack(App(), "Shop")
    stack.bus_name = "timegate-dev-events"  # type: ignore[attr-defined]
    code = Code.from_inline("pass")
    clerk = Function(stack, "Clerk", runtime=Runtime.PYTHON_3_13, handler="index.a", code=code)
    granted = grants(dispatch=stack)
    made = [
        granted.consume_events(clerk, [types], tenant)
        for types, tenant in [("io.", None), ("io.timegate.run.", "a" * 26), ("io.", "b" * 26)]
    ]

    assert made[0].node.id == "EventsOf-dev"
    assert len({each.node.id for each in made}) == len(made)
