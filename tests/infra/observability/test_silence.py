"""A tick that does not come reaches a person: nothing else would measure it."""

import pytest

from infra.stage.settings import QUEUE_KEYS
from tests.infra.observability.alarm_reading import alarms, described
from tests.infra.stage_template import StageTemplate


def test_silence_is_alarming_where_ticks_are_expected(prod: StageTemplate) -> None:
    """No data means no tick, or no look; elsewhere it means that there is nothing to do."""
    breaching = {
        alarm.properties["AlarmName"]
        for alarm in alarms(prod)
        if alarm.properties["TreatMissingData"] == "breaching"
    }

    functions = ("planner", "sweeper", "sweeper-looks", "auditor", "archiver")

    assert {f"timegate-prod-{name}-silence" for name in functions} == breaching


@pytest.mark.parametrize(("function", "every_minutes"), [("auditor", 5), ("archiver", 60)])
def test_a_late_tick_is_no_silence(prod: StageTemplate, function: str, every_minutes: int) -> None:
    """Three ticks in a row are missing before a person is told."""
    (alarm,) = [
        each
        for each in alarms(prod)
        if each.properties["AlarmName"] == f"timegate-prod-{function}-silence"
    ]

    assert alarm.properties["Period"] == 60
    assert alarm.properties["EvaluationPeriods"] >= 3 * every_minutes


def test_an_archive_that_is_off_is_not_missed(foreign: StageTemplate) -> None:
    """Its archiver has no ticks; the auditor still has."""
    found = {name for name in described(foreign) if name.endswith("-silence")}

    assert "timegate-dev-auditor-silence" in found
    assert "timegate-dev-archiver-silence" not in found


def test_an_alarm_on_parked_messages_outlives_the_metrics_of_their_queue(
    stage: StageTemplate,
) -> None:
    """SQS measures a queue for six hours after the last request, and no function makes one there.

    Queues that a function reads are measured all the time.
    """
    silences = {
        alarm.properties["AlarmName"].split("-", 2)[2]: alarm.properties["TreatMissingData"]
        for alarm in alarms(stage)
        if alarm.properties["AlarmName"].endswith("-depth")
    }
    read = {f"{key}-dlq-depth" for key in QUEUE_KEYS}

    assert {name for name, silence in silences.items() if silence != "ignore"} == read
    assert {"rejected-depth", "ticks-dlq-depth"} <= silences.keys() - read
