"""Keeping the whole of an answer that is longer than the record's excerpt."""

from dataclasses import replace

from timegate.domain.execution.call import Answer
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.run_result import StoredResult, result_path
from timegate.domain.values.errors import TimegateError
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.services.execution_services import Execution


def keep_result(ended: Attempt, answer: Answer, execution: Execution) -> Attempt:
    """The attempt with where its whole answer lies; without, where the excerpt is all.

    Before the end is recorded, so that a record never names what is not there. Never raises
    ``Throttled``: for want of the whole, no work is done again.
    """
    if answer.whole is None:
        return ended
    path = result_path(ended.tenant, ended.id, ended.fence)
    try:
        execution.blobs.put(path, answer.whole)
    except TimegateError as error:
        execution.telemetry.count(run_metrics.RESULTS_CUT)
        execution.telemetry.event(run_events.RESULT_CUT, **of_run(ended), code=error.code)
        return ended
    size = len(answer.whole.encode())
    return replace(ended, stored_result=StoredResult(blob=path, size_bytes=size))
