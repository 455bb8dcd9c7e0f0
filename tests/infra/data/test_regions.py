"""A stage in two regions: replicas, the table of the record, who may write it, and alarms."""

from collections.abc import Mapping

import pytest

from infra.region_choice import LEAST_SECONDS, MOST_SECONDS, RegionError, region_choice
from tests.infra.conftest import Synthesise
from tests.infra.stage_template import Grant, StageTemplate

HOME, OTHER = "eu-west-1", "eu-central-1"
STREAMS = [
    f"arn:aws:dynamodb:{OTHER}:123456789012:table/{name}/stream/2026-11-26T00:00:00.000"
    for name in ("Jobs-1", "Runs-1")
]
PAIR = {"stage": "prod", "regionPair": f"{HOME},{OTHER}"}
FUNCTIONS = ("api", "relay", "executor-normal-short", "sweeper")


@pytest.fixture(scope="module")
def home(synthesise: Synthesise) -> StageTemplate:
    """The first active region."""
    return synthesise(**PAIR, region=HOME)


@pytest.fixture(scope="module")
def other(synthesise: Synthesise) -> StageTemplate:
    """The region of the replicas."""
    return synthesise(**PAIR, region=OTHER, replicaStreams=",".join(STREAMS))


def table(region: str) -> str:
    """The ARN of a region's record."""
    return f"arn:<AWS::Partition>:dynamodb:{region}:<AWS::AccountId>:table/timegate-prod-region"


def record_grants(stage: StageTemplate, function: str) -> set[Grant]:
    """Rights of a function on records of regions."""
    return {
        each
        for each in stage.grants(function)
        if each.resource.endswith("table/timegate-prod-region")
    }


def test_both_tables_are_replicated_with_all_that_they_have(
    home: StageTemplate, prod: StageTemplate
) -> None:
    """Recovery and protection hold in both regions, and indexes are those of a single region."""
    tables = home.of_type("AWS::DynamoDB::GlobalTable")
    single = {each.path: each for each in prod.of_type("AWS::DynamoDB::Table")}

    assert {each.path for each in tables} == {"Jobs/Table", "Runs/Table"} == single.keys()
    for each in tables:
        replicas = {one["Region"]: one for one in each.properties["Replicas"]}
        assert replicas.keys() == {HOME, OTHER}
        for one in replicas.values():
            assert one["DeletionProtectionEnabled"]
            assert one["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"]
        assert each.deletion_policy == "Retain"
        assert each.properties["StreamSpecification"]["StreamViewType"] == "NEW_AND_OLD_IMAGES"
        assert each.properties["TimeToLiveSpecification"]["Enabled"]
        assert indexes(each.properties) == indexes(single[each.path].properties)


def indexes(properties: Mapping[str, object]) -> object:
    """The indexes of a table, with keys and projections."""
    found: object = properties["GlobalSecondaryIndexes"]
    return found


def test_the_other_region_has_no_tables_of_its_own(other: StageTemplate) -> None:
    """Its functions read the replicas' streams, and have rights on the replicas."""
    made = {each.path for each in other.of_type("AWS::DynamoDB::Table")}
    sources = {
        each.properties["EventSourceArn"]
        for each in other.of_type("AWS::Lambda::EventSourceMapping")
        if "stream" in str(each.properties["EventSourceArn"])
    }

    assert made == {"Region/Table"}
    assert other.of_type("AWS::DynamoDB::GlobalTable") == []
    assert sources == set(STREAMS)
    assert (
        other.function("planner").properties["Environment"]["Variables"]["JOBS_TABLE"] == "Jobs-1"
    )
    assert Grant(
        "dynamodb:Query", f"{STREAMS[0].partition('/stream')[0]}/index/due"
    ) in other.grants("planner")


@pytest.mark.parametrize("region", [HOME, OTHER])
def test_each_function_reads_its_record_and_the_planner_writes_both(
    region: str, home: StageTemplate, other: StageTemplate
) -> None:
    """The record's table has the same name in both regions."""
    stage = home if region == HOME else other
    peer = OTHER if region == HOME else HOME
    renewing = {
        Grant(f"dynamodb:{action}", table(each))
        for action in ("GetItem", "UpdateItem")
        for each in (HOME, OTHER)
    }
    variables = stage.function("planner").properties["Environment"]["Variables"]

    assert record_grants(stage, "planner") == renewing
    for function in FUNCTIONS:
        assert record_grants(stage, function) == {Grant("dynamodb:GetItem", table(region))}
    assert (variables["HOME_REGION"], variables["PEER_REGION"]) == (HOME, peer)
    assert variables["REGION_TABLE"] == "timegate-prod-region"
    (made,) = [e for e in stage.of_type("AWS::DynamoDB::Table") if e.path == "Region/Table"]
    assert made.properties["TableName"] == "timegate-prod-region"


