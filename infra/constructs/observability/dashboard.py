"""The operator's dashboard: is work on time, is it flowing, is anything broken?"""

from collections.abc import Sequence

from aws_cdk import Aws, Duration
from aws_cdk import aws_apigatewayv2 as apigw
from aws_cdk import aws_cloudwatch as cw
from constructs import Construct

from infra.constructs.observability.dashboard_subjects import Graph, subjects
from infra.constructs.observability.log_queries import OPERATORS, log_groups
from infra.metrics import emitters, function_metric, queue_metric, timegate_metric, total
from infra.stage.deployed_functions import CLOUD_EVENTS, deployed_functions
from infra.stage.settings import QUEUE_KEYS, StageSettings
from timegate.ports.telemetry import run_metrics, service_metrics
from timegate.ports.telemetry.stage_metrics import HEALTH_ALARMS
from timegate.ports.telemetry.telemetry import CounterMetric, Metric

#: Alarms that tenants' targets, workers and limits ring: no composite has them.
_TICKETS = (
    *("runs-dead-lettered", "workers-runs-dead-lettered"),
    *("sweeper-offer-age", "relay-scheduling-lag"),
)
_STREAM_READERS = ("relay", "outcomes", "operations")


class OperatorDashboard(Construct):
    """Shows lateness, backlog, machinery and API, then each subject of our metrics."""

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
                self._heading(),
                self._lateness(),
                self._backlog(),
                self._machinery(),
                self._front(api),
                *([self._subject(graph) for graph in row] for row in subjects(settings)),
                self._logs(),
            ],
        )

    def _heading(self) -> list[cw.IWidget]:
        """Say where to begin, and which of the stage's alarms are on."""
        name, physical = self._settings.name, self._settings.physical_name
        text = cw.TextWidget(
            markdown=f"# Timegate {name}\nBegin with the alarms that are on; each names its first"
            f" command, and its [runbook]({self._settings.alarms.runbooks}). Lateness and backlog"
            " are users' view, machinery is ours. Tenants and jobs are on the dashboard"
            f" `{physical('business')}`.",
            width=8,
            height=6,
        )
        return [
            text,
            self._states("Health", self._composites()),
            self._states("Tickets", _TICKETS),
        ]

    def _states(self, title: str, names: Sequence[str]) -> cw.IWidget:
        """Show the states of alarms, by ARN: those of other stacks are not imported for it."""
        alarms = [
            cw.Alarm.from_alarm_arn(self, name, _alarm_arn(self._settings.physical_name(name)))
            for name in names
        ]
        return cw.AlarmStatusWidget(title=title, alarms=alarms, width=8, height=6)

    def _composites(self) -> list[str]:
        burns = ("fast-burn", "slow-burn") if self._settings.alarms.objectives else ()
        return [*HEALTH_ALARMS, *burns]

    def _logs(self) -> list[cw.IWidget]:
        """Show the latest errors, and what the auditor found."""
        return [
            cw.LogQueryWidget(
                title=title,
                log_group_names=[*log_groups(self._settings)],
                query_string=OPERATORS[name],
                view=cw.LogQueryVisualizationType.TABLE,
                width=12,
                height=6,
            )
            for name, title in (("errors", "Errors"), ("audit-verdicts", "Findings of the audit"))
        ]

    def _lateness(self) -> list[cw.IWidget]:
        relay, planner = (self._settings.physical_name(name) for name in ("relay", "planner"))
        return [
            _graph(
                "Queue lag p99 by queue (ms)",
                [
                    timegate_metric(run_metrics.QUEUE_LAG_MS, name, "p99", key)
                    for key, name in self._executors.items()
                ],
                width=6,
            ),
            _graph(
                "Start lag p99 by queue (ms)",
                [
                    timegate_metric(run_metrics.START_LAG_MS, name, "p99", key)
                    for key, name in self._executors.items()
                ],
                width=6,
            ),
            _graph(
                "Scheduling lag (ms)",
                [
                    timegate_metric(run_metrics.SCHEDULING_LAG_MS, relay, statistic, statistic)
                    for statistic in ("p50", "p99", "Maximum")
                ],
                width=6,
            ),
            _graph(
                "Planner tick age (ms)",
                [
                    timegate_metric(
                        service_metrics.PLANNER_TICK_AGE_MS, planner, "Maximum", "oldest shard"
                    )
                ],
                width=6,
            ),
        ]

    def _backlog(self) -> list[cw.IWidget]:
        keys = [str(key) for key in QUEUE_KEYS]
        return [
            self._queues("Oldest message (s)", "ApproximateAgeOfOldestMessage", keys),
            self._queues("Messages waiting", "ApproximateNumberOfMessagesVisible", keys),
            self._queues("Messages in flight", "ApproximateNumberOfMessagesNotVisible", keys),
            self._queues(
                "Dead letters, rejected messages, lost ticks",
                "ApproximateNumberOfMessagesVisible",
                [*(f"{key}-dlq" for key in keys), "rejected", "ticks-dlq"],
            ),
        ]

    def _machinery(self) -> list[cw.IWidget]:
        return [
            self._functions("Errors", "Errors", "Sum"),
            self._functions("Throttles", "Throttles", "Sum"),
            self._functions("Stream age (ms)", "IteratorAge", "Maximum", self._readers()),
        ]

    def _readers(self) -> tuple[str, ...]:
        tells = self._settings.events.on
        return (*_STREAM_READERS, CLOUD_EVENTS) if tells else _STREAM_READERS

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
        ]

    def _subject(self, graph: Graph) -> cw.IWidget:
        """Counts as sums over their emitters, durations as the worst of each emitter."""
        metrics = [shown for metric in graph.metrics for shown in self._over_emitters(metric)]
        return _graph(graph.title, metrics)

    def _over_emitters(self, metric: Metric) -> list[cw.IMetric]:
        deployed = deployed_functions(self._settings)
        emitting = [name for name in emitters(metric) if name in deployed]
        names = [(name, self._settings.physical_name(name)) for name in emitting]
        if isinstance(metric, CounterMetric):
            return [total([timegate_metric(metric, service) for _, service in names], str(metric))]
        return [
            timegate_metric(metric, service, "Maximum", f"{metric} {name}")
            for name, service in names
        ]

    def _queues(self, title: str, metric: str, names: Sequence[str]) -> cw.IWidget:
        physical = self._settings.physical_name
        graphs = [queue_metric(metric, physical(name), label=name) for name in names]
        return _graph(title, graphs, width=6)

    def _functions(
        self, title: str, metric: str, statistic: str, names: Sequence[str] = ()
    ) -> cw.IWidget:
        """Graph a metric of AWS's for some functions, or for all."""
        physical = self._settings.physical_name
        chosen = names or deployed_functions(self._settings)
        return _graph(
            title, [function_metric(metric, physical(name), statistic, name) for name in chosen]
        )


def _graph(title: str, metrics: Sequence[cw.IMetric], width: int = 8) -> cw.IWidget:
    return cw.GraphWidget(title=title, left=[*metrics], width=width, height=6)


def _alarm_arn(name: str) -> str:
    return f"arn:{Aws.PARTITION}:cloudwatch:{Aws.REGION}:{Aws.ACCOUNT_ID}:alarm:{name}"
