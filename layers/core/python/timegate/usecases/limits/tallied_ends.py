"""Tallies of ended attempts: notifications are not counted as runs of the job."""

from collections.abc import Mapping
from types import MappingProxyType

from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import Origin
from timegate.ports.telemetry import run_metrics
from timegate.ports.telemetry.telemetry import CounterMetric

#: Metrics of a notice. One that is given up is a dead letter as any other, and waits for the same
#: people.
_NOTICES: Mapping[CounterMetric, CounterMetric] = MappingProxyType(
    {
        run_metrics.RUNS_SUCCEEDED: run_metrics.NOTICES_SUCCEEDED,
        run_metrics.RUNS_FAILED: run_metrics.NOTICES_FAILED,
        run_metrics.RUNS_RETRIED: run_metrics.NOTICES_RETRIED,
        run_metrics.RUNS_TIMED_OUT: run_metrics.NOTICES_TIMED_OUT,
        run_metrics.RUNS_CANCELLED: run_metrics.NOTICES_CANCELLED,
        run_metrics.RUNS_SKIPPED: run_metrics.NOTICES_SKIPPED,
    }
)


def counted_as(attempt: Attempt, metric: CounterMetric) -> CounterMetric:
    """``RunsFailed``, say, and of a notice ``NoticesFailed``."""
    return _NOTICES.get(metric, metric) if is_notice(attempt) else metric


def is_notice(attempt: Attempt) -> bool:
    """It tells of another run."""
    return attempt.id.run.origin is Origin.NOTIFICATION
