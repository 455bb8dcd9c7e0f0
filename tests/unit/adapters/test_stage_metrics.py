"""The stage at a glance: two calls a minute, spans of five minutes, and no number made up."""

from datetime import timedelta
from typing import Any

import pytest
from botocore.stub import ANY

from tests.support.factories import NOW, after
from tests.unit.adapters.conftest import Stubbed
from timegate.adapters.cloud_watch.stage_metrics import CloudWatchStageMetrics
from timegate.domain.values.errors import Throttled

LANES = {"critical-short": "timegate-prod-critical-short", "low-long": "timegate-prod-low-long"}
#: Each lane asks for eight metrics: two of lateness, four of ends, two of its queue.
OF_A_LANE = 8
SPAN = timedelta(minutes=5)


def metrics(stubbed: Stubbed) -> tuple[CloudWatchStageMetrics, Any]:
    """The metrics of a stage with two lanes, and what answers for CloudWatch."""
    client, stubber = stubbed("cloudwatch")
    found = CloudWatchStageMetrics(lambda: client, prefix="timegate-prod", queues=LANES)
    return found, stubber


def answer(**series: list[tuple[float, float]]) -> dict[str, Any]:
    """Values by seconds after now."""
    return {
        "MetricDataResults": [
            {
                "Id": each,
                "Timestamps": [after(at) for at, _ in values],
                "Values": [value for _, value in values],
            }
            for each, values in series.items()
        ]
    }


QUIET: dict[str, Any] = {"MetricAlarms": [], "CompositeAlarms": []}


def test_a_minute_costs_two_calls(stubbed: Stubbed) -> None:
    """However often an operator looks; the next minute reads again."""
    read, stubber = metrics(stubbed)
    for _ in range(2):
        stubber.add_response("get_metric_data", answer())
        stubber.add_response("describe_alarms", QUIET)
    first = read.read(now=NOW)

    assert read.read(now=after(59)) is first
    assert read.read(now=after(60)) is not first


def test_values_lie_in_their_spans(stubbed: Stubbed) -> None:
    """Silence is null; several metrics of one measure are added; an odd instant is dropped."""
    read, stubber = metrics(stubbed)
    found = answer(m0x1=[(-300, 900.5), (0, 40.0)], m0x3=[(0, 2.0)], m0x5=[(0, 3.0), (7, 9.0)])
    stubber.add_response("get_metric_data", found)
    stubber.add_response("describe_alarms", QUIET)
    figures = read.read(now=after(30))
    lane = figures.lanes[0]

    assert list(figures.spans) == [NOW - SPAN * back for back in reversed(range(12))]
    assert lane.start_lag_p99_ms[-3:] == (None, 900.5, 40.0)
    assert lane.failed[-2:] == (None, 5.0)
    assert figures.lanes[1].succeeded == (None,) * 12


def test_each_lane_asks_for_its_executor_and_its_queue(stubbed: Stubbed) -> None:
    """The hour ends with the span that has begun."""
    read, stubber = metrics(stubbed)
    asked: list[dict[str, Any]] = []
    wanted = {
        "MetricDataQueries": ANY,
        "StartTime": NOW - SPAN * 11,
        "EndTime": NOW + SPAN,
        "ScanBy": "TimestampAscending",
    }
    stubber.add_response("get_metric_data", answer(), wanted)
    stubber.add_response("describe_alarms", QUIET)
    for lane in LANES:
        asked += [query for _, query in read._queries(lane)]
    read.read(now=after(299))
    dimensions = {each["MetricStat"]["Metric"]["Dimensions"][0]["Value"] for each in asked}

    assert len({each["Id"] for each in asked}) == len(asked) == OF_A_LANE * len(LANES)
    assert dimensions == {
        *LANES.values(),
        "timegate-prod-executor-critical-short",
        "timegate-prod-executor-low-long",
    }


def topic(name: str) -> str:
    """The ARN of a topic of a stage."""
    return f"arn:aws:sns:eu-west-1:111122223333:timegate-{name}"


