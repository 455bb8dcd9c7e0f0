"""Checks of a deployment ask the Region that it changes, and not that of the credentials."""

from collections.abc import Callable

import boto3
import pytest
from botocore.exceptions import NoRegionError

from infra.admin.account import checkup
from infra.admin.administration import api_url
from infra.admin.preflight import objections_to
from infra.admin.region_pair import replica_streams
from infra.admin.stage_access import NoAccess, access_needed, connected
from tests.infra.stage_template import StageTemplate

CREDENTIALS = "eu-central-1"
PAIR = {"regionPair": "eu-west-1,eu-central-1"}


class _Asked(Exception):
    """Ends a check at its first client."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Regions of clients that a check builds; the first one ends it."""
    found: list[str | None] = []

    def build(session: boto3.Session, *_: object, **__: object) -> None:
        found.append(session.region_name)
        raise _Asked

    monkeypatch.delenv("AWS_REGION", raising=False)
    monkeypatch.setenv("AWS_DEFAULT_REGION", CREDENTIALS)
    monkeypatch.setattr(boto3.Session, "client", build)
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    return found


def test_the_check_before_a_deployment_asks_the_region_of_the_stacks(
    pair: StageTemplate, asked: list[str | None]
) -> None:
    """CDK deploys one of a pair into the Region of its choice."""
    with pytest.raises(_Asked):
        objections_to(pair.assembly, ())

    assert asked == ["eu-west-1"]


def test_stacks_that_name_no_region_are_checked_where_they_are_deployed(
    dev: StageTemplate, asked: list[str | None]
) -> None:
    """CDK takes the Region of the credentials as well."""
    with pytest.raises(_Asked):
        objections_to(dev.assembly, ())

    assert asked == [CREDENTIALS]


@pytest.mark.parametrize(
    ("context", "region"), [(PAIR | {"region": "eu-west-1"}, "eu-west-1"), ({}, CREDENTIALS)]
)
def test_doctor_asks_the_account_in_the_region_that_the_context_names(
    context: dict[str, str], region: str, asked: list[str | None]
) -> None:
    """Quotas are those of a Region."""
    with pytest.raises(_Asked):
        checkup.comparisons("prod", context)

    assert asked == [region]


def _reach(stage: str) -> None:
    with connected(stage, rights="dynamodb:Query"):
        pass


@pytest.mark.parametrize(
    "command",
    [
        _reach,
        api_url,
        lambda stage: replica_streams(stage, None),
        lambda stage: checkup.comparisons(stage, {}),
    ],
    ids=["connected", "api_url", "replica_streams", "doctor"],
)
def test_commands_act_in_the_region_of_aws_region(
    command: Callable[[str], object], asked: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes before the profile's, as for the AWS CLI and the CDK CLI."""
    monkeypatch.setenv("AWS_REGION", "ap-south-1")
    with pytest.raises(_Asked):
        command("prod")

    assert asked == ["ap-south-1"]


def test_a_region_that_a_command_names_comes_before_that_of_the_environment(
    asked: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``--region`` is the nearest word."""
    monkeypatch.setenv("AWS_REGION", "ap-south-1")
    with pytest.raises(_Asked):
        replica_streams("prod", "eu-west-1")

    assert asked == ["eu-west-1"]


def test_a_sentence_of_the_library_ends_once() -> None:
    """Its own sentences have a full stop or none."""
    with pytest.raises(NoAccess) as refused, access_needed("dynamodb:Query"):
        raise NoRegionError

    assert "You must specify a region. Credentials are" in str(refused.value)
