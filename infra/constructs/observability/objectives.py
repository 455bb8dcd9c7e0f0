"""Objectives of each lane, and alarms on how fast their error budgets are used up.

Windows and burn rates are those of Google's SRE workbook, "Alerting on SLOs", for a budget of 30
days: 14.4 uses up 2 % of it in an hour, 6 uses up 5 % in six hours. A short window beside the long
one ends the alarm soon after the cause has gone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cw
from constructs import Construct

from infra.constructs.observability.alerts import Alerts, Concern
from infra.constructs.observability.runbook import Runbook
from infra.metrics import function_metric, timegate_metric
from infra.stage.settings import QUEUE_KEYS, QueueKey, StageSettings
from timegate.ports.telemetry import run_metrics

#: Shares of invocations without an error, and of runs that start within their lane's bound.
AVAILABLE = 0.9999
ON_TIME = 0.99
#: So many bad ones at least: one late run of two is no trend.
FEWEST_ERRORS = 3
FEWEST_LATE = 10


@dataclass(frozen=True, kw_only=True)
class Burn:
    """A speed at which a budget is used up, and whom it concerns."""

    name: str
    rate: float
    long: Duration
    short: Duration
    concern: Concern
    meaning: str


BURNS = (
    Burn(
        name="fast-burn",
        rate=14.4,
        long=Duration.hours(1),
        short=Duration.minutes(5),
        concern=Concern.OUTAGE,
        meaning="A lane uses up 2 % of its month's error budget in an hour.",
    ),
    Burn(
        name="slow-burn",
        rate=6,
        long=Duration.hours(6),
        short=Duration.minutes(30),
        concern=Concern.FLAW,
        meaning="A lane uses up 5 % of its month's error budget in six hours.",
    ),
)


class Objectives(Construct):
    """For each lane and burn rate two windows of each objective; a composite alarm for each rate.

    A short window is one metric instead of two, for alarms are priced by their metrics: the long
    one has seen to it that the bad ones are many.
    """

    def __init__(
        self, scope: Construct, construct_id: str, *, settings: StageSettings, alerts: Alerts
    ) -> None:
        super().__init__(scope, construct_id)
        self._settings, self._alerts = settings, alerts
        self.burns = [self._burn(burn) for burn in BURNS]

    def _burn(self, burn: Burn) -> cw.CfnCompositeAlarm:
        pairs = [pair for key in QUEUE_KEYS for pair in self._pairs(key, burn)]
        composite = cw.CfnCompositeAlarm(
            self,
            _id(burn.name),
            alarm_name=self._settings.physical_name(burn.name),
            alarm_description=self._alerts.description(burn.meaning, Runbook.BUDGET_BURNT),
            alarm_rule=" OR ".join(
                f'(ALARM("{name}-long") AND ALARM("{name}-short"))' for name, _ in pairs
            ),
            alarm_actions=[self._alerts.topic_of(burn.concern).topic_arn],
        )
        for alarm in (alarm for _, alarms in pairs for alarm in alarms):
            composite.node.add_dependency(alarm)
        return composite

    def _pairs(self, key: QueueKey, burn: Burn) -> Iterator[tuple[str, tuple[cw.Alarm, cw.Alarm]]]:
        """Make the windows of a lane; yield their name without window, and the alarms."""
        executor = self._settings.physical_name(f"executor-{key}")
        bound = self._settings.thresholds.start_lag_ms[key.priority]
        timeout = self._settings.classes[key.resource_class].timeout_seconds
        for objective, windows in (
            ("errors", _errors(executor, burn, timeout)),
            ("lag", _lags(executor, burn, bound)),
        ):
            name = f"{executor}-{objective}-{burn.name}"
            long, short = (self._window(f"{name}-{length}", window) for length, window in windows)
            yield name, (long, short)

    def _window(self, name: str, window: "_Window") -> cw.Alarm:
        """Make an alarm that tells no person by itself."""
        comparisons = cw.ComparisonOperator
        return cw.Alarm(
            self,
            _id(name.removeprefix(self._settings.physical_name(""))),
            alarm_name=name,
            alarm_description=self._alerts.description(
                "A window of a burn rate, which is no alarm by itself.", Runbook.BUDGET_BURNT
            ),
            metric=window.metric,
            threshold=window.threshold,
            evaluation_periods=window.periods,
            datapoints_to_alarm=1,
            comparison_operator=comparisons.LESS_THAN_THRESHOLD
            if window.below
            else comparisons.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
            treat_missing_data=cw.TreatMissingData.NOT_BREACHING,
        )


@dataclass(frozen=True, kw_only=True)
class _Window:
    """A metric over the time of a window, and from where on it burns."""

    metric: cw.IMetric
    threshold: float
    #: It burns below the threshold.
    below: bool = False
    #: So many times make the window; one that burns is enough.
    periods: int = 1


_Windows = tuple[tuple[str, _Window], tuple[str, _Window]]


def _errors(executor: str, burn: Burn, timeout_seconds: int) -> _Windows:
    """Invocations that raise or time out, of all; lately there was one.

    Lambda dates an error by the begin of its invocation: one that timed out is as old as that.
    """
    counts = {
        "bad": function_metric("Errors", executor),
        "every": function_metric("Invocations", executor),
    }
    share = _percentage("bad", FEWEST_ERRORS, counts, burn.long)
    lately = function_metric("Errors", executor).with_(period=burn.short)
    periods = 1 + timeout_seconds // int(burn.short.to_seconds())
    return (
        ("long", _Window(metric=share, threshold=100 * burn.rate * (1 - AVAILABLE))),
        ("short", _Window(metric=lately, threshold=1, periods=periods)),
    )


def _lags(executor: str, burn: Burn, bound_ms: int) -> _Windows:
    """Runs that leave their queue later than the bound, of all; lately by rank."""
    counts = {
        "good": timegate_metric(run_metrics.QUEUE_LAG_MS, executor, f"TC(:{bound_ms})"),
        "every": timegate_metric(run_metrics.QUEUE_LAG_MS, executor, "SampleCount"),
    }
    share = _percentage("(every - FILL(good, 0))", FEWEST_LATE, counts, burn.long)
    rank = timegate_metric(run_metrics.QUEUE_LAG_MS, executor, f"PR(:{bound_ms})")
    allowed = 100 * burn.rate * (1 - ON_TIME)
    lately = rank.with_(period=burn.short)
    return (
        ("long", _Window(metric=share, threshold=allowed)),
        ("short", _Window(metric=lately, threshold=100 - allowed, below=True)),
    )


def _percentage(
    bad: str, fewest: int, using: Mapping[str, cw.Metric], period: Duration
) -> cw.MathExpression:
    """Return how many of a hundred are bad; none while there are fewer than ``fewest``."""
    return cw.MathExpression(
        expression=f"IF({bad} >= {fewest}, 100 * {bad} / every, 0)",
        using_metrics={name: each.with_(period=period) for name, each in using.items()},
        label="percent",
        period=period,
    )


def _id(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))
