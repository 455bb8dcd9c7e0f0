"""Tables of jobs and runs in a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from timegate.cli.showing.finish_tables import advised, deadline, finishing
from timegate.cli.showing.grids import Column, details, listing, table
from timegate.cli.showing.instants import moment, zoned
from timegate.cli.showing.policy_words import (
    breaking,
    collapsed,
    collapsing,
    filling,
    holding,
    patience,
)
from timegate.cli.showing.timelines import timeline
from timegate.cli.terminal.channel_words import telling
from timegate.cli.terminal.wording import (
    answer,
    asking,
    catching_up,
    chaining,
    checkpointed,
    clipped,
    compact_json,
    delivering,
    failing,
    following,
    going_on,
    labels,
    outcome,
    overlapping,
    own_payload,
    pacing,
    pausing,
    plain,
    said,
    secret,
    secrets,
    settled,
    sliced,
    span,
    target,
    triggered_by,
    triggering,
    when,
)
from timegate.client import JsonObject

#: Blue beside red and yellow: green beside red looks alike to one man in twelve.
_STYLES = {
    "active": "bright_blue",
    "succeeded": "bright_blue",
    "running": "cyan",
    "queued": "cyan",
    "paused": "yellow",
    "suspended": "red",
    "gap": "yellow",
    "damaged": "red",
    "skipped": "yellow",
    "cancelled": "yellow",
    "failed": "red",
    "timed_out": "red",
    "dead_lettered": "red",
}


def job_details(job: JsonObject) -> RenderableType:
    """Everything about a job."""
    return details(
        {
            "job_id": plain(job["job_id"]),
            "name": plain(job["name"]),
            "key": plain(job["key"]),
            "description": plain(job["description"]),
            "status": state(job["status"]),
            "paused by": pausing(job["auto_pause"]),
            "paused for": plain(job["pause_reason"]),
            "next run": zoned(job["next_run_at"]),
            **_definition(job),
            "created": zoned(job["created_at"]),
            "updated": f"{zoned(job['updated_at'])}, version {job['version']}",
            "advice": advised(job["advice"]),
        }
    )


def defined_details(validation: JsonObject) -> RenderableType:
    """A job that is not stored, with everything that was left out."""
    job = validation["definition"]
    named = {name: plain(job[name]) for name in ("name", "key", "description")}
    # An older API says no place.
    place = validation.get("target_place") or {}
    further = {
        "calls": plain(f"{place['region']}, account {place['account']}" if place else None),
        "advice": advised(validation["advice"]),
    }
    return details({**named, **_definition(job), **further})


def _definition(job: JsonObject) -> dict[str, Any]:
    """Return the definition's rows, without the name."""
    schedule, action = job["schedule"], job["action"]
    return {
        "schedule": when(schedule),
        "starts": zoned(schedule.get("starts_at")),
        "ends": zoned(schedule.get("ends_at")),
        "max runs": plain(schedule.get("max_runs")),
        "start jitter": _seconds(schedule.get("jitter_seconds") or None),
        "action": f"{plain(action['type'])} {target(action)}",
        "headers": labels(action.get("headers", {})),
        "secret headers": secrets(action.get("secret_headers", {})),
        "signed with": secret(action.get("signing_secret")),
        "success": plain(" ".join(map(str, action.get("success_statuses", [])))),
        "payload": compact_json(job["payload"]),
        "marks": filling(job.get("payload_marks")),
        "schema": holding(job.get("payload_schema")),
        "priority": f"{plain(job['priority'])}, {plain(job['resource_class'])}",
        "precision": plain(job["precision"]),
        "timeout": f"{job['timeout_seconds']} s",
        **_policies(job),
        "tags": labels(job["tags"]),
        "metadata": labels(job["metadata"]),
    }


def _policies(job: JsonObject) -> dict[str, Any]:
    """Return the rows about the job's runs and its notifications."""
    return {
        "retry": patience(job["retry"]),
        "breaker": breaking(job["retry"]["breaker"]),
        "retry on": plain(", ".join(job["retry"]["retry_on"])),
        "give up on": plain(", ".join(job["retry"]["give_up_on"])),
        "catch up": catching_up(job["catch_up"]),
        "overlap": overlapping(job["overlap"]),
        "collapses": collapsing(job["collapse"]),
        "delivery": delivering(job["delivery"]),
        "long run": going_on(job["long_run"]),
        "notifies": telling(job["notifications"]),
        "late after": _seconds(job["late_after_seconds"]),
        "absent after": _seconds(job["absent_after_seconds"]),
        "finish by": finishing(job["finish_by"]),
        "pauses after": failing(job["pause_after_failures"]),
        "before": asking(job["before"]),
        "then": chaining(job["then"]),
        "rate limit": pacing(job["rate_limit"]),
        "calendars": following(job["calendars"]),
        "start within": _seconds(job["start_within_seconds"]),
        "lists": plain(job["list_runs"]),
    }


