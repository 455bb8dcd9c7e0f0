"""Metrics as CloudWatch has them: ours by their definition, those of AWS by their name."""

import math
from collections.abc import Sequence

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cw

from infra.stage.settings import QUEUE_KEYS
from timegate.ports.telemetry.telemetry import DIMENSION, EXECUTOR, Metric

NAMESPACE = "Timegate"
_MINUTE = Duration.minutes(1)
#: An alarm on ``greatest`` or ``total`` is judged over so many minutes more: CloudWatch takes the
#: zero for the latest minute, whose data are still under way, and would never see these.
FILLED_LATE_MINUTES = 5


def late_minutes(timeout_seconds: int) -> int:
    """Return after how many minutes Lambda may send a metric of an invocation.

    It is of the minute in which that began, and sent when that has ended or timed out.
    """
    return math.ceil(timeout_seconds / 60)


def timegate_metric(
    metric: Metric, service: str, statistic: str = "Sum", label: str | None = None
) -> cw.Metric:
    """A metric of our own; ``service`` is the function's physical name."""
    return cw.Metric(
        namespace=NAMESPACE,
        metric_name=str(metric),
        dimensions_map={DIMENSION: service},
        statistic=statistic,
        label=label,
        period=_MINUTE,
    )


def emitters(metric: Metric) -> tuple[str, ...]:
    """Functions that emit a metric, one executor per queue; names as in ``physical_name``."""
    executors = tuple(f"{EXECUTOR}-{key}" for key in QUEUE_KEYS)
    return tuple(name for by in metric.by for name in (executors if by == EXECUTOR else (by,)))


def function_metric(
    name: str, function_name: str, statistic: str = "Sum", label: str | None = None
) -> cw.Metric:
    """Return one of Lambda's metrics of a function."""
    return cw.Metric(
        namespace="AWS/Lambda",
        metric_name=name,
        dimensions_map={"FunctionName": function_name},
        statistic=statistic,
        label=label,
        period=_MINUTE,
    )


def queue_metric(
    name: str, queue_name: str, statistic: str = "Maximum", label: str | None = None
) -> cw.Metric:
    """Return one of SQS's metrics of a queue."""
    return cw.Metric(
        namespace="AWS/SQS",
        metric_name=name,
        dimensions_map={"QueueName": queue_name},
        statistic=statistic,
        label=label,
        period=_MINUTE,
    )


def greatest(metrics: Sequence[cw.IMetric], label: str) -> cw.MathExpression:
    """The largest of several metrics (an alarm takes ten at most), silence counting as zero.

    ``label`` is one word: ids are made of it.
    """
    using = _named(metrics, label)
    return cw.MathExpression(
        expression=f"MAX([{', '.join(f'FILL({name}, 0)' for name in using)}])",
        using_metrics={**using},
        label=label,
        period=_MINUTE,
    )


def total(metrics: Sequence[cw.IMetric], label: str) -> cw.MathExpression:
    """The sum of several metrics (an alarm takes ten at most), silence counting as zero.

    ``label`` is one word: ids are made of it.
    """
    using = _named(metrics, label)
    return cw.MathExpression(
        expression=" + ".join(f"FILL({name}, 0)" for name in using),
        using_metrics={**using},
        label=label,
        period=_MINUTE,
    )


def _named(metrics: Sequence[cw.IMetric], label: str) -> dict[str, cw.IMetric]:
    # One graph may show several expressions, and an id names one metric of the whole graph.
    return {f"{label.lower()}{number}": metric for number, metric in enumerate(metrics)}
