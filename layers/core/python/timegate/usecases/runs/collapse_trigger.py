"""Collapsing triggers: a trigger takes the place of a run that waits, joins it, or opens a window.

One transaction stores the trigger's run, the window of its key and the end of the run that it
replaces. A claim of that run meanwhile refuses the transaction, and the trigger opens the next
window.
"""

import json
from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.triggers import (
    Trigger,
    TriggerKey,
    check_key,
    check_tags,
    mark_of,
    state_of_window,
)
from timegate.domain.jobs.job import Job
from timegate.domain.limits.collapse import (
    Collapse,
    CollapseKey,
    CollapseWindow,
    WindowState,
    key_in,
)
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import RunNotFound
from timegate.domain.values.identity import RunId
from timegate.domain.values.payload import Payload
from timegate.ports.blobs import BlobStore
from timegate.ports.runs.claims import CollapseWrite
from timegate.ports.stores import RunStore
from timegate.usecases.runs.attempt_of_trigger import attempt_with_payload, payload_of_trigger
from timegate.usecases.runs.store_payload import load_payload
from timegate.value_classes import dataclass

#: A run that waits changes only so often before it is claimed.
MAX_TRIES = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class ToCollapse:
    """A trigger whose payload is stored, and the rule by which it collapses."""

    trigger: Trigger
    run: RunId
    job: Job
    rule: Collapse
    key: CollapseKey
    payload: Payload | None
    #: The caller's trace.
    trace: str | None = None

    def attempt(self, window: CollapseWindow, *, due_at: datetime, now: datetime) -> Attempt:
        """Return the run that stands for a window."""
        attempt = attempt_with_payload(
            self.trigger, self.run, self.job, self.payload, now=now, due_at=due_at
        )
        return replace(attempt, collapse=mark_of(window), trace=self.trace)

    def joined(self, window: CollapseWindow, *, now: datetime) -> Attempt:
        """Return the run that ends at once, since that of a window stands for it."""
        attempt = replace(self.attempt(window, due_at=now, now=now), direct=False)
        ended = end(attempt, RunState.SKIPPED, now=now, reason=Reason.COLLAPSED)
        return replace(ended, collapse=mark_of(window, into=window.run))


def to_collapse(
    trigger: Trigger, run: RunId, job: Job, rule: Collapse, blobs: BlobStore
) -> ToCollapse:
    """Store the payload of a trigger, and read its key; raises as ``attempt_of_trigger``."""
    check_tags(trigger.tags)
    check_key(trigger.concurrency_key, job.overlap)
    payload = payload_of_trigger(trigger, run, job, blobs)
    text = trigger.collapse_key
    if text is None and rule.key_from is not None:
        whole = load_payload(job.payload if payload is None else payload, blobs)
        text = None if whole is None else key_in(json.loads(whole), rule.key_from)
    return ToCollapse(
        trigger=trigger,
        run=run,
        job=job,
        rule=rule,
        key=CollapseKey.of(job.tenant, job.job_id, text),
        payload=payload,
    )


def collapse_trigger(
    wanted: ToCollapse, runs: RunStore, *, key: TriggerKey | None = None, now: datetime
) -> Attempt | None:
    """Store the run of a trigger, and return it: it waits, or another stands for it.

    A trigger that met others of its key while it was stored came before them: it joins their run.
    ``None``: ``key`` names a run, or the trigger lost every race.
    """
    tenant, job_id = wanted.job.tenant, wanted.job.job_id
    first: CollapseWindow | None = None
    for tries in range(MAX_TRIES):
        read = runs.window(tenant, job_id, wanted.key)
        # Another request of the batch may have stored it: it does not take its own place.
        if read is None or read.run != wanted.run:
            if tries and read is not None and _moved(first, read):
                write = _join(wanted, read, now)
            else:
                write = _decide(wanted, read, runs, now)
            if runs.collapse(replace(write, key=key)):
                return write.attempt
        if key is not None and runs.keyed_run(tenant, job_id, key, now=now) is not None:
            return None
        own = _last(wanted, wanted.run, runs)
        if own is not None:
            # The answer to our own write was lost, or another request of the batch was faster.
            return own
        first = first if tries else read
    return None


def _moved(first: CollapseWindow | None, read: CollapseWindow) -> bool:
    """Tell if a run was triggered since the window was read first."""
    return first is None or (first.number, first.run) != (read.number, read.run)


def _decide(
    wanted: ToCollapse, read: CollapseWindow | None, runs: RunStore, now: datetime
) -> CollapseWrite:
    """Return what the trigger makes of the window, by what became of its run."""
    last = None if read is None else _last(wanted, read.run, runs)
    if read is not None and last is not None and last.reason is Reason.COLLAPSED:
        # Another trigger took its place since the window was read: that one's run waits.
        again = runs.window(wanted.job.tenant, wanted.job.job_id, wanted.key)
        moved = again is not None and _moved(read, again)
        if again and moved and wanted.rule.admits(again, WindowState.PENDING, now=now):
            return _join(wanted, again, now)
    if read is not None and wanted.rule.admits(read, state_of_window(last, now), now=now):
        if last is not None and wanted.rule.takes_over:
            return _take(wanted, read, last, now)
        return _join(wanted, read, now)
    return _open(wanted, read, now)


def _open(wanted: ToCollapse, read: CollapseWindow | None, now: datetime) -> CollapseWrite:
    number = 1 if read is None else read.number + 1
    window = CollapseWindow(key=wanted.key, number=number, run=wanted.run, since=now, triggers=1)
    attempt = wanted.attempt(window, due_at=wanted.rule.due_at(now, now), now=now)
    return CollapseWrite(window=window, read=None, attempt=attempt)


def _take(wanted: ToCollapse, read: CollapseWindow, last: Attempt, now: datetime) -> CollapseWrite:
    window = replace(read, run=wanted.run, triggers=read.triggers + 1)
    due_at = wanted.rule.due_at(now, read.since)
    ended = end(last, RunState.SKIPPED, now=now, reason=Reason.COLLAPSED)
    ended = replace(ended, collapse=mark_of(read, into=wanted.run))
    return CollapseWrite(
        window=window,
        read=read,
        attempt=wanted.attempt(window, due_at=due_at, now=now),
        replaced=(last, ended),
    )


def _join(wanted: ToCollapse, read: CollapseWindow, now: datetime) -> CollapseWrite:
    window = replace(read, triggers=read.triggers + 1)
    return CollapseWrite(window=window, read=read, attempt=wanted.joined(window, now=now))


def _last(wanted: ToCollapse, run: RunId, runs: RunStore) -> Attempt | None:
    """The last attempt at a run of the job; ``None``: it is not on record, or not any more."""
    try:
        return runs.attempts(wanted.job.tenant, run)[-1]
    except RunNotFound:
        return None
