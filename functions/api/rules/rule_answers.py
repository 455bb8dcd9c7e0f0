"""Answers about notification rules."""

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from api.http.field_problems import FieldProblem
from api.runs.run_record_answers import NotificationDelivery, ToldChannel
from api.values.damaged_answers import NamedPage
from api.values.ids import RUN_ID
from timegate.contracts.calendars import Weekday
from timegate.contracts.channels import ChannelContract
from timegate.contracts.rules import Hour, SelectionContract
from timegate.contracts.values.fields import WrittenInstant


class RuleAbsence(TypedDict):
    """A span without success that is told of."""

    for_seconds: Annotated[int | None, Field(description="Null: as long as each job says itself.")]
    at: Annotated[Hour | None, Field(description="Null: judged all the time.")]
    timezone: str
    weekdays: list[Weekday]


class RuleConditions(TypedDict):
    """Conditions of a rule."""

    failures_in_a_row: int | None
    dead_letter: bool
    quota_refused: bool
    late_after_seconds: int | None
    absent: RuleAbsence | None
    recovered: bool


class QuietWindow(TypedDict):
    """The same hours of several days."""

    weekdays: list[Weekday]
    opens: Hour
    closes: Hour


class QuietHours(TypedDict):
    """Hours of the week in which messages are held back."""

    timezone: str
    windows: list[QuietWindow]


class DefinedRule(TypedDict):
    """Everything that the owner of a notification rule says of it."""

    description: str
    tags: Annotated[dict[str, str], Field(description="Of the rule itself.")]
    enabled: bool
    jobs: SelectionContract
    when: RuleConditions
    channels: list[ChannelContract]
    quiet_hours: QuietHours | None


class NotificationRule(DefinedRule):
    """A notification rule."""

    name: str
    version: Annotated[int, Field(ge=1, description="Grows with every change; also the ETag.")]
    created_at: WrittenInstant
    updated_at: WrittenInstant


class RuleValidation(TypedDict):
    """The outcome that putting a notification rule would have."""

    valid: bool
    definition: Annotated[
        DefinedRule, Field(description="The rule, with the default of what was left out.")
    ]
    errors: list[FieldProblem]


class RuleList(NamedPage):
    """Notification rules of a tenant, by name."""

    items: list[NotificationRule]
    next_cursor: Annotated[str | None, Field(description="Null on the last page.")]


class RuleMessage(NotificationDelivery):
    """A message of a rule to one channel, of one or more events; a run of its own."""

    notification_id: Annotated[str, Field(pattern=RUN_ID, description="It can be read as a run.")]
    told_at: Annotated[WrittenInstant, Field(description="It was made then.")]
    channel: Annotated[
        ToldChannel | None, Field(description="Null: the rule does not tell it any more.")
    ]
    message: Annotated[
        Any, Field(description="What is sent; docs/concepts/notification-rules.md describes it.")
    ]


class RuleTest(TypedDict):
    """Test messages of a rule, one to each channel."""

    messages: list[RuleMessage]


class HeldRuleEvents(TypedDict):
    """Events that wait for the end of quiet hours."""

    events: Annotated[list[Any], Field(description="As a message will have them, oldest first.")]
    more: Annotated[int, Field(description="So many more found no room.")]


class RuleMessageList(NamedPage):
    """Messages of a rule, the last one first."""

    items: list[RuleMessage]
    next_cursor: Annotated[str | None, Field(description="Null on the last page.")]
    held: HeldRuleEvents
