"""Alarms on metrics that come after the minute that they are of."""

import pytest

from infra.stage.settings import STAGES
from tests.infra.observability.alarm_reading import alarms
from tests.infra.stage_template import StageTemplate

#: Those of functions that fail for so long ring by other numbers.
RARE = {"archiver-errors", "dead_letter-errors"}


def judged_minutes(template: StageTemplate, name: str) -> int:
    """Return over how many minutes an alarm is judged of which one is enough."""
    (found,) = [
        each.properties
        for each in alarms(template)
        if each.properties["AlarmName"] == f"timegate-prod-{name}"
    ]
    period = found.get("Period") or found["Metrics"][1]["MetricStat"]["Period"]
    assert found["DatapointsToAlarm"] == 1
    return int(found["EvaluationPeriods"]) * int(period) // 60


def test_an_invocation_that_times_out_rings(prod: StageTemplate) -> None:
    """Lambda dates an error by the begin of its invocation, and sends it at the end of that."""
    functions = {
        each.properties["FunctionName"].removeprefix("timegate-prod-"): each.properties["Timeout"]
        for each in prod.of_type("AWS::Lambda::Function")
        if "Timeout" in each.properties and "FunctionName" in each.properties
    }
    names = {
        each.properties["AlarmName"].removeprefix("timegate-prod-")
        for each in alarms(prod)
        if each.properties["AlarmName"].endswith("-errors")
    } - {"executors-errors", *RARE}

    assert {"api-errors", "planner-errors", "operations-errors"} <= names
    for name in names:
        timeout = functions[name.removesuffix("-errors")]
        assert 60 * (judged_minutes(prod, name) - 1) >= timeout
    longest = max(each.timeout_seconds for each in STAGES["prod"].classes.values())
    assert 60 * (judged_minutes(prod, "executors-errors") - 1) >= longest


@pytest.mark.parametrize(
    "name",
    [
        *("executors-errors", "executors-throttles", "executors-clock-skew"),
        *("runs-dead-lettered", "workers-runs-dead-lettered"),
    ],
)
def test_a_zero_that_is_filled_in_hides_no_late_datum(prod: StageTemplate, name: str) -> None:
    """CloudWatch fills the latest minute in, whose data are under way, and passes no judgement.

    Its documentation of ``FILL`` advises alarms of M out of N.
    """
    assert judged_minutes(prod, name) > 5


@pytest.mark.parametrize(
    ("lane", "burn", "minutes"),
    [
        ("critical-short", "fast-burn", 5),
        ("critical-short", "slow-burn", 30),
        ("critical-long", "fast-burn", 20),
        ("critical-long", "slow-burn", 30),
    ],
)
def test_a_burn_by_time_outs_is_in_the_short_window(
    prod: StageTemplate, lane: str, burn: str, minutes: int
) -> None:
    """A lane all of whose runs time out after fifteen minutes has no error of the last five."""
    assert judged_minutes(prod, f"executor-{lane}-errors-{burn}-short") == minutes
