"""From a periodic task of Celery to the action of a job."""

from collections.abc import Mapping
from typing import Any

from timegate.cli.migrating.celery.beat import BeatEntry
from timegate.cli.migrating.entries import Note
from timegate.cli.migrating.importing.templates import Marks, filled, filled_action
from timegate.cli.migrating.importing.web_hooks import LONGEST_CALL, timeout_of_call
from timegate.domain.actions.pool import check_handler_name
from timegate.domain.jobs.rules.job_rules import MAX_WORKER_TIMEOUT_SECONDS
from timegate.domain.values.errors import InvalidInput


def fields_of_beat_entry(
    entry: BeatEntry, action: Mapping[str, Any], payload: object | None
) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Fill a template with an entry: ``action``, ``payload``, ``retry`` and timeout of a job.

    ``{task}`` and ``{name}`` stand for text, ``{args}`` for a list and ``{kwargs}`` for an object.
    Beat sends a task once: its retries are its own. Raises ``InvalidInput`` for an entry without
    task, or whose task cannot be a handler.
    """
    given = entry.content
    task = given.get("task")
    if not isinstance(task, str) or not task:
        raise InvalidInput("task", "no_action", "It names no task.")
    args, kwargs = given.get("args") or [], given.get("kwargs") or {}
    if not isinstance(args, list) or not isinstance(kwargs, dict):
        detail = "args must be a list and kwargs an object: write them as JSON."
        raise InvalidInput("args", "wrong_type", detail)
    marks = Marks(words={"task": task, "name": entry.name}, values={"args": args, "kwargs": kwargs})
    found = filled_action(action, marks)
    lasts = found["type"] in {"worker", "ecs"}
    if found["type"] == "worker":
        check_handler_name(str(found.get("handler")), "action.handler")
    whole = {"task": task, "args": args, "kwargs": kwargs}
    fields = {
        "action": found,
        "payload": whole if payload is None else filled(payload, marks),
        "retry": {"max_attempts": 1},
        **(
            {"timeout_seconds": MAX_WORKER_TIMEOUT_SECONDS}
            if lasts
            else timeout_of_call(LONGEST_CALL)
        ),
    }
    return fields, ()
