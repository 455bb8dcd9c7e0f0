"""Objectives of lanes: which alarms watch their budgets."""

import re

import pytest

from infra.stage.settings import QUEUE_KEYS
from tests.infra.observability.alarm_reading import alarms, composites
from tests.infra.stage_template import StageTemplate

KEYS = [str(key) for key in QUEUE_KEYS]
BURNS = {"fast-burn": (14.4, 3_600, 300), "slow-burn": (6, 21_600, 1_800)}


@pytest.mark.parametrize("name", BURNS)
def test_budgets_are_watched_in_two_windows(prod: StageTemplate, name: str) -> None:
    """An hour and five minutes, six hours and half an hour; both have to burn."""
    rule = composites(prod)[f"timegate-prod-{name}"].properties["AlarmRule"]
    pairs = re.findall(r'\(ALARM\("([^"]+)-long"\) AND ALARM\("([^"]+)-short"\)\)', rule)
    by_name = {each.properties["AlarmName"]: each.properties for each in alarms(prod)}
    rate, long, short = BURNS[name]

    assert len(rule) <= 10_240
    assert rule == " OR ".join(f'(ALARM("{a}-long") AND ALARM("{b}-short"))' for a, b in pairs)
    assert {(a, b) for a, b in pairs} == {
        (f"timegate-prod-executor-{key}-{objective}-{name}",) * 2
        for key in KEYS
        for objective in ("errors", "lag")
    }
    for pair, _ in pairs:
        periods = {
            part["MetricStat"]["Period"]
            for part in by_name[f"{pair}-long"]["Metrics"]
            if "MetricStat" in part
        }
        assert (periods, by_name[f"{pair}-short"]["Period"]) == ({long}, short)
        budget = 1 if "-lag-" in pair else 0.01
        assert by_name[f"{pair}-long"]["Threshold"] == pytest.approx(rate * budget)
        if "-lag-" in pair:
            assert by_name[f"{pair}-short"]["Threshold"] == pytest.approx(100 - rate)
            assert by_name[f"{pair}-short"]["ComparisonOperator"] == "LessThanThreshold"


def test_a_stage_without_objectives_has_no_alarm_on_budgets(dev: StageTemplate) -> None:
    """``dev`` by default: its lanes have the alarm on start lag instead."""
    names = {each.properties["AlarmName"] for each in alarms(dev)}

    assert [name for name in names if "-burn" in name] == []
    assert "timegate-dev-executor-critical-short-start-lag" in names
