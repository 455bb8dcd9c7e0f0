"""Tables and blobs: shape, protection, retention."""

import json

import pytest

from infra.constructs.data.blobs import (
    FURTHEST_RUN_DAYS,
    LONGEST_DAG_RUN_DAYS,
    LONGEST_RUN_DAYS,
)
from tests.infra.stage_template import StageTemplate
from timegate.domain.dags.limits import MAX_TIMEOUT_SECONDS
from timegate.domain.execution.triggers import MAX_AHEAD
from timegate.domain.jobs.slices import MAX_DURATION_SECONDS
from timegate.domain.values.payload import RUN_PAYLOADS
from timegate.domain.values.tenant import TENANT_NAME

TABLES = ("Jobs/Table", "Runs/Table")
#: By which tables and pools say that they are protected from deletion.
_PROTECTED = ('"DeletionProtectionEnabled": true', '"DeletionProtection": "ACTIVE"')
STATEFUL = {"AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::Cognito::UserPool"}


@pytest.mark.parametrize("path", TABLES)
def test_a_table_is_on_demand_recoverable_and_forgets(stage: StageTemplate, path: str) -> None:
    """Idle costs nothing, a mistake can be undone, TTL is ``expires_at``."""
    table = stage.one(path).properties

    assert table["BillingMode"] == "PAY_PER_REQUEST"
    assert table["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"]
    assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}


@pytest.mark.parametrize(
    ("path", "index", "keys", "projection"),
    [
        pytest.param("Jobs/Table", "due", ["due_bucket", "due_at"], "INCLUDE", id="due"),
        pytest.param(
            "Jobs/Table", "by_tenant", ["tenant_key", "listed_at"], "INCLUDE", id="by-tenant"
        ),
        pytest.param("Runs/Table", "watch", ["watch_bucket", "watch_at"], "KEYS_ONLY", id="watch"),
    ],
)
def test_work_is_found_by_the_key_of_an_index(
    stage: StageTemplate, path: str, index: str, keys: list[str], projection: str
) -> None:
    """Due jobs, a tenant's jobs and runs to look at: a partition and a sort key each."""
    (found,) = [
        each
        for each in stage.one(path).properties["GlobalSecondaryIndexes"]
        if each["IndexName"] == index
    ]

    assert keys == [key["AttributeName"] for key in found["KeySchema"]]
    assert projection == found["Projection"]["ProjectionType"]


def test_both_tables_have_a_stream(stage: StageTemplate) -> None:
    """The record is the event: of a run with what it was before, of an operation as it is."""
    streams = {
        path: stage.one(path).properties.get("StreamSpecification", {}).get("StreamViewType")
        for path in TABLES
    }

    assert streams == {"Jobs/Table": "NEW_IMAGE", "Runs/Table": "NEW_AND_OLD_IMAGES"}


def test_production_data_outlives_its_stack(prod: StageTemplate) -> None:
    """Tables, blobs and token clients are retained, and tables cannot be deleted by mistake."""
    policies = {each.path: each.deletion_policy for each in prod.resources if each.type in STATEFUL}

    assert {"Retain", "RetainExceptOnCreate"} == set(policies.values())
    assert all(prod.one(path).properties["DeletionProtectionEnabled"] for path in TABLES)


def test_each_table_of_a_pair_can_be_restored(pair: StageTemplate) -> None:
    """The record of which region acts lies in a table of its own."""
    tables = pair.of_type("AWS::DynamoDB::Table")

    assert [each.path for each in tables] == ["Region/Table"]
    assert all(
        each.properties["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"]
        for each in tables
    )


@pytest.mark.parametrize("template", ["prod", "keyed", "pair"])
def test_a_failed_first_deployment_does_not_jam_the_next(
    template: str, request: pytest.FixtureRequest
) -> None:
    """A resource retained under a fixed name goes when its own creation is rolled back.

    A resource protected from deletion could not go, and has a name that is never given twice.
    """
    stage: StageTemplate = request.getfixturevalue(template)
    retained = [each for each in stage.resources if each.deletion_policy != "Delete"]

    assert {each.type for each in retained} >= STATEFUL
    for each in retained:
        # A table with replicas says it of each.
        said = json.dumps(each.properties)
        protected = any(text in said for text in _PROTECTED)
        fixed = {"TableName", "BucketName"} & each.properties.keys()
        assert not (protected and fixed)
        assert each.deletion_policy == ("Retain" if protected else "RetainExceptOnCreate")


