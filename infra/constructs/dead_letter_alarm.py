"""The alarm on runs that are given up, whichever function gives them up."""

from constructs import Construct

from infra.constructs.alerts import Alerts, Runbook
from infra.metrics import timegate_metric, total
from infra.settings import QUEUE_KEYS, StageSettings


class DeadLetterAlarm(Construct):
    """Goes off when runs end in ``dead_lettered``."""

    def __init__(
        self, scope: Construct, construct_id: str, *, settings: StageSettings, alerts: Alerts
    ) -> None:
        super().__init__(scope, construct_id)
        reporters = ["dead-letter", "sweeper", *(f"executor-{key}" for key in QUEUE_KEYS)]
        alerts.alarm(
            self,
            "Runs",
            name=settings.physical_name("runs-dead-lettered"),
            meaning="Runs used up their retries or killed their workers.",
            metric=total(
                [
                    timegate_metric("RunsDeadLettered", settings.physical_name(name))
                    for name in reporters
                ],
                "RunsDeadLettered",
            ),
            threshold=settings.thresholds.dead_lettered_runs,
            runbook=Runbook.DEAD_LETTERS,
        )
        # On its own: an alarm adds up ten metrics at most.
        workers = settings.physical_name("workers")
        # Which ends the runs that are left to DAG runs.
        outcomes = settings.physical_name("outcomes")
        alerts.alarm(
            self,
            "WorkersRuns",
            name=f"{workers}-runs-dead-lettered",
            meaning="Runs of pools, or of jobs that start DAGs, used up their retries.",
            metric=total(
                [timegate_metric("RunsDeadLettered", name) for name in (workers, outcomes)],
                "RunsDeadLettered",
            ),
            threshold=settings.thresholds.dead_lettered_runs,
            runbook=Runbook.DEAD_LETTERS,
        )
