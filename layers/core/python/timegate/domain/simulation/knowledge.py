"""Restrictions of a scenario's jobs, as far as they are known at a moment."""

from bisect import bisect_right
from dataclasses import replace
from datetime import datetime

from timegate.domain.calendars.calendar import Calendar
from timegate.domain.restrictions.freeze import Freeze
from timegate.domain.restrictions.restrictions import UNRESTRICTED, Restrictions
from timegate.domain.simulation.scenario import Scenario


class Knowledge:
    """Calendars and freezes, as they become known."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        made = {freeze.created_at for freeze in scenario.freezes}
        lifted = {freeze.lifted_at for freeze in scenario.freezes if freeze.lifted_at is not None}
        edited = {edit.at for edit in scenario.calendar_edits}
        #: When it changes, in order.
        self.changes = sorted(made | lifted | edited)
        self._found: dict[int, Restrictions] = {}

    def at(self, now: datetime) -> Restrictions:
        """Return the restrictions that decide at that moment."""
        if not self.changes and not self._scenario.calendars:
            return UNRESTRICTED
        epoch = bisect_right(self.changes, now)
        if epoch not in self._found:
            self._found[epoch] = Restrictions(
                freezes=_freezes(self._scenario, now), calendars=_calendars(self._scenario, now)
            )
        return self._found[epoch]


def _freezes(scenario: Scenario, now: datetime) -> tuple[Freeze, ...]:
    known = (freeze for freeze in scenario.freezes if freeze.created_at <= now)
    return tuple(
        freeze
        if freeze.lifted_at is None or freeze.lifted_at <= now
        else replace(freeze, lifted_at=None)
        for freeze in known
    )


def _calendars(scenario: Scenario, now: datetime) -> dict[str, Calendar]:
    found: dict[str, Calendar] = {calendar.name: calendar for calendar in scenario.calendars}
    for edit in sorted(scenario.calendar_edits, key=lambda each: each.at):
        if edit.at <= now and edit.calendar is not None:
            found[edit.name] = edit.calendar
        elif edit.at <= now:
            found.pop(edit.name, None)
    return found
