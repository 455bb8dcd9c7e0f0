"""The options that define a job, which creating and updating take alike."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from timegate.cli.options.action_options import ActionOptions
from timegate.cli.options.calendar_options import CalendarRuleOptions
from timegate.cli.options.condition_options import ConditionOptions
from timegate.cli.options.follow_up_options import FollowUpOptions
from timegate.cli.options.job_options import (
    CatchUpOptions,
    CollapseOptions,
    JobOptions,
    LongRunOptions,
    OverlapOptions,
)
from timegate.cli.options.notification_options import NotificationOptions
from timegate.cli.options.rate_options import RateOptions
from timegate.cli.options.retry_options import RetryOptions
from timegate.cli.options.schedule_options import ScheduleOptions
from timegate.cli.options.webhook_options import WebhookOptions
from timegate.client import JsonObject
from timegate.value_classes import dataclass

#: Fields whose other members stay when an option gives one: the API replaces a field as a whole.
_OF_MEMBERS = frozenset(
    {"action", "retry", "catch_up", "overlap", "collapse", "long_run", "tags", "metadata"}
)


@dataclass(frozen=True, kw_only=True, slots=True)
class DefinitionOptions:
    """Everything that a job's owner says of it, in groups."""

    job: JobOptions
    schedule: ScheduleOptions
    action: ActionOptions
    webhook: WebhookOptions
    retry: RetryOptions
    catch_up: CatchUpOptions
    overlap: OverlapOptions
    collapse: CollapseOptions
    long_run: LongRunOptions
    calendars: CalendarRuleOptions
    notifications: NotificationOptions
    follow_ups: FollowUpOptions
    rate: RateOptions
    condition: ConditionOptions

    @property
    def are_absent(self) -> bool:
        """No option is given."""
        return all(group == type(group)() for group in self._groups())

    def as_json(self) -> dict[str, Any]:
        """Return the whole job in the API's form; raises ``BadParameter`` without when or what."""
        schedule, action = self.schedule.as_json(), self.action.as_json()
        return self._with(schedule, action | self.webhook.as_json())

    def as_change(self, stored: JsonObject) -> dict[str, Any]:
        """Return the fields with a member that is given, with the stored members that stay."""
        schedule = self.schedule.changed(stored["schedule"])
        found = self._with(schedule, self.action.as_change() | self.webhook.as_json())
        return {
            name: _overlaid(stored[name], value) if name in _OF_MEMBERS else value
            for name, value in found.items()
            if value != {}
        }

    def _with(self, schedule: dict[str, object], action: dict[str, object]) -> dict[str, Any]:
        whole = {"schedule": schedule, "action": action}
        own = (self.schedule, self.action, self.webhook)
        for group in self._groups():
            if group not in own:
                whole |= group.as_json()
        return whole

    def _groups(self) -> Iterator[Any]:
        return (getattr(self, field.name) for field in fields(self))


def _overlaid(stored: JsonObject | None, given: JsonObject) -> JsonObject:
    has_other_type = stored is not None and given.get("type") not in (None, stored.get("type"))
    return given if stored is None or has_other_type else {**stored, **given}
