"""What answers about schedules that are not stored look like."""

from pydantic import Field

from api.contracts.fields import Instant
from api.openapi.answers import Answer
from timegate.domain.previews.preview_instant import Outlook
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


class MovableEnd(Answer):
    """The end that max_runs gives to a job, while its schedule names later instants.

    A run that ends before it begins gives its place back, which moves the end.
    """

    max_runs: int = Field(ge=1)
    last: Instant = Field(description="The instant of the run that takes the last place.")
    left_out: int = Field(
        ge=0, description="Instants before it, from the first shown, that take no place."
    )
    moved_from: Instant | None = Field(
        description="The last instant if none were left out; null: none is."
    )
    moves_to: Instant | None = Field(
        description="The instant that runs if a place is given back; null: none is near."
    )
    description: str = Field(description="The end in words.")


class Preview(Answer):
    """What a schedule would do."""

    fires: list[Instant] = Field(description="Soonest first; fewer than asked if it ends.")
    instants: list[ProspectAnswer] = Field(description="The same, each with what becomes of it.")
    description: str = Field(description="The schedule in words.")
    clock_changes: list[ClockChangeAnswer] = Field(
        description="The next gap and the next fold of the schedule's zone; of a union, of each "
        "member's."
    )
    end: MovableEnd | None = Field(
        description="Where max_runs ends the instants shown; null: nothing moves their end."
    )
