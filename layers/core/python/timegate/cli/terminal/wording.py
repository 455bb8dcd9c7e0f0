"""From the API's values to the words in a terminal."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from timegate.cli.showing.instants import moment, zoned
from timegate.domain.actions.action import KINDS
from timegate.domain.jobs.catch_up import CatchUp
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.recurrence.schedule import CronDialect

_ABSENT = "-"
_DEFAULT_CATCH_UP = asdict(CatchUp())
_SECOND_MS = 1000
_MINUTE_MS = 60_000
_HOUR_MS = 3_600_000
#: A target's answer is sometimes a page; a table shows its beginning.
_CELL_CHARACTERS = 60


def plain(value: object) -> str:
    """A value as text that cannot steer the terminal: targets write their own error messages."""
    if value is None or value == "":
        return _ABSENT
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in str(value))


def span(milliseconds: int | None) -> str:
    """A span of time in the unit that suits it."""
    if milliseconds is None:
        return _ABSENT
    size = abs(milliseconds)
    if size < _SECOND_MS:
        return f"{milliseconds} ms"
    if size < _MINUTE_MS:
        return f"{milliseconds / _SECOND_MS:.1f} s"
    if size < _HOUR_MS:
        return f"{milliseconds / _MINUTE_MS:.1f} min"
    return f"{milliseconds / _HOUR_MS:.1f} h"


def when(schedule: Mapping[str, Any]) -> str:
    """A schedule in a few words; one of a kind that a later API has is named by its kind."""
    match schedule["kind"]:
        case "cron":
            dialect = schedule.get("dialect", CronDialect.TIMEGATE)
            named = "" if dialect == CronDialect.TIMEGATE else f" ({dialect})"
            return plain(f"{schedule['cron']} {schedule['timezone']}{named}")
        case "union":
            return " or ".join(map(when, schedule["any_of"]))
        case "rate":
            return f"every {schedule['every_seconds']} s"
        case kind if "timezone" in schedule and kind in schedule:
            return plain(f"{schedule[kind]} {schedule['timezone']}")
        case kind:
            return _once(kind, schedule)


def _once(kind: str, schedule: Mapping[str, Any]) -> str:
    match kind:
        case "delay":
            return f"after {schedule['delay_seconds']:g} s"
        case "at":
            return f"at {moment(schedule['at'])}"
        case _:
            return plain(kind)


def target(action: Mapping[str, Any]) -> str:
    """An action in a few words; one of a kind that a later API has is named by its kind."""
    kind = KINDS.get(action["type"])
    words = kind.words(action) if kind is not None else [action["type"]]
    return plain(" ".join(word for word in words if word is not None))


def secret(ref: Mapping[str, Any] | None) -> str:
    """Name the place of a secret."""
    if ref is None:
        return _ABSENT
    key = f"#{ref['json_key']}" if ref["json_key"] is not None else ""
    return plain(f"{ref['secret_arn'] or ref['ssm_parameter']}{key}")


def secrets(refs: Mapping[str, Any]) -> str:
    """Headers, and where their values are kept."""
    return labels({name: secret(ref) for name, ref in refs.items()})


def failing(count: int | None) -> str:
    """Name the failures that pause a job; empty for one that they never pause."""
    if count is None:
        return _ABSENT
    return "1 failed run" if count == 1 else f"{count} failed runs in a row"


def pausing(pause: Mapping[str, Any] | None) -> str:
    """Name the pause by failures, or the trial after it; empty without one."""
    if pause is None:
        return _ABSENT
    told = f"{plain(pause['by'])}, after {failing(pause['failures'])}, {zoned(pause['at'])}"
    return f"{told}; resumed, the next run decides" if pause["on_trial"] else told


def catching_up(policy: Mapping[str, Any]) -> str:
    """A catch-up policy in a few words; nothing for the default."""
    if policy == _DEFAULT_CATCH_UP:
        return _ABSENT
    window = f"of the last {policy['window_seconds']} s"
    grace = f"grace {policy['grace_seconds']} s"
    match policy["policy"]:
        case "all":
            return plain(f"all, at most {policy['limit']}, {window}, {grace}")
        case "latest":
            return plain(f"latest, {window}, {grace}")
        case name:
            return plain(f"{name}, {grace}")


def overlapping(policy: Mapping[str, Any]) -> str:
    """An overlap policy in a few words; nothing for the default."""
    if policy["policy"] == "allow":
        return _ABSENT
    key = policy["concurrency_key"]
    shared = f" with {key}" if key is not None else ""
    each = _each(policy)
    return plain(f"{policy['policy']}, at most {policy['max_concurrent']} at once{shared}{each}")


def delivering(mode: str) -> str:
    """A delivery mode; nothing for the default."""
    return _ABSENT if mode == DeliveryMode.AT_LEAST_ONCE else plain(mode)


def going_on(allowed: Mapping[str, Any] | None) -> str:
    """Name the allowance for long runs; empty for a job that allows none."""
    if allowed is None:
        return _ABSENT
    return f"at most {allowed['max_duration_seconds']} s, {allowed['max_slices']} slices"


def pacing(limit: Mapping[str, Any] | None) -> str:
    """Name the rate limit of the target; empty for a job without one."""
    if limit is None:
        return _ABSENT
    periods = ("second", "minute", "hour")
    ((calls, period),) = [(limit[f"per_{p}"], p) for p in periods if limit[f"per_{p}"] is not None]
    burst = f", {limit['burst']} at once" if limit["burst"] > 1 else ""
    key = f", with all of {limit['key']}" if limit["key"] is not None else ""
    article = "an" if period == "hour" else "a"
    return plain(f"{calls} {article} {period}{burst}{key}{_each(limit)}")


def _each(policy: Mapping[str, Any]) -> str:
    """Say if each key of a run has slots or calls of its own; a stage before 1.0 may not know."""
    pointer = policy.get("key_from")
    return f", for each {pointer}" if pointer is not None else ""


def sliced(slices: Mapping[str, Any] | None) -> str:
    """Count the ended slices of a long run."""
    if slices is None:
        return _ABSENT
    return f"{slices['ended']} ended, the last at {zoned(slices['last_ended_at'])}"


def said(progress: Mapping[str, Any] | None) -> str:
    """Name the progress that a worker reports."""
    if progress is None:
        return _ABSENT
    percent = f"{progress['percent']:g} %" if progress["percent"] is not None else ""
    words = [word for word in (percent, progress["message"]) if word]
    return plain(f"{', '.join(words)} at {zoned(progress['at'])}")


def checkpointed(checkpoint: Mapping[str, Any] | None) -> str:
    """Name the checkpoint at which a run would go on."""
    if checkpoint is None:
        return _ABSENT
    written = moment(checkpoint["at"])
    return f"{checkpoint['sequence']}, {checkpoint['size_bytes']} bytes, at {written} UTC"


def following(rules: Sequence[Mapping[str, Any]]) -> str:
    """The calendars of a job in a few words."""
    return plain(", ".join(_following(rule) for rule in rules))


def _following(rule: Mapping[str, Any]) -> str:
    if "business_day" in rule:
        return f"business day {rule['business_day']} of {rule['calendar']}"
    if "roll" in rule:
        return f"roll {rule['roll']} by {rule['calendar']}"
    deferred = " (defer)" if rule["action"] == "defer" else ""
    return f"{rule['mode']} {rule['calendar']}{deferred}"


def labels(values: Mapping[str, str]) -> str:
    """Tags or metadata."""
    return plain(", ".join(f"{name}={value}" for name, value in values.items()))


def outcome(progress: Mapping[str, Any]) -> str:
    """Name the cause of an attempt's end: its error, or else its reason."""
    error = progress["error"]
    if error is None:
        return plain(progress["reason"])
    return plain(f"{error['code']}: {error['message']}")


