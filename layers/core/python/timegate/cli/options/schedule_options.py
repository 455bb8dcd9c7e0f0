"""The options that say when."""

from dataclasses import fields
from datetime import datetime
from typing import Annotated, Any

import typer

from timegate.cli.completing.known_words import complete_zones
from timegate.cli.terminal.option_groups import option_group
from timegate.cli.terminal.values import instant_option, seconds_option, span_option
from timegate.client import JsonObject
from timegate.domain.recurrence.kinds.registry import kind_of
from timegate.domain.recurrence.schedule import (
    CronDialect,
    DstPolicy,
    FoldPolicy,
    GapPolicy,
    Schedule,
    ScheduleKind,
)
from timegate.domain.recurrence.spelling import as_written
from timegate.domain.values.instants import rfc3339

_PANEL = "When (one of)"
_KINDS = {
    "at": ScheduleKind.AT,
    "delay_seconds": ScheduleKind.DELAY,
    "cron": ScheduleKind.CRON,
    "every_seconds": ScheduleKind.RATE,
    "rrule": ScheduleKind.RRULE,
}
_OF_EACH_CRON = ("dialect", "timezone", "dst", "gap", "fold")
_FLAGS = {"now": ScheduleKind.IMMEDIATE, "manual": ScheduleKind.MANUAL}
_CHOICES = "--at, --delay, --cron, --every, --rrule, --now and --manual"


@option_group("When (more)")
class ScheduleOptions:
    """A schedule's kind by the option that was used, and its fields."""

    at: Annotated[
        datetime | None,
        instant_option(help="Run once, then: 2026-11-21T07:00:00Z.", rich_help_panel=_PANEL),
    ] = None
    delay_seconds: Annotated[
        float | None,
        seconds_option(
            "--delay",
            help="Run once, so long from now: 90, 250ms, 15m, 1h30m.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    cron: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN",
            help="Run by a cron pattern of 5 to 7 fields, @daily, rate(5 minutes),"
            " at(2026-12-01T09:00:00) or @every 5m. May be repeated: it runs"
            " whenever one of them says so.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    every_seconds: Annotated[
        int | None,
        span_option("--every", help="Run again and again, in real time.", rich_help_panel=_PANEL),
    ] = None
    rrule: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="Follow a rule of RFC 5545, such as FREQ=MONTHLY;BYDAY=-1FR.",
            rich_help_panel=_PANEL,
        ),
    ] = None
    now: Annotated[
        bool, typer.Option("--now", help="Run once, at once.", rich_help_panel=_PANEL)
    ] = False
    manual: Annotated[
        bool,
        typer.Option(
            "--manual",
            help="Run never by itself: triggers and other jobs start its runs.",
            rich_help_panel=_PANEL,
        ),
    ] = False
    dialect: Annotated[
        CronDialect | None,
        typer.Option(help="Read --cron as this program does; timegate by default."),
    ] = None
    timezone: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_zones,
            help="Read --cron and --rrule in this IANA zone; UTC by default.",
        ),
    ] = None
    dst: Annotated[
        DstPolicy | None,
        typer.Option(help="Read --cron or --rrule as an interval of real time, or as fixed times."),
    ] = None
    gap: Annotated[
        GapPolicy | None, typer.Option(help="Treat so a fixed local time that a day does not have.")
    ] = None
    fold: Annotated[
        FoldPolicy | None, typer.Option(help="Treat so a fixed local time that a day has twice.")
    ] = None
    starts_at: Annotated[
        datetime | None, instant_option(help="Start nothing before this instant.")
    ] = None
    exdates: Annotated[
        list[datetime] | None,
        instant_option("--exdate", help="Leave this instant of --rrule out; may be repeated."),
    ] = None
    rdates: Annotated[
        list[datetime] | None,
        instant_option("--rdate", help="Run at this instant beside --rrule; may be repeated."),
    ] = None
    ends_at: Annotated[
        datetime | None, instant_option(help="Start nothing after this instant.")
    ] = None
    max_runs: Annotated[
        int | None, typer.Option(metavar="N", help="End after so many scheduled runs.")
    ] = None
    jitter_seconds: Annotated[
        int | None,
        span_option(
            "--start-jitter", help="Start each run up to so much late, never as late as the next."
        ),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the schedule in the API's form; the API refuses fields of other kinds."""
        return _as_json(self._named({}))

    def changed(self, stored: JsonObject) -> dict[str, object]:
        """Return the stored schedule with the members that are given; empty if none is.

        Another kind keeps the members that it has too, such as the zone and the bounds.
        """
        given = self._given()
        if self._chosen(given):
            return _as_json(self._named(_members_of(self._kind(given), stored)))
        return {**stored, **_as_json(given)} if given else {}

    def as_schedule(self) -> Schedule:
        """Return the domain's schedule, not yet validated; raises ``InvalidInput``."""
        return as_written(_schedule(self._named({})))

    def _named(self, kept: dict[str, Any]) -> dict[str, Any]:
        """The schedule by its fields; several patterns make a union, each with what is cron's."""
        given = self._given()
        kind = self._kind(given)
        given = kept | given
        patterns = given.pop("cron", [])
        if kind is not ScheduleKind.CRON:
            return {"kind": kind, **given}
        if len(patterns) == 1:
            return {"kind": kind, "cron": patterns[0], **given}
        own = {name: given.pop(name) for name in _OF_EACH_CRON if name in given}
        members = [{"kind": kind, "cron": pattern, **own} for pattern in patterns]
        return {"kind": ScheduleKind.UNION, "any_of": members, **given}

    def _chosen(self, given: dict[str, Any]) -> list[ScheduleKind]:
        chosen = [kind for name, kind in _KINDS.items() if name in given]
        return chosen + [kind for name, kind in _FLAGS.items() if getattr(self, name)]

    def _kind(self, given: dict[str, Any]) -> ScheduleKind:
        chosen = self._chosen(given)
        if len(chosen) != 1:
            message = f"Exactly one of {_CHOICES} says when."
            raise typer.BadParameter(message)
        return chosen[0]

    def _given(self) -> dict[str, Any]:
        names = [field.name for field in fields(self) if field.name not in _FLAGS]
        values = {name: getattr(self, name) for name in names}
        # Typer gives an empty list for an option that is not there.
        return {name: value for name, value in values.items() if value not in (None, [])}


def _schedule(named: dict[str, Any]) -> Schedule:
    lists = {name: tuple(value) for name, value in named.items() if isinstance(value, list)}
    if "any_of" in named:
        lists["any_of"] = tuple(map(_schedule, named["any_of"]))
    return Schedule(**named | lists)


def _members_of(kind: ScheduleKind, stored: JsonObject) -> dict[str, Any]:
    """Return the stored members that a schedule of this kind has too, without its text.

    Members on which all schedules of a union agree are those of the union.
    """
    members = stored.get("any_of") or [{}]
    agreed = {
        name: value
        for name, value in members[0].items()
        if all(each.get(name) == value for each in members)
    }
    names = [name for name in kind_of(kind).fields if name != kind_of(kind).required]
    whole = {**agreed, **stored}
    return {name: whole[name] for name in names if whole.get(name) is not None}


def _as_json(members: dict[str, Any]) -> dict[str, object]:
    return {name: _json(value) for name, value in members.items()}


def _json(value: object) -> object:
    if isinstance(value, dict):
        return _as_json(value)
    if isinstance(value, list):
        return [_json(each) for each in value]
    if isinstance(value, datetime):
        return rfc3339(value)
    return str(value) if isinstance(value, ScheduleKind) else value
