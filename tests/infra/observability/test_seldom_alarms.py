"""Alarms on what is seldom measured, or seldom invoked."""

import pytest

from tests.infra.observability.alarm_reading import alarms
from tests.infra.stage_template import StageTemplate

#: Functions that are seldom invoked.
RARE = ("archiver", "dead_letter")


@pytest.mark.parametrize(
    ("name", "minutes"),
    [
        *(("archiver-behind", 60), ("auditor-behind", 5)),
        *(("sweeper-offer-age", 10), ("sweeper-operations-stalled", 2)),
    ],
)
def test_an_alarm_stays_on_between_two_measurements(
    prod: StageTemplate, name: str, minutes: int
) -> None:
    """It told people anew at each, and was off in between."""
    (alarm,) = [e for e in alarms(prod) if e.properties["AlarmName"] == f"timegate-prod-{name}"]
    found = alarm.properties

    assert (found["Period"], found["TreatMissingData"]) == (60, "notBreaching")
    assert (found["DatapointsToAlarm"], found["EvaluationPeriods"]) == (1, 2 * minutes)


def test_an_alarm_on_what_is_measured_each_minute_ends_at_once(prod: StageTemplate) -> None:
    """Bad minutes follow one another there; what comes late is judged over more of them."""
    seldom = {"archiver-behind", "auditor-behind", "sweeper-offer-age", "sweeper-stuck"}
    seldom.add("sweeper-operations-stalled")
    seldom |= {f"{name}-{what}" for name in RARE for what in ("errors", "throttles")}
    names = {
        each.properties["AlarmName"].removeprefix("timegate-prod-")
        for each in alarms(prod)
        if "DatapointsToAlarm" in each.properties and "-burn-" not in each.properties["AlarmName"]
    }
    late = {name for name in names if name.endswith("-errors")}
    late |= {"executors-throttles", "executors-clock-skew"}
    late |= {"runs-dead-lettered", "workers-runs-dead-lettered"}

    assert seldom <= names
    assert names == seldom | late


@pytest.mark.parametrize("name", ["dead_letter-errors", "dead_letter-throttles"])
def test_a_message_that_cannot_be_buried_rings_at_its_third_try(
    prod: StageTemplate, name: str
) -> None:
    """It comes again each three minutes: no minute has three errors, and its queue looks empty."""
    (found,) = [
        each.properties for each in alarms(prod) if each.properties["AlarmName"].endswith(name)
    ]
    (queue, *_) = [
        each.properties
        for each in prod.resources
        if str(each.properties.get("QueueName", "")).endswith("-short-dlq")
    ]
    tries_minutes = 2 * queue["VisibilityTimeout"] / 60

    assert (found["Threshold"], found["Period"], found["DatapointsToAlarm"]) == (1, 60, 3)
    assert found["EvaluationPeriods"] > tries_minutes


@pytest.mark.parametrize("name", ["archiver-errors", "archiver-throttles"])
def test_one_failed_tick_an_hour_rings(prod: StageTemplate, name: str) -> None:
    """No minute has a second one; the alarm stays on until two ticks have passed."""
    (found,) = [
        each.properties for each in alarms(prod) if each.properties["AlarmName"].endswith(name)
    ]

    assert (found["Threshold"], found["Period"]) == (1, 60)
    assert (found["DatapointsToAlarm"], found["EvaluationPeriods"]) == (1, 120)
