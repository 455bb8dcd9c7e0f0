"""Alarms of the local cloud, judged by dimension, window and silence as on AWS.

The emulator judges an alarm by all metrics of its name, and when a metric is put. A minute of an
alarm may be shorter here, so that a test sees an alarm go off and end.
"""

import math
import operator
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ministack.services import cloudwatch  # type: ignore[import-untyped]
from ministack.services.cloudformation import provisioners  # type: ignore[import-untyped]

from infra.local.telemetry import sources
from infra.local.telemetry.statistics import computed, statistic

#: So many pauses are made up for; what is older is left out.
_LATE_PAUSES = 15
#: Longer than what an overview shows.
_KEPT_SECONDS = 2 * 3_600
_COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "GreaterThanOrEqualToThreshold": operator.ge,
    "GreaterThanThreshold": operator.gt,
    "LessThanThreshold": operator.lt,
    "LessThanOrEqualToThreshold": operator.le,
}
_COMPOSITE = "AWS::CloudWatch::CompositeAlarm"


def keep_metrics_and_alarms(*, minute_seconds: float) -> None:
    """Forward metrics, and judge all alarms each minute, which lasts so many seconds."""
    sources.forward_embedded_metrics()
    sources.count_received_messages()
    sources.count_requests()
    deploy_expressions_and_composites()
    cloudwatch.TWO_WEEKS_SECONDS = _KEPT_SECONDS
    # Not with each point: windows end when their time has come, and silence is no point.
    cloudwatch._evaluate_alarm = lambda _: None
    cloudwatch._evaluate_all_alarms = lambda: None
    scale = minute_seconds / 60
    threading.Thread(target=_for_ever, args=(scale, minute_seconds / 2), daemon=True).start()


def _for_ever(scale: float, pause: float) -> None:
    looked = time.time()
    while True:
        time.sleep(pause)
        try:
            sources.sample()
            cloudwatch._evict_old_metrics()
            last, looked = looked, time.time()
            for at in looks(last, looked, pause):
                for alarm in list(cloudwatch._alarms.values()):
                    # A line of metrics comes after the instant that it names.
                    judge(alarm, now=at - pause, scale=scale)
        except Exception:  # noqa: BLE001 - one bad alarm must not end all others
            cloudwatch.logger.exception("metrics and alarms")


def looks(last: float, now: float, pause: float) -> Iterator[float]:
    """Yield the instants at which alarms are judged after the last one, the latest of them now.

    A machine that is busy comes late. A point that came and went meanwhile rings its alarm, for
    windows last two pauses or longer.
    """
    late = min(now - last, _LATE_PAUSES * pause)
    steps = max(1, math.ceil(late / pause))
    for step in range(steps - 1, -1, -1):
        yield now - step * pause


def judge(alarm: dict[str, Any], *, now: float, scale: float) -> None:
    """Set an alarm's state by its windows that end now, and tell of a change."""
    state = state_of(alarm, now=now, scale=scale)
    before = alarm["StateValue"]
    if state in (None, before):
        return
    reason = f"{alarm['EvaluationPeriods']} periods were judged"
    alarm |= {
        "StateValue": state,
        "StateReason": reason,
        "StateUpdatedTimestamp": int(time.time()),
    }
    cloudwatch._record_history(alarm["AlarmName"], before, state, reason)
    cloudwatch._dispatch_alarm_actions(alarm, before, state, reason)
    cloudwatch._evaluate_parent_alarms(alarm)


def state_of(alarm: Mapping[str, Any], *, now: float, scale: float) -> str | None:
    """Return an alarm's state at an instant; ``None``: it stays in the one it has."""
    periods = int(alarm["EvaluationPeriods"])
    length = _period(alarm) * scale
    values = [
        _value(alarm, start=now - (back + 1) * length, end=now - back * length)
        for back in range(periods)
    ]
    silence = alarm.get("TreatMissingData", "missing")
    compare = _COMPARISONS[alarm["ComparisonOperator"]]
    known = [compare(value, alarm["Threshold"]) for value in values if value is not None]
    if silence in {"breaching", "notBreaching"}:
        known += [silence == "breaching"] * (periods - len(known))
    if not known:
        return None if silence == "ignore" else "INSUFFICIENT_DATA"
    needed = min(int(alarm.get("DatapointsToAlarm") or periods), len(known))
    return "ALARM" if sum(known) >= needed else "OK"


def _period(alarm: Mapping[str, Any]) -> int:
    stats = [each["MetricStat"] for each in alarm.get("Metrics", ()) if "MetricStat" in each]
    return int(stats[0]["Period"] if stats else alarm["Period"])


def _value(alarm: Mapping[str, Any], *, start: float, end: float) -> float | None:
    parts = alarm.get("Metrics")
    if not parts:
        name = alarm.get("ExtendedStatistic") or alarm.get("Statistic") or "Average"
        return statistic(_points(alarm, start, end), name)
    values = {
        each["Id"]: statistic(
            _points(each["MetricStat"]["Metric"], start, end), each["MetricStat"]["Stat"]
        )
        for each in parts
        if "MetricStat" in each
    }
    (expression,) = (each["Expression"] for each in parts if "Expression" in each)
    return computed(expression, values)


def _points(metric: Mapping[str, Any], start: float, end: float) -> list[dict[str, Any]]:
    dimensions = cloudwatch._dims_from_list(metric.get("Dimensions") or [])
    key = (metric["Namespace"], metric["MetricName"], cloudwatch._dims_key(dimensions))
    return [each for each in cloudwatch._metrics.get(key) or () if start < each["Timestamp"] <= end]


def deploy_expressions_and_composites() -> None:
    """Let templates have alarms on expressions, and composite alarms."""
    recorded: Callable[..., dict[str, Any]] = provisioners._cw_metric_alarm_record

    def with_expressions(name: str, props: dict[str, Any]) -> dict[str, Any]:
        parts = props.get("Metrics")
        if not parts:
            return recorded(name, props)
        plain = {key: value for key, value in props.items() if key != "Metrics"}
        found = recorded(name, {"MetricName": "-", "Namespace": "-", **plain})
        return {**found, "Metrics": parts}

    provisioners._cw_metric_alarm_record = with_expressions
    provisioners._RESOURCE_HANDLERS[_COMPOSITE] = {
        "create": _put,
        "update": lambda _physical, _old, props, stack: _put("", props, stack),
        "delete": lambda physical, _props: cloudwatch._composite_alarms.pop(physical, None),
    }


def _put(_logical: str, props: dict[str, Any], _stack: str) -> tuple[str, dict[str, Any]]:
    status, _, body = cloudwatch._put_composite_alarm({}, props, False, is_json=True)  # noqa: FBT003 - the emulator's
    if status >= 400:  # noqa: PLR2004 - refusals of HTTP
        raise ValueError(body.decode())
    name = props["AlarmName"]
    return name, {"Arn": cloudwatch._composite_alarms[name]["AlarmArn"]}
