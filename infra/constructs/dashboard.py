"""The operator's dashboard: is work on time, is it flowing, is anything broken?"""

from collections.abc import Sequence

from aws_cdk import Duration
from aws_cdk import aws_apigatewayv2 as apigw
from aws_cdk import aws_cloudwatch as cw
from constructs import Construct

from infra.metrics import function_metric, queue_metric, timegate_metric, total
from infra.settings import FUNCTION_NAMES, QUEUE_KEYS, StageSettings

_OUTCOMES = (
    "RunsSucceeded",
    "RunsFailed",
    "RunsTimedOut",
    "RunsSkipped",
    "RunsCancelled",
    "RunsDeadLettered",
)
_SAFETY_NET = (
    "RunsRetried",
    "DuplicatesRefused",
    "DuplicatesPrevented",
    "LeasesRescued",
    "LeasesReleased",
    "SlicesEnded",
    "RunsWaiting",
    "RunsOverQuota",
)

#: By the API; of calls, executors refuse targets as well.
_REFUSED = ("RequestsRefused", "TargetsRefused", "QuotaRefusals", "RequestsOverRate")
_STREAM_READERS = ("relay", "outcomes", "operator")
_TOLD = ("NoticesSucceeded", "NoticesFailed", "NoticesRetried", "RunsPaced")


class OperatorDashboard(Construct):
    """Reads from the top: lateness, outcomes, backlog, what is outside, machinery, API."""

    def __init__(
        self, scope: Construct, construct_id: str, *, settings: StageSettings, api: apigw.HttpApi
    ) -> None:
        super().__init__(scope, construct_id)
        self._settings = settings
        self._executors = {
            str(key): settings.physical_name(f"executor-{key}") for key in QUEUE_KEYS
        }
        cw.Dashboard(
            self,
            "Dashboard",
            dashboard_name=settings.physical_name("operator"),
            default_interval=Duration.hours(3),
            widgets=[
                self._lateness(),
                self._outcomes(),
                self._backlog(),
                self._outside(),
                self._machinery(),
                self._front(api),
            ],
        )

    def _lateness(self) -> list[cw.IWidget]:
        relay, planner = (self._settings.physical_name(name) for name in ("relay", "planner"))
        return [
            _graph(
                "Start lag p99 by queue (ms)",
                [
                    timegate_metric("StartLagMs", name, "p99", key)
                    for key, name in self._executors.items()
                ],
            ),
            _graph(
                "Scheduling lag (ms)",
                [
                    timegate_metric("SchedulingLagMs", relay, statistic, statistic)
                    for statistic in ("p50", "p99", "Maximum")
                ],
            ),
            _graph(
                "Planner tick age (ms)",
                [timegate_metric("PlannerTickAgeMs", planner, "Maximum", "oldest shard")],
            ),
        ]

    def _outcomes(self) -> list[cw.IWidget]:
        planner, relay = (self._settings.physical_name(name) for name in ("planner", "relay"))
        return [
            _graph("Outcomes", [self._over_executors(name) for name in _OUTCOMES]),
            _graph("Safety net", [self._over_executors(name) for name in _SAFETY_NET]),
            _graph(
                "Planned and published",
                [
                    timegate_metric("RunsPlanned", planner, label="planned"),
                    timegate_metric("InstantsMissed", planner, label="missed, not caught up"),
                    timegate_metric("RunsPublished", relay, label="published by the relay"),
                ],
            ),
        ]

    def _backlog(self) -> list[cw.IWidget]:
        keys = [str(key) for key in QUEUE_KEYS]
        return [
            self._queues("Oldest message (s)", "ApproximateAgeOfOldestMessage", keys),
            self._queues("Messages waiting", "ApproximateNumberOfMessagesVisible", keys),
            self._queues(
                "Dead letters, rejected messages, lost ticks",
                "ApproximateNumberOfMessagesVisible",
                [*(f"{key}-dlq" for key in keys), "rejected", "ticks-dlq"],
            ),
        ]

    def _outside(self) -> list[cw.IWidget]:
        sweeper, workers = (self._settings.physical_name(name) for name in ("sweeper", "workers"))
        return [
            _graph(
                "Pools: offers that nobody has claimed",
                [timegate_metric("OffersUnclaimed", sweeper, label="seen by the sweeper")],
            ),
            _graph(
                "Pools: oldest offer (ms)",
                [timegate_metric("OfferAgeMs", sweeper, "Maximum", "oldest")],
            ),
            _graph(
                "Notifications and rate limits",
                [
                    *(self._over_executors(name) for name in _TOLD),
                    timegate_metric("RunsSucceeded", workers, label="runs of pools"),
                ],
            ),
        ]

    def _machinery(self) -> list[cw.IWidget]:
        return [
            self._functions("Errors", "Errors", "Sum"),
            self._functions("Throttles", "Throttles", "Sum"),
            self._functions("Stream age (ms)", "IteratorAge", "Maximum", _STREAM_READERS),
        ]

    def _front(self, api: apigw.HttpApi) -> list[cw.IWidget]:
        latency = [api.metric_latency(statistic=each, label=each) for each in ("p50", "p99")]
        return [
            _graph("API requests", [api.metric_count(statistic="Sum", label="requests")]),
            _graph(
                "API errors",
                [
                    api.metric_client_error(statistic="Sum", label="4xx"),
                    api.metric_server_error(statistic="Sum", label="5xx"),
                ],
            ),
            _graph("API latency (ms)", latency),
            _graph("Refused", self._refusals()),
        ]

    def _refusals(self) -> list[cw.IMetric]:
        api, planner = (self._settings.physical_name(name) for name in ("api", "planner"))
        refused: list[cw.IMetric] = [timegate_metric(name, api) for name in _REFUSED]
        refused += [self._over_executors(name) for name in ("TargetsRefused", "RunsBeyondDay")]
        return [*refused, timegate_metric("JobsBeyondShare", planner)]

    def _over_executors(self, metric: str) -> cw.IMetric:
        return total([timegate_metric(metric, name) for name in self._executors.values()], metric)

    def _queues(self, title: str, metric: str, names: Sequence[str]) -> cw.IWidget:
        physical = self._settings.physical_name
        return _graph(title, [queue_metric(metric, physical(name), label=name) for name in names])

    def _functions(
        self, title: str, metric: str, statistic: str, names: Sequence[str] = FUNCTION_NAMES
    ) -> cw.IWidget:
        physical = self._settings.physical_name
        return _graph(
            title, [function_metric(metric, physical(name), statistic, name) for name in names]
        )


def _graph(title: str, metrics: Sequence[cw.IMetric]) -> cw.IWidget:
    return cw.GraphWidget(title=title, left=[*metrics], width=8, height=6)
