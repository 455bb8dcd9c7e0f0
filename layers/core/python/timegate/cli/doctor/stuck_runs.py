"""Places where a canary's run is stuck, by its state, and what to look at."""

from collections.abc import Mapping

from timegate.cli.doctor.checkup import StepEnded, StepOutcome
from timegate.client import JsonObject
from timegate.domain.runs.run_states import RunState

_STUCK: Mapping[str | None, tuple[str, str]] = {
    None: (
        "The job is stored and has no run.",
        "Look at the API function's log; then docs/operations/runbooks.md#planner-silence.",
    ),
    RunState.WAITING: (
        "The run waits: for a place, for a freeze to end, or for the sweeper to queue it.",
        "timegate freezes list; timegate whoami; then docs/operations/runbooks.md#late-runs.",
    ),
    RunState.QUEUED: (
        "The run is queued and no executor took it.",
        (
            "Look at docs/operations/runbooks.md#queue-backlog, #throttles and #stream-behind, and"
            " at timegate freezes list."
        ),
    ),
}


def stuck(run: JsonObject, job_id: str, patience_seconds: float) -> StepEnded:
    """Say where a run is stuck; an empty one does not exist."""
    state = run.get("state")
    ended = (f"The run is {state}.", f"timegate runs list {job_id}")
    detail, remedy = _STUCK.get(state, ended)
    waited = f" Nothing moved in {patience_seconds:g} s." if state in _STUCK else ""
    explained = f" It says: {run['explanation']}" if run.get("explanation") else ""
    return StepEnded(StepOutcome.PROBLEM, f"{detail}{waited}{explained}", remedy)
