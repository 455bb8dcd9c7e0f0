"""The clock: every shard is woken, once, each minute."""

import json

import pytest

from tests.infra.stage_template import Grant, StageTemplate
from tests.support.execution.placing import first_shards
from tests.support.factories import NOW
from timegate.usecases.planning.plan_shard import SHARD_LEASE


@pytest.mark.parametrize("function", ["planner", "sweeper", "auditor"])
def test_every_shard_is_in_exactly_one_group(stage: StageTemplate, function: str) -> None:
    """The groups' static inputs make up all shards, none twice."""
    target = stage.function(function)
    shards = [
        shard
        for schedule in stage.of_type("AWS::Scheduler::Schedule")
        if stage.behind(schedule.properties["Target"]["Arn"]) == target.path
        for shard in json.loads(schedule.properties["Target"]["Input"])["shards"]
    ]
    count = int(target.properties["Environment"]["Variables"]["SHARDS"])

    assert list(range(count)) == sorted(shards)


@pytest.mark.parametrize("function", ["planner", "sweeper", "auditor"])
def test_the_groups_of_a_stage_serve_every_open_shard(chosen: StageTemplate, function: str) -> None:
    """Lowered to 5 while 12 are open: by remainder each open shard belongs to one group."""
    target = chosen.function(function)
    inputs = [
        json.loads(schedule.properties["Target"]["Input"])
        for schedule in chosen.of_type("AWS::Scheduler::Schedule")
        if chosen.behind(schedule.properties["Target"]["Arn"]) == target.path
    ]
    twelve = first_shards(12, at=NOW)
    served = [
        turn.shard for each in inputs for turn in twelve.turns(each["shards"], each["of"], at=NOW)
    ]

    assert [each["shards"] for each in inputs] == [[0, 1, 2, 3], [4]]
    assert list(range(12)) == sorted(served)


def test_every_function_that_writes_is_told_the_same_number(chosen: StageTemplate) -> None:
    """One setting, everywhere."""
    told = {
        function.properties["Environment"]["Variables"].get("SHARDS")
        for function in chosen.of_type("AWS::Lambda::Function")
    }

    assert told == {"5", None}


def test_a_tick_comes_each_minute_and_a_lost_one_is_kept(stage: StageTemplate) -> None:
    """No flexible window, two retries within two minutes, then the dead-letter queue.

    The auditor looks every five minutes, the archiver every hour.
    """
    for schedule in stage.of_type("AWS::Scheduler::Schedule"):
        target = schedule.properties["Target"]
        named = schedule.properties["Name"]
        every = "5 minutes" if "-auditor-" in named else "1 minute"
        every = "60 minutes" if "-archiver-" in named else every
        assert schedule.properties["ScheduleExpression"] == f"rate({every})"
        assert schedule.properties["FlexibleTimeWindow"] == {"Mode": "OFF"}
        assert target["RetryPolicy"] == {
            "MaximumEventAgeInSeconds": 120,
            "MaximumRetryAttempts": 2,
        }
        assert target["DeadLetterConfig"] == {"Arn": "LostTicks/Queue.Arn"}


@pytest.mark.parametrize(
    ("part", "seconds"),
    [("Planner", 120), ("Sweeper", 120), ("Auditor", 300), ("Archiver", 3600)],
)
def test_a_stale_tick_is_dropped_and_a_failed_one_is_kept(
    stage: StageTemplate, part: str, seconds: int
) -> None:
    """Lambda drops a tick when later ones have come, repeats none, and parks what it drops."""
    (config,) = [
        each
        for each in stage.of_type("AWS::Lambda::EventInvokeConfig")
        if each.properties["FunctionName"] == f"{part}/Function"
    ]

    assert config.properties["Qualifier"] == "live"
    assert seconds == config.properties["MaximumEventAgeInSeconds"]
    assert config.properties["MaximumRetryAttempts"] == 0
    assert config.properties["DestinationConfig"] == {
        "OnFailure": {"Destination": "LostTicks/Queue.Arn"}
    }
    assert Grant("sqs:SendMessage", "LostTicks/Queue.Arn") in stage.grants(part.lower())
    assert f"{part}/Role/DefaultPolicy" in config.depends_on


def test_every_asynchronous_invocation_has_an_age_and_a_destination(
    landing: StageTemplate,
) -> None:
    """Schedules and rules invoke functions asynchronously; Lambda would drop failures unseen."""
    invoked = {
        landing.behind(schedule.properties["Target"]["Arn"])
        for schedule in landing.of_type("AWS::Scheduler::Schedule")
    } | {
        landing.behind(target["Arn"])
        for rule in landing.of_type("AWS::Events::Rule")
        for target in rule.properties["Targets"]
    }
    configured = {
        each.properties["FunctionName"]: each.properties
        for each in landing.of_type("AWS::Lambda::EventInvokeConfig")
    }

    assert {"DagRuns/Function", "Planner/Function"} <= invoked
    assert invoked == configured.keys()
    for each in configured.values():
        assert "MaximumEventAgeInSeconds" in each
        assert each["DestinationConfig"]["OnFailure"]["Destination"].endswith("/Queue.Arn")


@pytest.mark.parametrize("part", ["Planner", "Sweeper", "Auditor", "Archiver"])
def test_a_tick_may_wake_its_function_and_nothing_else(stage: StageTemplate, part: str) -> None:
    """The schedules' role invokes one function and parks what fails."""
    assert {
        Grant("lambda:InvokeFunction", f"{part}/Live"),
        # Schedules of a release before aliases invoke it.
        Grant("lambda:InvokeFunction", f"{part}/Function.Arn"),
        Grant("sqs:SendMessage", "LostTicks/Queue.Arn"),
    } == stage.grants_of_role(f"{part}/Ticks/Role")


def test_schedules_of_this_account_alone_have_the_role_of_a_tick(stage: StageTemplate) -> None:
    """Scheduler serves every account: one that could name the role would wake the function."""
    trusted = [
        statement["Condition"]
        for role in stage.of_type("AWS::IAM::Role")
        for statement in role.properties["AssumeRolePolicyDocument"]["Statement"]
        if statement["Principal"] == {"Service": "scheduler.amazonaws.com"}
    ]

    assert trusted != []
    assert all(
        each == {"StringEquals": {"aws:SourceAccount": "<AWS::AccountId>"}} for each in trusted
    )


@pytest.mark.parametrize("function", ["planner", "sweeper", "auditor"])
def test_a_tick_has_time_for_every_shard_of_its_group(stage: StageTemplate, function: str) -> None:
    """Shards are served one after the other, each for at most the length of its lease."""
    target = stage.function(function)
    most = max(
        len(json.loads(schedule.properties["Target"]["Input"])["shards"])
        for schedule in stage.of_type("AWS::Scheduler::Schedule")
        if stage.behind(schedule.properties["Target"]["Arn"]) == target.path
    )

    assert most * SHARD_LEASE.total_seconds() < target.properties["Timeout"] <= 900


def test_the_look_ahead_spans_three_ticks_and_fits_a_queue_delay(stage: StageTemplate) -> None:
    """Ticks fire anywhere in their minute, and SQS holds a message for 900 s at most."""
    environment = stage.function("planner").properties["Environment"]["Variables"]

    assert 180 <= int(environment["LOOK_AHEAD_SECONDS"]) <= 900
