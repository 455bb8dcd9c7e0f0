"""What the preview of an edit looks like."""

from typing import Annotated

from pydantic import Field

from api.contracts.fields import Instant
from api.openapi.answers import Answer
from api.openapi.preview_answers import MovableEnd
from timegate.domain.jobs.job import JobStatus

_Count = Annotated[int, Field(ge=0)]


class ComingInstant(Answer):
    """An instant that runs."""

    at: Instant
    runs_at: Instant = Field(description="When it starts, before any jitter: then, or put off.")


class ComingInstants(Answer):
    """Instants that run on one side alone."""

    count: _Count
    first: list[ComingInstant] = Field(description="The earliest, as many as were asked for.")


class MovedInstant(Answer):
    """An instant that starts at another time."""

    before: ComingInstant
    after: ComingInstant


class MovedInstants(Answer):
    """Instants that one local day loses, as many as it gains, and those put off differently."""

    count: _Count
    first: list[MovedInstant] = Field(description="The earliest, as many as were asked for.")


class BeforeAndAfter(Answer):
    """How many instants run."""

    before: _Count
    after: _Count


class StoredRuns(Answer):
    """Runs that are stored already, a few minutes ahead."""

    adopted: _Count = Field(description="They begin, under the new version.")
    superseded: _Count = Field(description="They begin without the edit alone.")


class Descriptions(Answer):
    """Schedules in words."""

    before: str
    after: str


class Ends(Answer):
    """Where max_runs ends the job within the days; null: later, or nothing moves the end."""

    before: MovableEnd | None
    after: MovableEnd | None


class EditPreview(Answer):
    """What changes to a job would do."""

    version: int = Field(ge=1, description="The version of the job that was compared.")
    status: JobStatus = Field(description="After the changes. A paused job runs nothing.")
    start: Instant = Field(alias="from", description="Now.")
    until: Instant
    compared_until: Instant = Field(
        description="Earlier than until where a side has more than 11,000 instants: all counts "
        "and lists are of the instants up to here."
    )
    instants: BeforeAndAfter
    gained: ComingInstants
    lost: ComingInstants
    moved: MovedInstants
    stored: StoredRuns
    description: Descriptions
    end: Ends
