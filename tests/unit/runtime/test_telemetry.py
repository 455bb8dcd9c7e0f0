"""Telemetry of functions: metrics and lines of calls that run side by side."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.support.api import Context
from timegate.ports.telemetry import run_metrics, service_metrics
from timegate.ports.telemetry.telemetry import CounterMetric, DurationMetric
from timegate.runtime.telemetry import Handler, LambdaTelemetry

COUNTERS = [each for each in vars(service_metrics).values() if isinstance(each, CounterMetric)]
DURATIONS = [each for each in vars(run_metrics).values() if isinstance(each, DurationMetric)]
#: CloudWatch passes over a metric with more values in one document.
MOST_VALUES = 100
CALLS, TIMES = 16, 400


@pytest.fixture
def telemetry(monkeypatch: pytest.MonkeyPatch) -> LambdaTelemetry:
    """A function's own."""
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "timegate-test-executor")
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "Timegate")
    return LambdaTelemetry()


@pytest.fixture
def crowded() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def printed(handler: Handler, telemetry: LambdaTelemetry, capsys: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Return the lines of an invocation, each of which is JSON."""
    telemetry.instrument(handler)({}, Context())  # type: ignore[arg-type]
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def values(documents: list[dict[str, Any]]) -> Iterator[tuple[str, list[float]]]:
    """Yield each metric of each document with its values."""
    for document in documents:
        for metrics in document.get("_aws", {}).get("CloudWatchMetrics", []):
            for each in metrics["Metrics"]:
                yield each["Name"], document[each["Name"]]


@pytest.mark.usefixtures("crowded")
def test_calls_side_by_side_lose_and_double_no_value(
    telemetry: LambdaTelemetry, capsys: pytest.CaptureFixture[str]
) -> None:
    """No call meets an error of its neighbour, and no array has too many values."""

    def work(_: int) -> None:
        for number in range(TIMES):
            telemetry.count(COUNTERS[number % len(COUNTERS)])
            telemetry.measure(DURATIONS[number % 4], 1)

    def handler(*_: object) -> None:
        with ThreadPoolExecutor(CALLS) as pool:
            list(pool.map(work, range(CALLS)))

    found = list(values(printed(handler, telemetry, capsys)))
    sums: Counter[str] = Counter()
    for name, each in found:
        sums[name] += int(sum(each))

    assert max(len(each) for _, each in found) <= MOST_VALUES
    assert sum(sums[name] for name in DURATIONS) == CALLS * TIMES
    assert sum(sums[name] for name in COUNTERS) == CALLS * TIMES


@pytest.mark.parametrize("number", [MOST_VALUES - 1, MOST_VALUES, MOST_VALUES + 1])
def test_a_metric_has_a_hundred_values_in_a_document(
    telemetry: LambdaTelemetry, capsys: pytest.CaptureFixture[str], number: int
) -> None:
    """At most; further ones are in another document."""

    def handler(*_: object) -> None:
        for _each in range(number):
            telemetry.measure(DURATIONS[0], 2)

    sizes = [len(each) for _, each in values(printed(handler, telemetry, capsys))]

    assert sizes == [each for each in (min(number, MOST_VALUES), number - MOST_VALUES) if each > 0]


def test_an_invocation_counts_nothing_of_the_one_before(
    telemetry: LambdaTelemetry, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that failed has its counts on record; the next one without any prints none."""

    def failing(*_: object) -> None:
        telemetry.count(COUNTERS[0], 3)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        printed(failing, telemetry, capsys)
    failed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    idle = printed(lambda *_: telemetry.count(COUNTERS[0], 0), telemetry, capsys)

    assert list(values(failed)) == [(COUNTERS[0], [3])]
    assert list(values(idle)) == []
