"""The alarm on runs that are given up, whichever function gives them up."""

from constructs import Construct

from infra.constructs.observability.alerts import Alerts, Runbook
from infra.metrics import emitters, timegate_metric, total
from infra.stage.settings import StageSettings
from timegate.ports.telemetry import run_metrics


class DeadLetterAlarm(Construct):
    """Goes off when runs end in ``dead_lettered``."""

    def __init__(
        self, scope: Construct, construct_id: str, *, settings: StageSettings, alerts: Alerts
    ) -> None:
        super().__init__(scope, construct_id)
        apart = ("workers", "outcomes")
        every = emitters(run_metrics.RUNS_DEAD_LETTERED)
        reporters = [name for name in every if name not in apart]
        alerts.alarm(
            self,
            "Runs",
            name=settings.physical_name("runs-dead-lettered"),
            meaning="Runs used up their retries or killed their workers.",
            metric=total(
                [
                    timegate_metric(run_metrics.RUNS_DEAD_LETTERED, settings.physical_name(name))
                    for name in reporters
                ],
                "RunsDeadLettered",
            ),
            threshold=settings.thresholds.dead_lettered_runs,
            runbook=Runbook.DEAD_LETTERS,
        )
        # On its own: an alarm adds up ten metrics at most. Outcomes ends the runs left to DAG runs.
        workers, outcomes = (settings.physical_name(name) for name in apart)
        metric = run_metrics.RUNS_DEAD_LETTERED
        ended = [timegate_metric(metric, name) for name in (workers, outcomes)]
        alerts.alarm(
            self,
            "WorkersRuns",
            name=f"{workers}-runs-dead-lettered",
            meaning="Runs of pools, or of jobs that start DAGs, used up their retries.",
            metric=total(ended, "RunsDeadLettered"),
            threshold=settings.thresholds.dead_lettered_runs,
            runbook=Runbook.DEAD_LETTERS,
        )
