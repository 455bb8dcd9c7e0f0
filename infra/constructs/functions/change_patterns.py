"""Patterns of stream records that are transitions: what is no transition invokes no function.

Lambda takes five patterns for an event source. Heartbeats, looks and moves of jobs match none.
"""

from typing import Any

from timegate.domain.cloud_events.run_transitions import PENDING
from timegate.domain.dag_runs.progress import ENDED_STATUSES, DagRunStatus
from timegate.domain.jobs.job import JobStatus
from timegate.domain.runs.run_states import TERMINAL, TRANSITIONS, RunState

_EXISTS = {"S": [{"exists": True}]}


def _texts(values: frozenset[Any]) -> dict[str, list[str]]:
    return {"S": sorted(each.value for each in values)}


def _steps(before: frozenset[RunState]) -> dict[str, Any]:
    """Match steps of attempts out of some states into any other."""
    after = frozenset[RunState]().union(*(TRANSITIONS[each] for each in before)) - before
    images = {"OldImage": {"state": _texts(before)}, "NewImage": {"state": _texts(after)}}
    return {"eventName": ["MODIFY"], "dynamodb": images}


#: New attempts, their steps, and DAG runs that start, are reopened or end.
RUN_TRANSITIONS: tuple[dict[str, Any], ...] = (
    {
        "eventName": ["INSERT"],
        "dynamodb": {"NewImage": {"state": _texts(PENDING | TERMINAL), "due_at": _EXISTS}},
    },
    _steps(PENDING),
    _steps(frozenset({RunState.RUNNING})),
    {
        "eventName": ["INSERT", "MODIFY"],
        "dynamodb": {
            "NewImage": {
                "sk": {"S": ["dag-run"]},
                "status": _texts(ENDED_STATUSES | {DagRunStatus.OPENING, DagRunStatus.REOPENING}),
            }
        },
    },
)
#: Entries of the audit trail about jobs, new jobs whose records have theirs, and completed ones.
JOB_CHANGES: tuple[dict[str, Any], ...] = (
    {
        "eventName": ["INSERT"],
        "dynamodb": {"NewImage": {"kind": {"S": ["job"]}, "resource_id": _EXISTS}},
    },
    {
        "eventName": ["INSERT"],
        "dynamodb": {"NewImage": {"sk": {"S": ["job"]}, "creation": _EXISTS}},
    },
    {
        "eventName": ["MODIFY"],
        "dynamodb": {
            "NewImage": {"sk": {"S": ["job"]}, "status": {"S": [JobStatus.COMPLETED.value]}}
        },
    },
)
