"""Rules of the calendars and freezes of a scenario."""

from datetime import timedelta
from itertools import groupby, pairwise

from timegate.domain.calendars.calendar import Calendar, check_calendar
from timegate.domain.restrictions.freeze import MAX_DAYS, Freeze
from timegate.domain.simulation.scenario import CalendarEdit, Scenario
from timegate.domain.values.errors import InvalidInput


def check_restrictions(scenario: Scenario) -> None:
    """Refuse what contradicts itself or is too much; raises ``InvalidInput`` naming the field."""
    for calendar in scenario.calendars:
        _check_calendar(calendar, f"calendars.{calendar.name}")
    for edit in scenario.calendar_edits:
        _check_edit(edit, scenario)
    by_name = sorted(scenario.calendar_edits, key=lambda edit: edit.name)
    for _, edits in groupby(by_name, key=lambda edit: edit.name):
        _check_order(list(edits))
    for number, freeze in enumerate(scenario.freezes):
        _check_freeze(freeze, f"freezes.{number}")
        if any(other.freeze_id == freeze.freeze_id for other in scenario.freezes[:number]):
            _refuse(
                f"freezes.{number}", "there_twice", "It has the scope, span and thaw of another."
            )


def _check_calendar(calendar: Calendar, path: str) -> None:
    try:
        check_calendar(calendar)
    except InvalidInput as error:
        field = path if error.field in {"name", "calendar"} else f"{path}.{error.field}"
        raise InvalidInput(field, error.code, error.detail) from error


def _check_edit(edit: CalendarEdit, scenario: Scenario) -> None:
    first = min(job.created_at for job in scenario.jobs)
    if not first < edit.at < scenario.end:
        detail = "It must be later than created_at and earlier than to."
        _refuse(f"{edit.path}.at", "out_of_range", detail)
    if edit.calendar is not None:
        _check_calendar(edit.calendar, f"{edit.path}.calendar")


def _check_order(edits: list[CalendarEdit]) -> None:
    for edit, following in pairwise(edits):
        if following.at <= edit.at:
            detail = "It is not later than the one before."
            _refuse(f"{following.path}.at", "out_of_order", detail)


def _check_freeze(freeze: Freeze, path: str) -> None:
    if freeze.ends_at <= freeze.starts_at:
        _refuse(f"{path}.to", "ends_before_start", "It is not later than from.")
    if not freeze.by_stage and freeze.ends_at - freeze.starts_at > timedelta(days=MAX_DAYS):
        _refuse(f"{path}.to", "range_too_long", f"A freeze lasts at most {MAX_DAYS} days.")
    if freeze.created_at >= freeze.ends_at:
        _refuse(f"{path}.created_at", "out_of_range", "The freeze has ended by then.")
    lifted_at = freeze.lifted_at
    if lifted_at is not None and not freeze.created_at < lifted_at < freeze.ends_at:
        detail = "It must be later than created_at and earlier than to."
        _refuse(f"{path}.lifted_at", "out_of_range", detail)


def _refuse(field: str, code: str, detail: str) -> None:
    raise InvalidInput(field, code, detail)
