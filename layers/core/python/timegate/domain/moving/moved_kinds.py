"""Kinds of what moves, in the order in which another stage stores it."""

from enum import StrEnum
from typing import Final


class MovedKind(StrEnum):
    """Kinds of records; a stage stores them in this order.

    A record comes behind those that it needs: a job is there with all that its planner reads.
    """

    #: A text in the blob store: a payload, a graph, a result.
    BLOB = "blob"
    TENANT = "tenant"
    CALENDAR = "calendar"
    FREEZE = "freeze"
    IN_FORCE = "in_force"
    #: The last pause of a worker pool, which goes on holding its runs back.
    POOL_PAUSE = "pool_pause"
    DAG_VERSION = "dag_version"
    DAG = "dag"
    RULE = "rule"
    JOB_VERSION = "job_version"
    GAP = "gap"
    RUN = "run"
    #: The run that a key of a trigger began.
    TRIGGER_KEY = "trigger_key"
    LOG = "log"
    DAG_RUN = "dag_run"
    DAG_TASK = "dag_task"
    GOVERNOR = "governor"
    DAG_RUN_ROW = "dag_run_row"
    AUDIT = "audit"
    JOB_KEY = "job_key"
    JOB = "job"
    ABSENCE_WATCH = "absence_watch"
    EVENT_TRIGGER = "event_trigger"
    EVENT_TRIGGER_NAMES = "event_trigger_names"
    HOOK = "hook"
    RULE_WATCH = "rule_watch"


#: Moved if they are asked for: no job needs them to go on.
HISTORY: Final = frozenset(
    {
        MovedKind.GAP,
        MovedKind.RUN,
        MovedKind.TRIGGER_KEY,
        MovedKind.LOG,
        MovedKind.DAG_RUN,
        MovedKind.DAG_TASK,
        MovedKind.GOVERNOR,
        MovedKind.DAG_RUN_ROW,
        MovedKind.AUDIT,
    }
)
