"""An account beside the settings of a stage: `timegate doctor --aws`."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber
from typer.testing import CliRunner

from infra.admin.account.comparison import compare
from infra.admin.account.quotas import AccountQuotas, AccountReader, recorded_choices
from infra.concurrency import needed_quota
from infra.stage.given.choices import CHOICES_OUTPUT, choices_text
from infra.stage.peak_choice import PeakChoice
from infra.stage.settings import FUNCTION_NAMES, STAGES
from timegate.cli.main import app

PROD = STAGES["prod"]
NEEDED = needed_quota(PROD)
#: An account that has exactly what `prod` needs.
JUST = AccountQuotas(
    executions=NEEDED,
    executions_free=NEEDED,
    table_writes=4_000,
    table_reads=12_000,
    api_rate=5_000,
    api_burst=2_500,
    warm_writes={},
)
WARM = replace(PROD, peak=PeakChoice(warm_writes=20_000))


def lacking(**numbers: Any) -> list[str]:  # noqa: ANN401 - of each field
    """Subjects of which an account that differs so has too little for ``prod``."""
    return [each.subject for each in compare(PROD, replace(JUST, **numbers)) if not each.is_enough]


def test_an_account_with_what_a_stage_needs_is_enough() -> None:
    """Each number is the least that is enough."""
    assert lacking() == []


@pytest.mark.parametrize(
    ("numbers", "subject"),
    [
        ({"executions_free": NEEDED - 1}, "concurrent executions"),
        ({"table_writes": 3_999}, "write units of a table"),
        ({"api_rate": 4_999}, "requests of the API"),
        ({"api_burst": 2_499}, "requests of the API"),
    ],
)
def test_one_less_is_not_enough(numbers: Mapping[str, int], subject: str) -> None:
    """The number that is short is named, and no other."""
    assert lacking(**numbers) == [subject]


def test_what_cannot_be_deployed_is_told_from_what_falls_behind() -> None:
    """AWS refuses the one, and throttles the other."""
    short = replace(JUST, executions_free=1, api_rate=1.0)
    found = {each.subject: each.is_needed for each in compare(PROD, short)}

    assert (found["concurrent executions"], found["requests of the API"]) == (True, False)


def test_a_stage_that_sets_nothing_aside_takes_from_the_whole_account() -> None:
    """A new account has ten executions, which such a stage shares."""
    stage = replace(PROD, capacity=replace(PROD.capacity, reserves=False))
    (first, *_) = compare(stage, replace(JUST, executions=10, executions_free=0))

    assert first.is_enough


def test_a_peak_asks_for_tables_that_are_warm() -> None:
    """Before a deployment there is no table to be warm; after it each is looked at."""
    large = replace(JUST, table_writes=40_000, table_reads=60_000)
    warmed = replace(large, warm_writes={"jobs": 20_000, "runs": 19_999})

    assert all(each.is_enough for each in compare(WARM, large))
    assert [each.subject for each in compare(WARM, warmed) if not each.is_enough] == [
        "warm throughput of runs"
    ]
    assert [each.subject for each in compare(WARM, JUST) if not each.is_enough] == [
        "write units of a table",
        "read units of a table",
    ]


ACCOUNT = {"ConcurrentExecutions": 7_000, "UnreservedConcurrentExecutions": 900}
OUTPUTS = {
    "JobsTableName": "the-jobs",
    "RunsTableName": "the-runs",
    CHOICES_OUTPUT: choices_text({"shards": "32", "events": "sha256:0123456789abcdef"}),
}


@pytest.fixture
def session() -> Iterator[boto3.Session]:
    """Clients whose answers are checked against AWS's models."""
    made = boto3.Session(
        aws_access_key_id="a", aws_secret_access_key="s", region_name="eu-central-1"
    )
    clients = {
        name: made.client(name) for name in ("lambda", "dynamodb", "apigateway", "cloudformation")
    }
    with ExitStack() as stack:
        stubs = {name: stack.enter_context(Stubber(each)) for name, each in clients.items()}
        _answer(stubs)
        made.client = clients.__getitem__  # type: ignore[assignment, method-assign]
        yield made


def _answer(stubs: Mapping[str, Stubber]) -> None:
    outputs = [{"OutputKey": key, "OutputValue": value} for key, value in OUTPUTS.items()]
    stack = {"StackName": "s", "StackStatus": "CREATE_COMPLETE", "CreationTime": "2026-11-26"}
    stubs["cloudformation"].add_response(
        "describe_stacks",
        {"Stacks": [{**stack, "Outputs": outputs}]},
        {"StackName": "Timegate-prod-Data"},
    )
    stubs["lambda"].add_response("get_account_settings", {"AccountLimit": ACCOUNT})
    for name in FUNCTION_NAMES:
        stubs["lambda"].add_response(
            "get_function_concurrency",
            {"ReservedConcurrentExecutions": 10},
            {"FunctionName": f"timegate-prod-{name}"},
        )
    stubs["dynamodb"].add_response(
        "describe_limits",
        {"TableMaxWriteCapacityUnits": 40_000, "TableMaxReadCapacityUnits": 50_000},
    )
    for name in ("the-jobs", "the-runs"):
        warm = {"WarmThroughput": {"WriteUnitsPerSecond": 4_000}}
        stubs["dynamodb"].add_response("describe_table", {"Table": warm}, {"TableName": name})
    throttle = {"throttleSettings": {"rateLimit": 10_000.0, "burstLimit": 5_000}}
    stubs["apigateway"].add_response("get_account", throttle)


def test_numbers_are_read_as_aws_answers_them(session: boto3.Session) -> None:
    """Executions of the stage's own functions are free for it."""
    reader = AccountReader(session)
    outputs = reader.outputs("prod")
    quotas = reader.quotas("prod", outputs)

    assert quotas == AccountQuotas(
        executions=7_000,
        executions_free=900 + 10 * len(FUNCTION_NAMES),
        table_writes=40_000,
        table_reads=50_000,
        api_rate=10_000.0,
        api_burst=5_000,
        warm_writes={"the-jobs": 4_000, "the-runs": 4_000},
    )
    # A digest is no value that a stage could be read from.
    assert recorded_choices(outputs) == {"shards": "32"}


def test_the_command_says_what_is_missing(
    session: boto3.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A problem ends with 4, and each step has what to do about it."""
    monkeypatch.setattr("infra.admin.account.checkup.operator_session", lambda _: session)
    shown = CliRunner().invoke(
        app, ["doctor", "--aws", "--stage", "prod", "-c", "warmWrites=50000"]
    )

    assert shown.exit_code == 4
    assert "problem  write units of a table: The peak is 50,000 a second" in shown.output
    assert "DynamoDB, Table-level write throughput" in shown.output
    assert "warning  warm throughput of the-runs" in shown.output


@pytest.mark.parametrize(("value", "code"), [("warmWrites=1", 1), ("warmWrites", 2)])
def test_a_context_that_no_stage_has_is_refused(
    session: boto3.Session, monkeypatch: pytest.MonkeyPatch, value: str, code: int
) -> None:
    """The refusal is that of the deployment."""
    monkeypatch.setattr("infra.admin.account.checkup.operator_session", lambda _: session)
    shown = CliRunner().invoke(app, ["doctor", "--aws", "-c", value])

    assert shown.exit_code == code
    assert "warmWrites" in shown.output
