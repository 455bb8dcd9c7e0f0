"""Messages of rules: the document that channels are sent, and the run that carries it."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from timegate.domain.channels.channel import Channel
from timegate.domain.execution.notices import (
    MARK_LENGTH,
    notice_id,
    notice_run,
    notice_text,
)
from timegate.domain.execution.run_document import as_text, run_document
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.jobs.notification import RULE_TOLD, RuleMark
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.rules.rule import Rule, StreakCondition
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import JobId, job_id_from
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.payload import Payload

#: Many events fit into one item.
_MESSAGE_LENGTH = 300
_LEFT_OUT = frozenset({"result", "finish_by"})

Event = Mapping[str, object]


def event(
    kind: StreakCondition,
    job: tuple[JobId, str],
    run: Attempt | None,
    *,
    at: datetime,
    text: str,
    recovered: bool = False,
    beside: Mapping[str, object] = MappingProxyType({}),
) -> Event:
    """Describe one occasion of a job as channels are told of it."""
    job_id, name = job
    return {
        "type": "recovered" if recovered else kind.value,
        "condition": kind.value,
        "at": rfc3339(at),
        "text": text,
        "job": {"job_id": job_id, "name": name},
        "run": _run(run) if run is not None else None,
        **beside,
    }


def rule_notices(
    rule: Rule, events: Sequence[Event], *, seed: str, now: datetime, more: int = 0
) -> tuple[Attempt, ...]:
    """The runs that tell of these events, one for each channel.

    ``seed`` names the state that the message follows from: a repeat makes the same
    ids. ``more``: events that found no room.
    """
    mark = job_id_from(f"message\n{rule.rule_id}\n{seed}".encode())[:MARK_LENGTH]
    return tuple(_notice(rule, channel, mark, events, now, more) for channel in rule.channels)


def rule_governor(rule: Rule) -> Job:
    """The job that governs a rule's messages: no listing shows it, and it has no runs of its own.

    Its notifications are the rule's channels, so that each message is governed as a job's notice.
    """
    # Each message takes the action of its own channel.
    action: Any = rule.channels[0].action
    timing = Timing(
        tenant=rule.tenant,
        job_id=rule.rule_id,
        version=rule.version,
        status=JobStatus.ACTIVE,
        created_at=rule.created_at,
        anchored_at=rule.created_at,
        next_run_at=None,
        schedule=Schedule(kind=ScheduleKind.IMMEDIATE),
    )
    return Job(
        timing=timing,
        name=f"rule {rule.name}",
        action=action,
        notifications=tuple(Subscription(channel=each, on=()) for each in rule.channels),
        payload=Payload(),
        updated_at=rule.updated_at,
        request_hash="",
    )


def with_more_events(
    held: Sequence[str], events: Sequence[Event], *, most: int
) -> tuple[tuple[str, ...], int]:
    """Put events behind those that are held, and count those that find no room."""
    texts = [*held, *(as_text(each) for each in events)]
    return tuple(texts[:most]), max(0, len(texts) - most)


def events_of(held: Sequence[str]) -> tuple[Event, ...]:
    """Read held events back."""
    return tuple(json.loads(each) for each in held)


def _run(attempt: Attempt) -> dict[str, object]:
    """Return a run as events show it: what it answered is read at the run."""
    shown = run_document(attempt, started_at=attempt.started_at)
    error = attempt.error
    if error is not None:
        message = error.message[:_MESSAGE_LENGTH]
        shown["error"] = {"code": error.code, "type": error.type, "message": message}
    return {name: value for name, value in shown.items() if name not in _LEFT_OUT}


def _notice(
    rule: Rule, channel: Channel, mark: str, events: Sequence[Event], now: datetime, more: int
) -> Attempt:
    about = RuleMark(message=mark, hook=channel.id)
    notice = notice_id(rule.rule_id, about, scheduled_at=now)
    told = {
        "rule": {"name": rule.name, "version": rule.version},
        "events": list(events),
        "more": more,
    }
    text = notice_text(RULE_TOLD, notice, told, at=now)
    return notice_run(rule.tenant, notice, text, job_version=rule.version, at=now, now=now)
