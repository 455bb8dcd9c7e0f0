"""Keeping an answer that came too late: the lease is lost, the effect is not."""

from timegate.domain.jobs.delivery import KeptAnswer
from timegate.domain.values.errors import TimegateError
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.execution.supervise_run import Ending, Succeeded
from timegate.usecases.services.execution_services import Claimed, Execution


def keep_answer(claimed: Claimed, ending: Ending, execution: Execution) -> None:
    """Leave a success for the worker that has the run now; it then needs no other call.

    Only for jobs that ask for it. Never raises ``Throttled``: the record is tried for once, and the
    target's own fence is what is left without it.
    """
    if not claimed.keeps_answers or not isinstance(ending, Succeeded):
        return
    now = execution.clock.now()
    answer = KeptAnswer(text=ending.answer.text, fence=claimed.lease.fence, at=now)
    try:
        kept = execution.runs.keep_answer(claimed.attempt, answer)
    except TimegateError:
        kept = False
    execution.telemetry.event(
        run_events.ANSWER_KEPT,
        **of_run(claimed.attempt),
        fence=claimed.lease.fence,
        kept=kept,
    )