@pytest.mark.parametrize("name", ["local", "dev"])
def test_other_stages_leave_nothing_behind(name: str, request: pytest.FixtureRequest) -> None:
    """A stage made to be thrown away is thrown away whole."""
    template: StageTemplate = request.getfixturevalue(name)
    kept = [each for each in template.resources if each.deletion_policy != "Delete"]

    # A function takes its versions with it.
    assert {each.type for each in kept} == {"AWS::Lambda::Version"}


def test_blobs_are_private_encrypted_and_results_expire(stage: StageTemplate) -> None:
    """No public access by any way; results go with their runs, payloads stay with jobs."""
    bucket = stage.one("Blobs/Bucket").properties
    expiring = {
        rule["Prefix"]
        for rule in bucket["LifecycleConfiguration"]["Rules"]
        if "ExpirationInDays" in rule
    }

    assert all(bucket["PublicAccessBlockConfiguration"].values())
    assert "BucketEncryption" in bucket
    assert {"results/", "checkpoints/", "payloads/_runs/"} == expiring


def test_what_a_run_left_outlives_its_record(stage: StageTemplate) -> None:
    """A payload is written up to a year before its run, which may be kept for a second time.

    The longest freeze, or another instant a year ahead, may hold either up in between.
    """
    rules = stage.one("Blobs/Bucket").properties["LifecycleConfiguration"]["Rules"]
    days = {each.get("Prefix"): each.get("ExpirationInDays") for each in rules}

    assert days["results/"] == 30
    assert days["checkpoints/"] == 7 + 366 + 30
    assert days["payloads/_runs/"] == 2 * 366 + 30 + 2 * 30


def test_a_replicated_bucket_keeps_nothing_that_has_expired(stage: StageTemplate) -> None:
    """S3 keeps versions of a bucket that it replicates, and expiration alone hides an object."""
    rules = stage.one("Blobs/Bucket").properties["LifecycleConfiguration"]["Rules"]
    of_versions = [each for each in rules if "NoncurrentVersionExpiration" in each]

    assert [
        (
            each.get("Prefix"),
            each["NoncurrentVersionExpiration"],
            each["ExpiredObjectDeleteMarker"],
        )
        for each in of_versions
    ] == [(None, {"NoncurrentDays": 1}, True)]


@pytest.mark.parametrize("name", ["dev", "prod", "keyed"])
def test_every_bucket_refuses_plain_http(name: str, request: pytest.FixtureRequest) -> None:
    """A bucket added later is held too."""
    template: StageTemplate = request.getfixturevalue(name)
    sealed = {
        policy.properties["Bucket"]
        for policy in template.of_type("AWS::S3::BucketPolicy")
        for statement in policy.properties["PolicyDocument"]["Statement"]
        if statement["Effect"] == "Deny"
        and statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    }

    assert {each.path for each in template.of_type("AWS::S3::Bucket")} == sealed != set()


def test_no_bucket_is_public(stage: StageTemplate) -> None:
    """By no list, by no policy, and whatever an operator adds."""
    for each in stage.of_type("AWS::S3::Bucket"):
        closed = each.properties["PublicAccessBlockConfiguration"]
        assert [*closed.values()] == [True] * 4


def test_blobs_refuse_plain_http(prod: StageTemplate) -> None:
    """A deny for every principal, whatever else they are allowed."""
    policies = prod.of_type("AWS::S3::BucketPolicy")
    denied = [
        [
            statement["Condition"]
            for statement in policy.properties["PolicyDocument"]["Statement"]
            if statement["Effect"] == "Deny"
        ]
        for policy in policies
    ]

    assert len(policies) == 2
    assert all({"Bool": {"aws:SecureTransport": "false"}} in each for each in denied)


def test_checkpoints_outlive_the_longest_run() -> None:
    """The stage's settings know no more of it than a number of days; the domain counts seconds."""
    assert MAX_DURATION_SECONDS == LONGEST_RUN_DAYS * 86_400


def test_payloads_outlive_the_run_that_is_furthest_ahead() -> None:
    """The domain's bounds are those of the bucket."""
    assert MAX_AHEAD.days == FURTHEST_RUN_DAYS
    assert MAX_TIMEOUT_SECONDS == LONGEST_DAG_RUN_DAYS * 86_400


def test_the_folder_of_runs_is_that_of_no_tenant() -> None:
    """A tenant of the folder's name would have the payloads of its jobs expire."""
    parent, _, name = RUN_PAYLOADS.rpartition("/")

    assert parent == "payloads"
    assert not TENANT_NAME.fullmatch(name)
