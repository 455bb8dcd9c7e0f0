"""Approvals that wait for a person, and their groups: those of one task of one DAG."""

from collections.abc import Iterable
from datetime import datetime

from timegate.domain.dag_runs.progress import DagRun, TaskProgress
from timegate.domain.values.identity import DagId, TaskKey
from timegate.value_classes import dataclass

#: Approvals of a group that are shown.
SHOWN = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitingApproval:
    """A task that waits for a person, and its DAG run."""

    run: DagRun
    task: TaskProgress
    #: Begin and end of the wait.
    since: datetime
    until: datetime

    def is_open(self, now: datetime) -> bool:
        """A decision would count now."""
        return now < self.until and not self.run.stops_all


def waiting_approval(run: DagRun, task: TaskProgress) -> WaitingApproval | None:
    """Return a task as an approval; ``None``: it waits for no person."""
    if not (task.is_waiting and task.asks) or task.started_at is None or task.waits_until is None:
        return None
    return WaitingApproval(run=run, task=task, since=task.started_at, until=task.waits_until)


@dataclass(frozen=True, kw_only=True, slots=True)
class ApprovalGroup:
    """Approvals that wait, of one task of one DAG."""

    dag_id: DagId
    task: TaskKey
    count: int
    #: Begins of the first and the last of them.
    first_at: datetime
    last_at: datetime
    #: The first of their ends.
    until: datetime
    #: Up to ``SHOWN``, the latest begin first.
    latest: tuple[WaitingApproval, ...]


def approval_groups(latest_first: Iterable[WaitingApproval]) -> tuple[ApprovalGroup, ...]:
    """Group approvals by DAG and task, the group that ends first before the others."""
    groups: dict[tuple[DagId, TaskKey], list[WaitingApproval]] = {}
    for each in latest_first:
        groups.setdefault((each.run.dag_id, each.task.key), []).append(each)
    found = [_group(*cause, rows) for cause, rows in groups.items()]
    return tuple(sorted(found, key=lambda group: group.until))


def _group(dag_id: DagId, task: TaskKey, rows: list[WaitingApproval]) -> ApprovalGroup:
    return ApprovalGroup(
        dag_id=dag_id,
        task=task,
        count=len(rows),
        first_at=min(row.since for row in rows),
        last_at=max(row.since for row in rows),
        until=min(row.until for row in rows),
        latest=tuple(rows[:SHOWN]),
    )
