"""The instants that jobs gain, lose and move by what files declare."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from timegate.cli.previews.edit_previews import day_and_time, end_line, instant_lines, summary_line
from timegate.cli.showing.presentation import presentation
from timegate.cli.terminal.wording import plain
from timegate.client import InvalidRequest, JsonObject
from timegate.declaring.declarations import DeclarationKind
from timegate.declaring.plan import ApplyStep, Verb
from timegate.declaring.stage import Stage

#: The fields of a job that decide which of its instants run, and when.
_DECIDING = {"schedule", "calendars", "catch_up", "tags"}
#: Instants of each kind; and of a new job.
_SHOWN = 5
_FIRST = 3


def with_instants(stage: Stage, steps: Sequence[ApplyStep], *, days: int) -> list[ApplyStep]:
    """Each step with the instants it changes; costs one request for each such job.

    Calendars are read as they are stored: a step whose calendars these files change as well
    says so. ``days`` 0 asks for nothing.
    """
    if not days:
        return list(steps)
    changed = {step.key for step in steps if step.verb is not Verb.KEEP}
    return [replace(step, instants=_instants(stage, step, changed, days)) for step in steps]


def instants_lines(instants: JsonObject) -> Iterator[str]:
    """Yield the lines about a step's instants."""
    if instants["unknown"] is not None:
        yield f"instants are not known: {plain(instants['unknown'])}"
    elif instants["first_runs"] is not None:
        found = instants["first_runs"]
        named = ", ".join(day_and_time(each) for each in found)
        yield f"first runs: {named} {presentation().zone_label}" if found else "no instant runs"
        if instants["end"] is not None:
            yield plain(instants["end"]["description"])
    else:
        yield summary_line(instants["preview"], instants["days"])
        yield from (f"  {line}" for line in instant_lines(instants["preview"]))
        yield from end_line(instants["preview"])


def _instants(stage: Stage, step: ApplyStep, changed: set[str], days: int) -> JsonObject | None:
    if not step.key.startswith(f"{DeclarationKind.JOB}/") or step.problems:
        return None
    fields = {each.field.split(".")[0] for each in step.differences} & _DECIDING
    if step.verb is Verb.KEEP or (step.verb is Verb.CHANGE and not fields):
        return None
    calendars = [
        f"{DeclarationKind.CALENDAR}/{each['calendar']}"
        for each in step.wanted.get("calendars", [])
    ]
    unknown = next((key for key in calendars if key in changed), None)
    if unknown is not None:
        return _said(days, unknown=f"{unknown} is changed by these files as well.")
    try:
        return _asked(stage, step, fields, days)
    except InvalidRequest as refused:
        return _said(days, unknown=refused.detail)


def _asked(stage: Stage, step: ApplyStep, fields: set[str], days: int) -> JsonObject:
    if step.found is None:
        wanted: Any = {
            "schedule": step.wanted["schedule"],
            "calendars": step.wanted["calendars"],
            "count": _FIRST,
        }
        found = stage.client.preview_schedule(wanted)
        runs = [each["at"] for each in found["instants"] if each["runs_at"]]
        return _said(days, first_runs=runs, end=found["end"])
    changes: Any = {name: step.wanted[name] for name in sorted(fields)}
    preview = stage.client.preview_job(step.found.id, changes, days=days, limit=_SHOWN)
    return _said(days, preview=_ended(preview) if step.verb is Verb.PRUNE else preview)


def _ended(preview: Mapping[str, Any]) -> JsonObject:
    """The preview of a job that runs nothing afterwards: its runs are lost."""
    before = preview["instants"]["before"]
    return {
        **preview,
        "instants": {"before": before, "after": 0},
        "lost": {"count": before, "first": []},
        "end": {**preview["end"], "after": None},
    }


def _said(days: int, **known: object) -> JsonObject:
    nothing = {"preview": None, "first_runs": None, "end": None, "unknown": None}
    return {"days": days, **nothing, **known}
