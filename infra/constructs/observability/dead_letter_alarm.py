"""The alarms on runs that are given up: by their targets' failures, or as killers of executors."""

from aws_cdk import aws_cloudwatch as cw
from constructs import Construct

from infra.constructs.observability.alerts import Alerts, Concern
from infra.constructs.observability.runbook import Runbook
from infra.metrics import FILLED_LATE_MINUTES, emitters, timegate_metric, total
from infra.stage.settings import StageSettings
from timegate.ports.telemetry import run_metrics

#: Ends the runs whose messages killed their executors.
_UNDERTAKER = "dead_letter"
#: Runs of pools, and of jobs that start DAGs.
_APART = ("workers", "outcomes")


class DeadLetterAlarm(Construct):
    """Go off when runs end in ``dead_lettered``."""

    def __init__(
        self, scope: Construct, construct_id: str, *, settings: StageSettings, alerts: Alerts
    ) -> None:
        super().__init__(scope, construct_id)
        self._settings, self._alerts = settings, alerts
        every = emitters(run_metrics.RUNS_DEAD_LETTERED)
        targets = [name for name in every if name not in {*_APART, _UNDERTAKER}]
        self._alarm("Runs", "runs-dead-lettered", "Runs used up their retries.", targets)
        # On its own: an alarm adds up ten metrics at most. Outcomes ends the runs left to DAG runs.
        self._alarm(
            "WorkersRuns",
            f"{_APART[0]}-runs-dead-lettered",
            "Runs of pools, or of jobs that start DAGs, used up their retries.",
            _APART,
        )
        alerts.alarm(
            self,
            "Killers",
            name=settings.physical_name("runs-killed-workers"),
            meaning="Runs were given up because their executors died of them.",
            metric=self._given_up_by(_UNDERTAKER),
            threshold=settings.thresholds.dead_lettered_runs,
            runbook=Runbook.POISON_MESSAGES,
        )

    def _alarm(
        self, construct_id: str, name: str, meaning: str, reporters: tuple[str, ...] | list[str]
    ) -> None:
        """Tell of tenants' targets, whose failures are no fault of the stage."""
        self._alerts.alarm(
            self,
            construct_id,
            name=self._settings.physical_name(name),
            meaning=meaning,
            metric=total([self._given_up_by(each) for each in reporters], "RunsDeadLettered"),
            threshold=self._settings.thresholds.dead_lettered_runs,
            late_minutes=FILLED_LATE_MINUTES,
            concern=Concern.TENANT,
            runbook=Runbook.DEAD_LETTERS,
        )

    def _given_up_by(self, function: str) -> cw.Metric:
        return timegate_metric(
            run_metrics.RUNS_DEAD_LETTERED, self._settings.physical_name(function)
        )