def answer(result: object) -> str:
    """Show the target's answer: mostly text, which needs no quotes."""
    return plain(result.strip()) if isinstance(result, str) else compact_json(result)


def clipped(text: str) -> str:
    """The beginning of a text, as a cell of a table takes it."""
    return text if len(text) <= _CELL_CHARACTERS else f"{text[: _CELL_CHARACTERS - 1]}…"


def compact_json(value: object) -> str:
    """JSON on one line."""
    return plain(None if value is None else json.dumps(value, ensure_ascii=False))


def own_payload(run: Mapping[str, Any]) -> str:
    """Show a run's own payload, or its size where the answer leaves it out.

    That of its job is shown where the answer has it, as it is sent.
    """
    if run["payload"] is not None:
        return plain(json.dumps(run["payload"], ensure_ascii=False))
    if run["payload_from"] == "job":
        return plain(None)
    size = run["payload_size_bytes"]
    return f"{size} bytes" if size else plain("null")


def settled(resolution: Mapping[str, Any] | None) -> str:
    """Name the settlement of a dead letter; empty for any other attempt."""
    if resolution is None:
        return plain(None)
    note = f": {resolution['note']}" if resolution["note"] else ""
    done = f"{plain(resolution['settled'])} by {plain(resolution['by'])}"
    return f"{done}, {zoned(resolution['at'])}{plain(note) if note else ''}"


def asking(condition: Mapping[str, Any] | None) -> str:
    """Name the condition that is asked before a run begins."""
    if condition is None:
        return plain(None)
    waits = f"every {condition['every_seconds']} s for {condition['give_up_after_seconds']} s"
    return f"asks {plain(condition['url'])}, {waits}"


def chaining(follow_ups: Sequence[Mapping[str, Any]]) -> str:
    """Name the jobs that follow."""
    said = [
        f"{plain(each['job_id'])} on {plain(', '.join(each['on']))}"
        + ("" if each["payload"] == "own" else f", given {plain(each['payload'])}")
        for each in follow_ups
    ]
    return "; ".join(said) or plain(None)


def triggered_by(parent: Mapping[str, Any] | None, event: Mapping[str, Any] | None) -> str:
    """Name the run whose end triggered this one, or the event and the trigger that it matched."""
    if event is not None:
        return (
            f"event {plain(event['id'])} of {plain(event['source'])}, which matched"
            f" {plain(event['event_trigger'])}"
        )
    return plain(None) if parent is None else f"{plain(parent['run_id'])}, {plain(parent['state'])}"


def triggering(triggered: Sequence[Mapping[str, Any]]) -> str:
    """Name the runs that the ends of a run triggered."""
    said = [f"{plain(each['run_id'])}, {plain(each['state'])}" for each in triggered]
    return "; ".join(said) or plain(None)


def refusal(error: Mapping[str, Any]) -> str:
    """The code of a refused part of a request, and what is wrong with each field."""
    fields = "; ".join(f"{each['field']}: {each['detail']}" for each in error["errors"])
    return f"{error['code']}: {fields or error['detail']}"
