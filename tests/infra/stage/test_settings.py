"""Stages, and what a context may override."""

import re
from dataclasses import replace

import pytest

from infra.stage.default_quotas import DefaultQuotas, QuotaError
from infra.stage.issuer import Issuer, TooManyAudiences
from infra.stage.settings import (
    PRIORITIES,
    RESOURCE_CLASSES,
    STAGES,
    ShardCountError,
    StageSettings,
)
from infra.stage.stage_context import StageNameError, UnknownStageError, stage_settings
from tests.infra.conftest import ROOT
from timegate.domain.jobs.demands import Priority, ResourceClass
from timegate.domain.limits.quotas import Quotas
from timegate.runtime.variables import Environment

#: Choices that lead to all others.
CHOSEN = {
    "stage": "prod-b",
    "like": "prod",
    "events": "on",
    "regionPair": "eu-west-1,eu-central-1",
    "region": "eu-central-1",
    "replicaStreams": ",".join(
        f"arn:aws:dynamodb:eu-central-1:111122223333:table/{name}/stream/2026"
        for name in ("jobs", "runs")
    ),
}


def settings(**context: str) -> StageSettings:
    """The settings a context asks for."""
    return stage_settings(context.get)


def test_the_default_stage_is_dev() -> None:
    """No operator deploys to production by leaving something out."""
    assert settings().name == "dev"


def test_an_unknown_stage_is_refused_with_the_known_ones() -> None:
    """A typing error must not create a stage."""
    with pytest.raises(UnknownStageError, match="'prdo': choose one of local, dev, prod"):
        settings(stage="prdo")


def test_a_new_name_has_the_settings_of_another_stage() -> None:
    """It is the other stage, but for its name and the record of that choice."""
    chosen = settings(stage="prod-b", like="prod")

    assert chosen == replace(STAGES["prod"], name="prod-b", choices={"like": "prod"})


@pytest.mark.parametrize(
    ("stage", "like"),
    [("prod-b", "prdo"), ("prod", "dev"), ("prod-b", None)],
    ids=["unknown", "has its own", "not given"],
)
def test_a_wrong_like_is_refused(stage: str, like: str | None) -> None:
    """A typing error must not create a stage, nor change one."""
    context = {"stage": stage} | ({"like": like} if like else {})
    with pytest.raises(UnknownStageError):
        settings(**context)


def test_the_page_has_every_choice() -> None:
    """Each key of the context that a stage reads is in the table."""
    asked = set()

    def given(key: str) -> str | None:
        asked.add(key)
        return CHOSEN.get(key)

    stage_settings(given)
    page = (ROOT / "docs" / "operations" / "deploying.md").read_text()
    table = page.partition("## Choices on the command line")[2].partition("\n### ")[0]
    named = set(re.findall(r"`(?:-c )?([A-Za-z]+)=", table))

    assert len(asked) > 40
    assert asked - named == set()


@pytest.mark.parametrize("name", ["Prod", "b_", "1b", "b-", "a" * 17, "b--c", "é"])
def test_a_name_that_no_resource_can_have_is_refused(name: str) -> None:
    """Before anything is synthesised."""
    with pytest.raises(StageNameError, match="no name of a letter"):
        settings(stage=name, like="prod")


@pytest.mark.parametrize("name", ["aws-prod", "laws", "amazon", "my-cognito"])
def test_a_name_with_a_word_that_cognito_reserves_is_refused(name: str) -> None:
    """The domain of the stage's tokens could not be made; it says which word."""
    with pytest.raises(StageNameError, match="which Cognito takes in no domain"):
        settings(stage=name, like="prod")


def test_the_longest_name_is_taken() -> None:
    """The limits of AWS are held to a stage of such a name."""
    assert settings(stage="a" * 16, like="prod").name == "a" * 16


def test_queues_exist_for_every_priority_and_class_of_the_domain() -> None:
    """The template and the domain name the same queues."""
    assert tuple(PRIORITIES) == tuple(Priority)
    assert tuple(RESOURCE_CLASSES) == tuple(ResourceClass)


def test_lists_are_separated_by_commas() -> None:
    """Tenants and targets can be given on the command line."""
    chosen = settings(
        tenants="red, blue",
        lambdaTargets="a-*",
        queueTargets="b-*",
        topicTargets="c-*",
        busTargets="d-*, default",
        stateMachineTargets="e-*",
        taskDefinitionTargets="g-*",
        clusterTargets="h",
        taskRoles="i-*",
        secrets="f/*",
    )

    assert chosen.tenants == ("red", "blue")
    assert chosen.targets["lambda"] == ("a-*",)
    assert chosen.targets["sqs"] == ("b-*",)
    assert chosen.targets["sns"] == ("c-*",)
    assert chosen.targets["eventbridge"] == ("d-*", "default")
    assert chosen.targets["stepfunctions"] == ("e-*",)
    assert chosen.targets["ecs"] == ("g-*",)
    assert chosen.targets["ecs_clusters"] == ("h",)
    assert chosen.targets["ecs_roles"] == ("i-*",)
    assert chosen.secrets == ("f/*",)


