"""Waits for events: an event that comes before, while and after a wait begins ends it once.

Both sides write before they read. A wait is put on record for senders before its task is running,
and the events of its key are read after that. An event is on record before its waiters are read.
So one of the two finds the other, and the task's own conditional write decides.
"""

from dataclasses import replace
from datetime import timedelta

from timegate.domain.dag_runs.progress import DagRun, TaskProgress
from timegate.domain.dag_runs.waiting import received
from timegate.domain.dags.waits import WaitTask
from timegate.domain.events.awaited_event import AwaitedEvent
from timegate.domain.events.event import KEPT, EventKey, ReceivedEvent
from timegate.ports.blobs import BlobStore
from timegate.ports.events import EventWaiter
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.dag_runs.kept_results import with_result

#: A record of a wait is left to expire; it is still there when its end is looked at late.
_FORGET_AFTER = timedelta(hours=1)


def announce(task: TaskProgress, awaited: AwaitedEvent, works: DagWorks) -> None:
    """Let senders of events find a task that is about to wait; raises ``Throttled``."""
    if task.correlation is None or task.waits_until is None:
        return
    waiter = EventWaiter(dag_run_id=task.dag_run_id, task=task.key, round=task.round)
    key = EventKey(type=awaited.type, correlation=task.correlation)
    works.events.wait(task.tenant, key, waiter, forget_at=task.waits_until + _FORGET_AFTER)


def ended_by_event(
    run: DagRun, task: TaskProgress, wait: WaitTask, works: DagWorks
) -> TaskProgress | None:
    """Return a wait as the earliest event that counts ends it; ``None``: none has come."""
    if wait.event is None or task.correlation is None:
        return None
    now = works.clock.now()
    since = max(wait.event.since(run.created_at), now - KEPT)
    key = EventKey(type=wait.event.type, correlation=task.correlation)
    for event in works.events.kept(task.tenant, key, since=since):
        after = ended_by(event, run, task, wait, works.blobs)
        if after is not None:
            return replace(after, ended_at=now)
    return None


def ended_by(
    event: ReceivedEvent, run: DagRun, task: TaskProgress, wait: WaitTask, blobs: BlobStore
) -> TaskProgress | None:
    """Return a wait as an event ends it, at the instant of the event; ``None``: it does not."""
    begun_at, until = run.created_at, task.waits_until
    if wait.event is None or not wait.event.counts(event, begun_at=begun_at, until=until):
        return None
    after = received(task, event, now=event.received_at)
    return with_result(after, event.event.data, blobs)
