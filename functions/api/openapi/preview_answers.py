"""What answers about schedules that are not stored look like."""

from pydantic import Field

from api.contracts.fields import Instant
from api.openapi.answers import Answer
from timegate.domain.prospect import Outlook
from timegate.domain.recurrence.clock_notes import ChangeKind, Effect


class ProspectAnswer(Answer):
    """An instant, and what calendars make of it."""

    at: Instant
    outcome: Outlook = Field(description="Without calendars, each runs.")
    runs_at: Instant | None = Field(
        description="When it runs, or of joined another instant; null: it is left out."
    )


class ClockChangeAnswer(Answer):
    """A change of the zone's clock, and its effect on the schedule."""

    kind: ChangeKind
    at: Instant
    local_from: str = Field(description="First local time that is skipped or repeated.")
    local_to: str = Field(description="Local time at which the gap or the repetition ends.")
    effect: Effect
    any_of: list[int] = Field(
        description="Of a union: the members that the change meets, counted from 0."
    )
    description: str = Field(description="The change and its effect in words.")


class Preview(Answer):
    """What a schedule would do."""

    fires: list[Instant] = Field(description="Soonest first; fewer than asked if it ends.")
    instants: list[ProspectAnswer] = Field(description="The same, each with what becomes of it.")
    description: str = Field(description="The schedule in words.")
    clock_changes: list[ClockChangeAnswer] = Field(
        description="The next gap and the next fold of the schedule's zone; of a union, of each "
        "member's."
    )
