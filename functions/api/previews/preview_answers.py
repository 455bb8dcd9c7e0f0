"""Answers about schedules, edits and loads that are not stored."""

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from api.values.costs import CostsBeforeAndAfter
from api.values.ids import JOB_ID
from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.jobs.job import JobStatus
from timegate.domain.previews.preview_instant import Outlook
from timegate.domain.recurrence.clock_notes import ChangeKind, ClockEffect


class ProspectAnswer(TypedDict):
    """An instant, and what calendars make of it."""

    at: WrittenInstant
    outcome: Annotated[Outlook, Field(description="Without calendars, each runs.")]
    runs_at: Annotated[
        WrittenInstant | None,
        Field(description="When it runs, or of joined another instant; null: it is left out."),
    ]


class ClockChangeAnswer(TypedDict):
    """A change of the zone's clock, and its effect on the schedule."""

    kind: ChangeKind
    at: WrittenInstant
    local_from: Annotated[str, Field(description="First local time that is skipped or repeated.")]
    local_to: Annotated[
        str, Field(description="Local time at which the gap or the repetition ends.")
    ]
    effect: ClockEffect
    any_of: Annotated[
        list[int],
        Field(description="Of a union: the members that the change meets, counted from 0."),
    ]
    description: Annotated[str, Field(description="The change and its effect in words.")]


class MovableEnd(TypedDict):
    """The end that max_runs gives to a job, while its schedule names later instants.

    A run that ends before it begins gives its place back, which moves the end.
    """

    max_runs: Annotated[int, Field(ge=1)]
    last: Annotated[
        WrittenInstant, Field(description="The instant of the run that takes the last place.")
    ]
    left_out: Annotated[
        int,
        Field(ge=0, description="Instants before it, from the first shown, that take no place."),
    ]
    moved_from: Annotated[
        WrittenInstant | None,
        Field(description="The last instant if none were left out; null: none is."),
    ]
    moves_to: Annotated[
        WrittenInstant | None,
        Field(description="The instant that runs if a place is given back; null: none is near."),
    ]
    description: Annotated[str, Field(description="The end in words.")]


class Preview(TypedDict):
    """Instants of a schedule."""

    fires: Annotated[
        list[WrittenInstant], Field(description="Soonest first; fewer than asked if it ends.")
    ]
    instants: Annotated[
        list[ProspectAnswer], Field(description="The same, each with what becomes of it.")
    ]
    description: Annotated[str, Field(description="The schedule in words.")]
    clock_changes: Annotated[
        list[ClockChangeAnswer],
        Field(
            description="The next gap and the next fold of the schedule's zone; of a "
            "union, of each "
            "member's."
        ),
    ]
    end: Annotated[
        MovableEnd | None,
        Field(description="Where max_runs ends the instants shown; null: nothing moves their end."),
    ]


_Count = Annotated[int, Field(ge=0)]


class ComingInstant(TypedDict):
    """An instant that runs."""

    at: WrittenInstant
    runs_at: Annotated[
        WrittenInstant, Field(description="When it starts, before any jitter: then, or put off.")
    ]


class ComingInstants(TypedDict):
    """Instants that run on one side alone."""

    count: _Count
    first: Annotated[
        list[ComingInstant], Field(description="The earliest, as many as were asked for.")
    ]


class MovedInstant(TypedDict):
    """An instant that starts at another time."""

    before: ComingInstant
    after: ComingInstant


class MovedInstants(TypedDict):
    """Instants that one local day loses, as many as it gains, and those put off differently."""

    count: _Count
    first: Annotated[
        list[MovedInstant], Field(description="The earliest, as many as were asked for.")
    ]


class BeforeAndAfter(TypedDict):
    """Counts of instants that run."""

    before: _Count
    after: _Count


class StoredRuns(TypedDict):
    """Runs that are stored already, a few minutes ahead."""

    adopted: Annotated[_Count, Field(description="They begin, under the new version.")]
    superseded: Annotated[_Count, Field(description="They begin without the edit alone.")]


class Descriptions(TypedDict):
    """Schedules in words."""

    before: str
    after: str


class Ends(TypedDict):
    """Ends by max_runs within the days; null: later, or nothing moves the end."""

    before: MovableEnd | None
    after: MovableEnd | None


class FirstPayloads(TypedDict):
    """Payloads as first runs send them; null: none, or nothing runs."""

    before: Any
    after: Any


class EditPreview(TypedDict):
    """The effect that changes to a job would have."""

    version: Annotated[int, Field(ge=1, description="The version of the job that was compared.")]
    status: Annotated[JobStatus, Field(description="After the changes. A paused job runs nothing.")]
    start: Annotated[WrittenInstant, Field(alias="from", description="Now.")]
    until: WrittenInstant
    compared_until: Annotated[
        WrittenInstant,
        Field(
            description="Earlier than until where a side has more than 11,000 instants: all counts "
            "and lists are of the instants up to here."
        ),
    ]
    instants: BeforeAndAfter
    gained: ComingInstants
    lost: ComingInstants
    moved: MovedInstants
    stored: StoredRuns
    description: Descriptions
    end: Ends
    cost: CostsBeforeAndAfter
    payload: Annotated[
        FirstPayloads | None,
        Field(description="filled: of the first run that the days have; null: not asked for."),
    ]


class BusyMinute(TypedDict):
    """A minute, and how many runs fall due in it."""

    at: WrittenInstant
    runs: _Count


class AdvisedJob(TypedDict):
    """A job that would take jitter."""

    job_id: Annotated[str, Field(pattern=JOB_ID)]
    name: str


class JitterAdvice(TypedDict):
    """The jitter that would flatten the busiest minute, of the jobs of this page."""

    at: WrittenInstant
    runs_before: _Count
    runs_after: Annotated[
        _Count,
        Field(
            description="Of the busiest minute within the jitter of it, if these jobs had "
            "that jitter."
        ),
    ]
    jitter_seconds: Annotated[int, Field(ge=1)]
    job_count: Annotated[int, Field(ge=1, description="So many jobs would take it.")]
    jobs: Annotated[list[AdvisedJob], Field(description="The first twenty.")]


class QueueForecast(TypedDict):
    """The runs of one queue."""

    queue: Annotated[str, Field(description="<priority>-<class>, or the name of a pool.")]
    is_pool: bool
    runs: _Count
    busiest: Annotated[list[BusyMinute], Field(description="Up to five, most runs first.")]
    minutes: Annotated[list[_Count], Field(description="Of each minute from on, in order.")]
    advice: Annotated[JitterAdvice | None, Field(description="Null: no peak, or no jitter helps.")]


class CountedJobs(TypedDict):
    """The jobs of the page."""

    read: _Count
    due: Annotated[_Count, Field(description="Those whose runs fall due in these days.")]
    damaged: Annotated[_Count, Field(description="They cannot be read, and are not counted.")]


class LoadForecast(TypedDict):
    """Runs that fall due in each minute; the numbers of several pages add up."""

    start: Annotated[WrittenInstant, Field(alias="from", description="The beginning of a minute.")]
    until: WrittenInstant
    jobs: CountedJobs
    queues: Annotated[
        list[QueueForecast], Field(description="By name; those without runs are left out.")
    ]
    next_cursor: Annotated[
        str | None, Field(description="Null: all jobs of the tenant were counted.")
    ]