def job_table(page: JsonObject) -> RenderableType:
    """A listing of jobs."""
    columns: dict[str, Column] = {
        "job_id": lambda job: plain(job["job_id"]),
        "name": lambda job: plain(job["name"]),
        "status": lambda job: state(job["status"]),
        "schedule": lambda job: when(job["schedule"]),
        "priority": lambda job: plain(job["priority"]),
        "next run (UTC)": lambda job: moment(job["next_run_at"]),
    }
    return _with_damaged(
        listing(page, columns, "No jobs.", spare=("priority",)), page, "job", "job_ids"
    )


def run_table(page: JsonObject) -> RenderableType:
    """A listing of runs, as their last attempts show them."""
    columns: dict[str, Column] = {
        "run_id": lambda run: plain(run["run_id"]),
        "attempt": lambda run: plain(run["attempt"]),
        **_PROGRESS,
    }
    return _with_damaged(
        listing(page, columns, "No runs.", spare=("took", "late")), page, "run", "run_ids"
    )


def _with_damaged(shown: RenderableType, page: JsonObject, what: str, named: str) -> RenderableType:
    # An older API says nothing of them.
    damaged = page.get("damaged", {"count": 0})
    if not damaged["count"]:
        return shown
    ids = plain(", ".join(damaged[named]))
    return Group(
        shown, f"{_counted(damaged['count'], what)} cannot be read; operators must repair: {ids}"
    )


def notification_table(told: JsonObject) -> RenderableType:
    """Show the notifications of a run."""
    if not told["items"]:
        return "No notifications."
    columns: dict[str, Column] = {
        "on": lambda each: plain(each["on"]),
        "run's attempt": lambda each: plain(each["run_attempt"]),
        "told": lambda each: plain((each["channel"] or {}).get("address")),
        "state": lambda each: state(each["state"]),
        "tries": lambda each: plain(each["attempt"]),
        "due (UTC)": lambda each: moment(each["due_at"]),
        "why": lambda each: clipped(outcome(each)),
    }
    return table(told["items"], columns)


def run_details(run: JsonObject) -> RenderableType:
    """A run and every attempt at it."""
    facts = details(
        {
            "run_id": plain(run["run_id"]),
            "state": state(run["state"]),
            "scheduled": f"{zoned(run['scheduled_at'])} ({plain(run['origin'])})",
            "operation": plain(run["operation_id"]),
            "triggered by": triggered_by(run["triggered_by"], run["matched_event"]),
            "collapse": collapsed(run["collapse"]),
            # A stage of an earlier release knows no keys of runs.
            "key": plain(run.get("concurrency_key")),
            "tags": labels(run["tags"]),
            "payload": own_payload(run),
            "progress": said(run["progress"]),
            "slices": sliced(run["slices"]),
            "deadline": deadline(run["finish_by"]),
            "checkpoint": checkpointed(run["checkpoint"]),
            "since due": timeline(run["attempts"][-1]) if run["attempts"] else "",
            "why": outcome(run),
            "waits": plain(run["explanation"] if run["state"] in {"waiting", "queued"} else None),
            "decision": _decision(run),
            "triggered": triggering(run["triggered"]),
            "prevented": _counted(run["duplicates_prevented"], "duplicate"),
            "result": answer(run["attempts"][-1]["result"] if run["attempts"] else None),
            "trace": plain(run.get("trace_id")),
        }
    )
    return Group(facts, attempts_of(run["attempts"]))


def attempts_of(attempts: Sequence[JsonObject]) -> RenderableType:
    """The attempts at a run, one a line."""
    columns: dict[str, Column] = {
        "attempt": lambda attempt: plain(attempt["attempt"]),
        **_PROGRESS,
        "worker": lambda attempt: plain(attempt["worker"]),
    }
    if any(attempt["error"] for attempt in attempts):
        columns["decision"] = _decision
    if any(attempt["resolution"] for attempt in attempts):
        columns["settled"] = lambda attempt: settled(attempt["resolution"])
    return table(attempts, columns, spare=("worker",))


def state(name: str) -> Text:
    """A state in its colour."""
    return Text(plain(name), style=_STYLES.get(name, ""))


_PROGRESS: Mapping[str, Column] = {
    "state": lambda attempt: state(attempt["state"]),
    "due (UTC)": lambda attempt: moment(attempt["due_at"]),
    "late": lambda attempt: span(attempt["lateness_ms"]),
    "took": lambda attempt: span(attempt["duration_ms"]),
    "why": lambda attempt: clipped(outcome(attempt)),
}


def _counted(count: int, noun: str) -> str:
    """So many of them; nothing for none."""
    if not count:
        return plain(None)
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _decision(progress: JsonObject) -> str:
    """Return the decision about a failure; empty without one."""
    return plain(progress["explanation"] if progress["error"] else None)


def _seconds(count: int | None) -> str:
    return plain(None) if count is None else f"{count} s"
