"""Ends of tasks of containers, and starts that started none, as answers and failures."""

import re
from typing import TYPE_CHECKING, Any

from timegate.adapters.targets.failures import permanent, retryable, timed_out
from timegate.domain.execution.call import Answer
from timegate.domain.runs.run_result import excerpt
from timegate.ports.call_runner import TargetFailed

if TYPE_CHECKING:
    from mypy_boto3_ecs.type_defs import TaskTypeDef

#: Reason that Timegate gives with each stop.
STOPPED = "Timegate: the run was cancelled, or ran out of time."
TOO_LONG = "The task did not end in time, and was stopped."
#: Beginnings of reasons for which AWS starts no task now, and may start one later.
_MAY_PASS = ("AGENT", "CAPACITY", "Capacity is unavailable", "RESOURCE")
#: End of the reason's kind, before what it says of the instance.
_KIND = re.compile(r"[:.]")
_BY_ITSELF = "EssentialContainerExited"


def is_over(task: "TaskTypeDef") -> bool:
    """Tell if the task has stopped; one that is stopping has its exit code a little later."""
    return task["lastStatus"] == "STOPPED"


def exit_code(task: "TaskTypeDef", container: str) -> int | None:
    """Return the exit code of the container; ``None``: it did not end by itself."""
    if task.get("stopCode") != _BY_ITSELF:
        return None
    codes = [c.get("exitCode") for c in task["containers"] if c["name"] == container]
    return codes[0] if codes else None


def is_being_stopped(task: "TaskTypeDef") -> bool:
    """Tell if Timegate has stopped the task, and it has not ended yet."""
    return not is_over(task) and task.get("stoppedReason") == STOPPED


def ended(task: "TaskTypeDef", container: str) -> Answer:
    """Return the success of a task that has stopped; raises ``TargetFailed`` for another end."""
    code = exit_code(task, container)
    reason = excerpt(task.get("stoppedReason", "") or "The task has stopped.")
    if code == 0:
        return Answer(text=excerpt(f"{task['taskArn']}: {reason}"))
    if code is not None:
        raise retryable("exit_code", f"ExitCode{code}", f"Exit code {code}. {reason}")
    match task.get("stopCode"):
        case "TaskFailedToStart" as kind:
            raise retryable("task_failed_to_start", kind, reason)
        case ("SpotInterruption" | "TerminationNotice") as kind:
            raise retryable("task_interrupted", kind, reason)
        case "UserInitiated" if reason == STOPPED:
            raise timed_out(TOO_LONG)
        case "UserInitiated" as kind:
            # It was stopped on purpose; starting it again would undo that.
            raise permanent("task_stopped", kind, reason)
        case kind:
            raise retryable("task_failed", kind or "Stopped", reason)


def not_started(failures: Any) -> TargetFailed:  # noqa: ANN401 - as the SDK has them
    """Return the failure of a start that started no task."""
    first = failures[0] if failures else {}
    reason = first.get("reason", "")
    kind = _KIND.split(reason)[0] or "Unknown"
    detail = excerpt(f"AWS started no task: {reason} {first.get('detail', '')}".strip())
    if reason.startswith(_MAY_PASS):
        return retryable("no_capacity", kind, detail)
    return permanent("task_refused", kind, detail)
