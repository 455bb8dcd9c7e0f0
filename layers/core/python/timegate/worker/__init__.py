"""Workers: programs that fetch runs from a pool, work on them, and say how it ended.

@job("sales", schedule=cron("0 9 * * 1-5", tz="Europe/Berlin"))
def sales(context: Context) -> dict[str, int]:
    return {"rows": write_report(context.payload)}

Worker(pool="reports", concurrency=4).run()
"""

from timegate.worker.callback import Callback
from timegate.worker.context import Context
from timegate.worker.declared.coded_job import DeclaredJob
from timegate.worker.declared.schedules import at, cron, every, manual, rrule
from timegate.worker.declared.shapes import ShapeMismatch
from timegate.worker.declared.triggered_run import (
    NotAllTriggered,
    NotDeployed,
    ResultCut,
    TriggeredRun,
)
from timegate.worker.errors import (
    Interrupted,
    LeaseLost,
    PermanentError,
    RetryableError,
    RunCancelled,
    WorkerStopping,
)
from timegate.worker.handlers import Handler, job
from timegate.worker.logs.run_logs import JsonLines, RunLogHandler
from timegate.worker.outcomes import Continue
from timegate.worker.worker import Worker

__all__ = [
    "Callback",
    "Context",
    "Continue",
    "DeclaredJob",
    "Handler",
    "Interrupted",
    "JsonLines",
    "LeaseLost",
    "NotAllTriggered",
    "NotDeployed",
    "PermanentError",
    "ResultCut",
    "RetryableError",
    "RunCancelled",
    "RunLogHandler",
    "ShapeMismatch",
    "TriggeredRun",
    "Worker",
    "WorkerStopping",
    "at",
    "cron",
    "every",
    "job",
    "manual",
    "rrule",
]