def test_the_planner_of_a_pair_reads_all_jobs_and_that_of_one_region_does_not(
    other: StageTemplate, prod: StageTemplate
) -> None:
    """After a promotion it compares each job with its records."""
    jobs = STREAMS[0].partition("/stream")[0]
    reads = {Grant(f"dynamodb:{action}", jobs) for action in ("Scan", "Query", "GetItem")}

    assert reads <= other.grants("planner")
    assert "dynamodb:Scan" not in {each.action for each in prod.grants("planner")}
    assert "dynamodb:Scan" not in {each.action for each in other.grants("sweeper")}


@pytest.mark.parametrize("region", [HOME, OTHER])
def test_alarms_tell_of_a_late_replication_and_of_a_time_that_ends(
    region: str, home: StageTemplate, other: StageTemplate
) -> None:
    """Both are the stage's health: a person is called before the region stops."""
    stage = home if region == HOME else other
    alarms = {
        e.properties["AlarmName"]: e.properties for e in stage.of_type("AWS::CloudWatch::Alarm")
    }
    late = [alarms[f"timegate-prod-{name}-replication"] for name in ("jobs", "runs")]
    dimensions = {each["Name"]: each["Value"] for each in late[0]["Dimensions"]}
    renewals = alarms["timegate-prod-planner-region-not-renewed"]

    assert {each["MetricName"] for each in late} == {"ReplicationLatency"}
    assert dimensions["ReceivingRegion"] == (OTHER if region == HOME else HOME)
    # Their meaning and their runbook say so.
    assert {each["EvaluationPeriods"] * each["Period"] for each in late} == {5 * 60}
    assert renewals["MetricName"] == "RegionRenewalsFailed"
    assert renewals["EvaluationPeriods"] * 60 < LEAST_SECONDS


def test_a_stage_of_one_region_has_nothing_of_this(prod: StageTemplate) -> None:
    """No function of it has a record to read."""
    texts = [each.read_text() for each in prod.files]

    assert not any("timegate-prod-region" in each or "REGION_TABLE" in each for each in texts)


GIVEN = {"regionPair": f"{HOME},{OTHER}", "region": HOME}


@pytest.mark.parametrize(
    ("context", "said"),
    [
        (GIVEN | {"regionPair": HOME}, "name two regions"),
        (GIVEN | {"regionPair": f"{HOME},{HOME}"}, "name two regions"),
        (GIVEN | {"regionPair": f"{HOME},nowhere"}, "no name of a region"),
        (GIVEN | {"region": "us-east-1"}, "none of"),
        (GIVEN | {"region": ""}, "none of"),
        (GIVEN | {"region": OTHER}, "replicaStreams"),
        (GIVEN | {"region": OTHER, "replicaStreams": STREAMS[0]}, "replicaStreams"),
        (
            GIVEN | {"region": OTHER, "replicaStreams": ",".join(STREAMS).replace(OTHER, HOME)},
            "replicaStreams",
        ),
        (GIVEN | {"kmsKey": "own"}, "kmsKey"),
        (GIVEN | {"regionSeconds": str(LEAST_SECONDS - 1)}, "regionSeconds"),
        (GIVEN | {"regionSeconds": str(MOST_SECONDS + 1)}, "regionSeconds"),
        (GIVEN | {"regionSeconds": "soon"}, "regionSeconds"),
    ],
)
def test_a_pair_that_cannot_be_is_refused(context: dict[str, str], said: str) -> None:
    """The message names the setting."""
    with pytest.raises(RegionError, match=said):
        region_choice(context.get)


def test_without_a_pair_there_is_one_region() -> None:
    """Other settings of regions have no effect then."""
    seconds = region_choice((GIVEN | {"regionSeconds": str(LEAST_SECONDS)}).get)

    assert region_choice({"region": HOME}.get) is None
    assert seconds is not None
    assert seconds.seconds == LEAST_SECONDS