def test_alarms_that_are_on_are_shown_by_their_own_names(stubbed: Stubbed) -> None:
    """Only this stage's alarms are listed, the earliest first."""
    read, stubber = metrics(stubbed)
    stubber.add_response("get_metric_data", answer())
    on = {
        "MetricAlarms": [
            {
                "AlarmName": "timegate-prod-relay-errors",
                "AlarmDescription": "The function raises.",
                "AlarmActions": [topic("prod-alerts")],
                "StateUpdatedTimestamp": after(-60),
            }
        ],
        "CompositeAlarms": [
            {
                "AlarmName": "timegate-prod-unhealthy",
                # Another of its alarms went off since.
                "StateUpdatedTimestamp": after(-10),
                "StateTransitionedTimestamp": after(-90),
            }
        ],
    }
    asked = {
        "AlarmNamePrefix": "timegate-prod-",
        "AlarmTypes": ["CompositeAlarm", "MetricAlarm"],
        "StateValue": "ALARM",
        "MaxRecords": 100,
    }
    stubber.add_response("describe_alarms", on, asked)

    assert [(each.name, each.meaning, each.since) for each in read.read(now=NOW).alarms] == [
        ("unhealthy", "", after(-90)),
        ("relay-errors", "The function raises.", after(-60)),
    ]


def test_no_window_and_no_alarm_of_a_stage_that_is_called_alike_is_shown(stubbed: Stubbed) -> None:
    """A window tells no person; names of the stage ``prod-b`` begin as those of ``prod``."""
    read, stubber = metrics(stubbed)
    stubber.add_response("get_metric_data", answer())
    on = {
        "MetricAlarms": [
            {
                "AlarmName": f"timegate-prod-{name}",
                "AlarmActions": actions,
                "StateUpdatedTimestamp": after(-60),
            }
            for name, actions in (
                ("executor-low-long-errors-fast-burn-short", []),
                ("b-relay-errors", [topic("prod-b-alerts")]),
                ("sweeper-offer-age", [topic("prod-tickets")]),
            )
        ],
        "CompositeAlarms": [
            {"AlarmName": "timegate-prod-b-unhealthy", "StateUpdatedTimestamp": after(-90)}
        ],
    }
    stubber.add_response("describe_alarms", on)

    assert [each.name for each in read.read(now=NOW).alarms] == ["sweeper-offer-age"]


def of_another_stage(number: int) -> dict[str, Any]:
    """An alarm of the stage ``prod-b``."""
    return {
        "AlarmName": f"timegate-prod-b-{number}",
        "AlarmActions": [topic("prod-b-alerts")],
        "StateUpdatedTimestamp": after(-60),
    }


def test_an_alarm_behind_a_page_of_others_is_shown(stubbed: Stubbed) -> None:
    """A page has a hundred alarms, and those of ``prod-b`` come first; one page may be empty."""
    read, stubber = metrics(stubbed)
    own = {
        "AlarmName": "timegate-prod-relay-errors",
        "AlarmActions": [topic("prod-alerts")],
        "StateUpdatedTimestamp": after(-60),
    }
    others = [of_another_stage(number) for number in range(100)]
    stubber.add_response("get_metric_data", answer())
    stubber.add_response("describe_alarms", {"MetricAlarms": others, "NextToken": "1"})
    stubber.add_response("describe_alarms", {**QUIET, "NextToken": "2"})
    stubber.add_response("describe_alarms", {"MetricAlarms": [own]})

    assert [each.name for each in read.read(now=NOW).alarms] == ["relay-errors"]


def test_a_metric_on_two_pages_is_read_whole(stubbed: Stubbed) -> None:
    """CloudWatch may break an answer off wherever it likes."""
    read, stubber = metrics(stubbed)
    stubber.add_response("get_metric_data", {**answer(m0x0=[(-300, 1.0)]), "NextToken": "1"})
    stubber.add_response("get_metric_data", answer(m0x0=[(0, 2.0)]))
    stubber.add_response("describe_alarms", QUIET)

    assert read.read(now=after(30)).lanes[0].start_lag_p50_ms[-2:] == (1.0, 2.0)


@pytest.mark.parametrize("call", ["get_metric_data", "describe_alarms"])
def test_cloudwatch_that_does_not_answer_is_asked_again_later(stubbed: Stubbed, call: str) -> None:
    """A failure is not kept for the minute."""
    read, stubber = metrics(stubbed)
    if call == "describe_alarms":
        stubber.add_response("get_metric_data", answer())
    stubber.add_client_error(call, "InternalServiceFault")
    stubber.add_response("get_metric_data", answer())
    stubber.add_response("describe_alarms", QUIET)

    with pytest.raises(Throttled):
        read.read(now=NOW)
    assert read.read(now=NOW).at == NOW
