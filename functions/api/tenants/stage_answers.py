"""Answers about the stage as a whole."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from timegate.contracts.values.fields import WrittenInstant

_Series = Annotated[
    list[float | None],
    Field(
        min_length=12,
        max_length=12,
        description="A number for each span; null: nothing was measured in it.",
    ),
]


class LaneLateness(TypedDict):
    """Lateness in milliseconds, from due to started."""

    p50: _Series
    p99: _Series


class LaneEnds(TypedDict):
    """Attempts that ended."""

    succeeded: _Series
    failed: Annotated[_Series, Field(description="Failed, timed out or given up.")]


class Lane(TypedDict):
    """A lane: the queue of a priority and resource class, and its executor."""

    lane: Annotated[str, Field(examples=["critical-short"])]
    start_lag_ms: LaneLateness
    ended: LaneEnds
    waiting: Annotated[_Series, Field(description="Due messages that wait; the most of a span.")]
    oldest_seconds: Annotated[_Series, Field(description="Age of the oldest message.")]


class RaisedAlarm(TypedDict):
    """An alarm that is on."""

    name: str
    meaning: Annotated[str, Field(description="Its description, which names the runbook.")]
    since: WrittenInstant


class StageOverview(TypedDict):
    """The stage within the last hour, by lane, and its alarms."""

    at: Annotated[WrittenInstant, Field(description="The minute of the answer.")]
    spans: Annotated[
        list[WrittenInstant],
        Field(
            min_length=12,
            max_length=12,
            description="Starts of twelve spans of five minutes; the last one is not over.",
        ),
    ]
    lanes: list[Lane]
    alarms: Annotated[list[RaisedAlarm], Field(description="Up to 100, the earliest first.")]