def test_an_issuer_comes_with_its_audience() -> None:
    """A token without a checked audience could be meant for another service."""
    chosen = settings(issuer="https://id.example.com", audience="timegate")

    assert Issuer(url="https://id.example.com", audience=("timegate",)) == chosen.issuer


@pytest.mark.parametrize(
    "half",
    [
        pytest.param({"issuer": "https://id.example.com"}, id="issuer"),
        pytest.param({"audience": "timegate"}, id="audience"),
    ],
)
def test_half_an_issuer_is_refused(half: dict[str, str]) -> None:
    """Issuer and audience go together."""
    with pytest.raises(ValueError, match="issuer and audience go together"):
        settings(**half)


def test_the_number_of_shards_can_be_given() -> None:
    """Groups follow it; nothing else does."""
    chosen = settings(shards="5")

    assert chosen.shards == 5
    assert chosen.shard_groups == ((0, 1, 2, 3), (4,))


@pytest.mark.parametrize("shards", ["0", "1025", "-4", "4.5", "many", ""])
def test_a_number_of_shards_that_cannot_be_is_refused(shards: str) -> None:
    """Before anything is deployed that would serve no tenant, or cost a fortune."""
    with pytest.raises(ShardCountError, match="shards: "):
        settings(shards=shards)


@pytest.mark.parametrize("shards", ["1", "1024"])
def test_every_other_number_of_shards_is_accepted(shards: str) -> None:
    """From one to the most."""
    assert settings(shards=shards).shards == int(shards)


def test_more_tenants_than_an_authorizer_tells_apart_are_refused() -> None:
    """A client of the administration is an audience as well; an own issuer needs no client."""
    names = [f"tenant-{number}" for number in range(50)]
    assert len(settings(tenants=",".join(names)).tenants) == 50
    with pytest.raises(TooManyAudiences, match="tenants: 51 audiences"):
        settings(tenants=",".join(names), adminClient="on")

    own = {"issuer": "https://id.example.com", "tenants": ",".join(names)}
    assert settings(**own, audience=",".join(names)).issuer is not None
    with pytest.raises(TooManyAudiences, match="audience: 51 audiences"):
        settings(**own, audience=",".join([*names, "another"]))


@pytest.mark.parametrize(
    ("shards", "groups", "size"),
    [(64, 32, 2), (140, 70, 2), (141, 47, 3), (1_024, 69, 15)],
)
def test_a_stack_holds_the_schedules_of_any_number_of_shards(
    shards: int, groups: int, size: int
) -> None:
    """Groups grow where they would be too many; a tick of the largest lasts as Lambda lets it."""
    stage = settings(stage="prod", shards=str(shards))

    assert (len(stage.shard_groups), stage.group_size) == (groups, size)
    assert stage.tick_timeout_seconds == 60 * size <= 900


@pytest.mark.parametrize("stage", STAGES.values(), ids=STAGES)
def test_shard_groups_cover_every_shard_once(stage: StageSettings) -> None:
    """However shards and groups divide."""
    covered = [shard for group in stage.shard_groups for shard in group]

    assert list(range(stage.shards)) == covered


def test_a_stage_has_the_quotas_of_the_domain() -> None:
    """And functions read them as they are written."""
    environment = Environment({"STAGE_QUOTAS": DefaultQuotas(jobs=7).environment()})

    assert environment.quotas("STAGE_QUOTAS") == Quotas(
        jobs=7, dags=10_000, requests_per_second=500, burst=1_000
    )


def test_quotas_can_be_given_on_the_command_line() -> None:
    """Some of them; the others stay; none takes a limit away."""
    given = settings(quotas="jobs=5,burst=none,concurrent_runs=9").quotas

    assert given == DefaultQuotas(jobs=5, burst=None, concurrent_runs=9)


@pytest.mark.parametrize("text", ["job=5", "jobs=many", "jobs", "jobs=-1"])
def test_an_unknown_quota_is_refused(text: str) -> None:
    """A typing error must not lift a limit."""
    with pytest.raises(QuotaError):
        settings(quotas=text)
