"""The options that say what a calendar covers, and which calendars a job follows."""

import re
from typing import Annotated, Any

import typer

from timegate.cli.completing.known_words import complete_weekdays, complete_zones
from timegate.cli.completing.stage_names import complete_calendars, complete_rule_calendars
from timegate.cli.completing.words_of_jobs import complete_tags
from timegate.cli.options.job_options import given
from timegate.cli.terminal.option_groups import option_group
from timegate.cli.terminal.values import document_option, tags
from timegate.domain.calendars.roll import Roll
from timegate.value_classes import dataclass

_NUMBER = re.compile(r"-?\d{1,2}", re.ASCII)
_WINDOW = re.compile(
    r"(?:(?P<days>[a-z,]+)\s+)?(?P<opens>\d\d:\d\d(?::\d\d)?)-(?P<closes>\d\d:\d\d(?::\d\d)?)"
)


@option_group("Calendars")
class CalendarRuleOptions:
    """Options of calendars that leave out instants of a job."""

    exclude: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CALENDAR",
            autocompletion=complete_calendars,
            help="Leave out what it covers; may be repeated.",
        ),
    ] = None
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CALENDAR",
            autocompletion=complete_calendars,
            help="Leave out what it does not cover; may be repeated.",
        ),
    ] = None
    defer: Annotated[
        bool, typer.Option("--defer", help="Run what is left out at the first moment that is not.")
    ] = False

    business_day: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CALENDAR=N",
            autocompletion=complete_rule_calendars,
            help="Run on the n-th business day of each month only; bank=-1 is the last.",
        ),
    ] = None

    roll: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CALENDAR=HOW",
            autocompletion=complete_rule_calendars,
            help=(
                "Move instants off days that are no business days; bank=next, previous, nearest"
                " or modified_following."
            ),
        ),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the rules in the API's form."""
        modes = [*(("exclude", name) for name in self.exclude or [])]
        modes += [("only", name) for name in self.only or []]
        if self.defer and not modes:
            message = "it says what --exclude and --only leave out; one of them is needed."
            raise typer.BadParameter(message, param_hint="'--defer'")
        action = "defer" if self.defer else "skip"
        rules: list[object] = [
            {"calendar": name, "mode": mode, "action": action} for mode, name in modes
        ]
        rules += [_business_day(text) for text in self.business_day or []]
        rules += [_roll(text) for text in self.roll or []]
        return given({"calendars": rules or None})


@dataclass(frozen=True, kw_only=True, slots=True)
class CalendarOptions:
    """Options of a calendar's coverage."""

    day: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DAY[..DAY]",
            help="Cover a day, or days: 2026-12-24..2026-12-26; may be repeated.",
        ),
    ] = None
    weekday: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_weekdays,
            help="Cover every sat, sun, ...; may be repeated.",
        ),
    ] = None
    window: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[DAYS ]HH:MM-HH:MM",
            help="Cover hours: 'mon,fri 22:00-06:00'; may be repeated.",
        ),
    ] = None
    weekend: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_weekdays,
            help="Take this for no business day; by default sat and sun.",
        ),
    ] = None
    timezone: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_zones,
            help="Read days and hours in this zone; UTC by default.",
        ),
    ] = None
    description: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Describe the calendar for people.")
    ] = None
    tag: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            autocompletion=complete_tags,
            help="Tag the calendar; may be repeated.",
        ),
    ] = None
    file: Annotated[
        Any, document_option("--file", "-f", help="Read the whole calendar, as JSON or YAML.")
    ] = None

    def as_json(self) -> Any:  # noqa: ANN401 - any JSON
        """Return the calendar in the API's form."""
        said = given(
            {
                "timezone": self.timezone,
                "description": self.description,
                "days": [_days(text) for text in self.day] if self.day else None,
                "weekdays": self.weekday or None,
                "weekend": self.weekend or None,
                "tags": tags(self.tag),
                "windows": [_window(text) for text in self.window] if self.window else None,
            }
        )
        if self.file is None:
            return said
        if said:
            message = "it is the whole calendar; no other option about it goes with it."
            raise typer.BadParameter(message, param_hint="'--file'")
        return self.file


def _business_day(text: str) -> dict[str, object]:
    name, _, number = text.partition("=")
    if not _NUMBER.fullmatch(number):
        message = f"{text!r} is no business day of a calendar; write bank=3 or bank=-1."
        raise typer.BadParameter(message, param_hint="'--business-day'")
    return {"calendar": name, "business_day": int(number)}


def _roll(text: str) -> dict[str, object]:
    name, _, how = text.partition("=")
    if how not in set(Roll):
        message = f"{text!r} rolls nowhere; write bank= and one of {', '.join(Roll)}."
        raise typer.BadParameter(message, param_hint="'--roll'")
    return {"calendar": name, "action": "roll", "roll": how}


def _days(text: str) -> dict[str, object]:
    first, _, last = text.partition("..")
    return given({"first": first, "last": last or None})


def _window(text: str) -> dict[str, object]:
    match = _WINDOW.fullmatch(text)
    if match is None:
        message = f"{text!r} is no window; write 22:00-06:00 or 'mon,fri 22:00-06:00'."
        raise typer.BadParameter(message)
    return window_of(match)


def window_of(match: re.Match[str]) -> dict[str, object]:
    """Return the window of a text with groups of days, opening and closing, in the API's form."""
    found = match.groupdict()
    days = found.pop("days")
    return given({"weekdays": days.split(",") if days else None, **found})
