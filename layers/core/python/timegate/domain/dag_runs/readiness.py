"""Readiness: whether a task's trigger rule is met, can still be met, or cannot be met any more."""

from enum import Enum, auto

from timegate.domain.dag_runs.progress import FAILED_STATES, TaskState
from timegate.domain.dags.definition import EdgeCondition, TriggerRule


class Readiness(Enum):
    """Answers that the decided edges of a task give."""

    #: More edges must be decided first.
    UNDECIDED = auto()
    #: Its rule is met, whatever the other edges come to.
    READY = auto()
    #: Its rule cannot be met any more: it is skipped.
    IMPOSSIBLE = auto()


def readiness(rule: TriggerRule, *, edges: int, satisfied: int, unsatisfied: int) -> Readiness:
    """Judge a task by its incoming edges, of which so many are decided."""
    needed = rule.needed(edges)
    if satisfied >= needed:
        return Readiness.READY
    return Readiness.IMPOSSIBLE if edges - unsatisfied < needed else Readiness.UNDECIDED


def satisfies(condition: EdgeCondition, state: TaskState) -> bool:
    """Tell if an edge holds whose source ended in this state; a skip is an end, and no more."""
    match condition:
        case EdgeCondition.ON_SUCCESS:
            return state is TaskState.SUCCEEDED
        case EdgeCondition.ON_FAILURE:
            return state in FAILED_STATES
        case EdgeCondition.ON_FINISHED:
            return True
