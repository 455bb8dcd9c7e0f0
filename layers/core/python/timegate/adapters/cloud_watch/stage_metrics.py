"""Metrics and alarms of a stage: two calls a minute, however many operators look."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from timegate.domain.values.errors import Throttled
from timegate.ports.telemetry.run_metrics import (
    RUNS_DEAD_LETTERED,
    RUNS_FAILED,
    RUNS_SUCCEEDED,
    RUNS_TIMED_OUT,
    START_LAG_MS,
)
from timegate.ports.telemetry.stage_metrics import (
    ALERTS,
    HEALTH_ALARMS,
    SPAN,
    SPANS,
    TICKETS,
    LaneFigures,
    RaisedAlarm,
    Series,
    StageFigures,
)
from timegate.ports.telemetry.telemetry import DIMENSION, EXECUTOR

_NAMESPACE = "Timegate"
#: A page of CloudWatch has at most so many alarms.
_MOST_ALARMS = 100
#: Each measure of a lane: metrics that are added, and the statistic of each.
_OF_EXECUTOR: Mapping[str, tuple[tuple[str, ...], str]] = {
    "start_lag_p50_ms": ((START_LAG_MS,), "p50"),
    "start_lag_p99_ms": ((START_LAG_MS,), "p99"),
    "succeeded": ((RUNS_SUCCEEDED,), "Sum"),
    "failed": (
        (RUNS_FAILED, RUNS_TIMED_OUT, RUNS_DEAD_LETTERED),
        "Sum",
    ),
}
_OF_QUEUE = {
    "waiting": "ApproximateNumberOfMessagesVisible",
    "oldest_seconds": "ApproximateAgeOfOldestMessage",
}


class CloudWatchStageMetrics:
    """The metrics of one stage's lanes, and its alarms."""

    def __init__(
        self, client: Callable[[], Any], *, prefix: str, queues: Mapping[str, str]
    ) -> None:
        """Read ``timegate-prod``'s; ``queues``: names of queues by lane."""
        self._build = client
        self._prefix = prefix
        self._queues = queues
        self._kept: StageFigures | None = None

    @cached_property
    def _client(self) -> Any:  # noqa: ANN401 - the stubs have no CloudWatch
        return self._build()

    def read(self, *, now: datetime) -> StageFigures:
        """Read an hour; the same answer within a minute. Raises ``Throttled``."""
        minute = now.replace(second=0, microsecond=0)
        if self._kept is None or self._kept.at != minute:
            try:
                self._kept = self._read(minute)
            except (BotoCoreError, ClientError) as error:
                raise Throttled(f"CloudWatch did not answer: {error}") from error
        return self._kept

    def _read(self, minute: datetime) -> StageFigures:
        begun = datetime.fromtimestamp(minute.timestamp() // SPAN.seconds * SPAN.seconds, UTC)
        spans = [begun - SPAN * back for back in reversed(range(SPANS))]
        queries = [query for lane in self._queues for query in self._queries(lane)]
        pages = _pages(
            self._client.get_metric_data,
            MetricDataQueries=[each for _, each in queries],
            StartTime=spans[0],
            EndTime=begun + SPAN,
            ScanBy="TimestampAscending",
        )
        found: dict[str, list[Mapping[str, Any]]] = {}
        for result in (each for page in pages for each in page["MetricDataResults"]):
            found.setdefault(result["Id"], []).append(result)
        series: dict[tuple[str, str], list[Series]] = {}
        for key, query in queries:
            series.setdefault(key, []).append(_series(found.get(query["Id"], ()), spans))
        lanes = [self._lane(lane, series) for lane in self._queues]
        return StageFigures(at=minute, spans=spans, lanes=lanes, alarms=self._alarms())

    def _queries(self, lane: str) -> list[tuple[tuple[str, str], dict[str, Any]]]:
        """Build a query for each metric of a lane, and say which measure it is of."""
        service = {"Name": DIMENSION, "Value": f"{self._prefix}-{EXECUTOR}-{lane}"}
        queue = {"Name": "QueueName", "Value": self._queues[lane]}
        named = [
            (measure, _NAMESPACE, str(metric), service, statistic)
            for measure, (metrics, statistic) in _OF_EXECUTOR.items()
            for metric in metrics
        ]
        named += [
            (measure, "AWS/SQS", metric, queue, "Maximum") for measure, metric in _OF_QUEUE.items()
        ]
        place = list(self._queues).index(lane)
        return [
            (
                (lane, measure),
                {
                    "Id": f"m{place}x{number}",
                    "MetricStat": {
                        "Metric": {
                            "Namespace": namespace,
                            "MetricName": metric,
                            "Dimensions": [dimension],
                        },
                        "Period": SPAN.seconds,
                        "Stat": statistic,
                    },
                },
            )
            for number, (measure, namespace, metric, dimension, statistic) in enumerate(named)
        ]

    def _lane(self, lane: str, series: Mapping[tuple[str, str], Sequence[Series]]) -> LaneFigures:
        measures = {name: _added(series[lane, name]) for name in (*_OF_EXECUTOR, *_OF_QUEUE)}
        return LaneFigures(lane=lane, **measures)

    def _alarms(self) -> list[RaisedAlarm]:
        """List the stage's alarms that are on.

        Pages have windows of burn rates and alarms of stages that are called alike: more of them
        than a page holds may stand before the stage's own.
        """
        pages = _pages(
            self._client.describe_alarms,
            AlarmNamePrefix=f"{self._prefix}-",
            AlarmTypes=["CompositeAlarm", "MetricAlarm"],
            StateValue="ALARM",
            MaxRecords=_MOST_ALARMS,
        )
        found = [
            alarm
            for page in pages
            for alarm in (*page.get("CompositeAlarms", ()), *page.get("MetricAlarms", ()))
        ]
        raised = [
            RaisedAlarm(
                name=each["AlarmName"].removeprefix(f"{self._prefix}-"),
                meaning=each.get("AlarmDescription", ""),
                since=_since(each),
            )
            for each in found
            if self._is_own(each)
        ]
        return sorted(raised, key=lambda each: (each.since, each.name))

    def _is_own(self, alarm: Mapping[str, Any]) -> bool:
        """Tell if an alarm tells people of this stage, or stands for one that does.

        A window of a burn rate tells none, and is no alarm by itself. One of the stage ``prod-b``
        begins as those of ``prod``, and tells its own.
        """
        topics = tuple(f":{self._prefix}-{each}" for each in (ALERTS, TICKETS))
        tells = any(each.endswith(topics) for each in alarm.get("AlarmActions", ()))
        return tells or alarm["AlarmName"].removeprefix(f"{self._prefix}-") in HEALTH_ALARMS


def _since(alarm: Mapping[str, Any]) -> datetime:
    """Return since when an alarm is on.

    CloudWatch updates the state of a composite alarm whenever another of its alarms goes off. The
    local cloud does not know the transition by itself.
    """
    at: datetime = alarm.get("StateTransitionedTimestamp") or alarm["StateUpdatedTimestamp"]
    return at.astimezone(UTC)


def _pages(call: Callable[..., Any], **asked: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401
    """Yield each page of an answer; one may be empty and not be the last."""
    page = call(**asked)
    yield page
    while token := page.get("NextToken"):
        page = call(**asked, NextToken=token)
        yield page


def _series(results: Sequence[Mapping[str, Any]], spans: Sequence[datetime]) -> Series:
    """Put the values of a metric, which several pages may share, into their spans."""
    values: list[float | None] = [None] * len(spans)
    for result in results:
        for at, value in zip(result.get("Timestamps", ()), result.get("Values", ()), strict=True):
            with suppress(ValueError):
                values[spans.index(at.astimezone(UTC))] = value
    return tuple(values)


def _added(series: Sequence[Series]) -> Series:
    """Add several series; silence is nothing, unless all are silent."""
    known = ([each for each in values if each is not None] for values in zip(*series, strict=True))
    return tuple(sum(values) if values else None for values in known)
