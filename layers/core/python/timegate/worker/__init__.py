"""Workers: programs that fetch runs from a pool, work on them, and say how it ended.

@job("sales")
def sales(context: Context) -> dict[str, int]:
    return {"rows": write_report(context.payload)}

Worker(pool="reports", concurrency=4).run()
"""

from timegate.worker.callback import Callback
from timegate.worker.context import Context
from timegate.worker.errors import (
    Interrupted,
    LeaseLost,
    PermanentError,
    RetryableError,
    RunCancelled,
    WorkerStopping,
)
from timegate.worker.handlers import Handler, job
from timegate.worker.logs import JsonLines, RunLogHandler
from timegate.worker.outcomes import Continue
from timegate.worker.worker import Worker

__all__ = [
    "Callback",
    "Context",
    "Continue",
    "Handler",
    "Interrupted",
    "JsonLines",
    "LeaseLost",
    "PermanentError",
    "RetryableError",
    "RunCancelled",
    "RunLogHandler",
    "Worker",
    "WorkerStopping",
    "job",
]
