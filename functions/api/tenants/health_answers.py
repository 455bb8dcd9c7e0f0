"""Answers about the health of the stage."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.auditing.stage_health import HealthStatus, ProblemCode

_Lag = Annotated[
    int | None,
    Field(description="Age of the oldest minute that is left; two to five minutes are normal."),
]


class HealthProblem(TypedDict):
    """A thing that is wrong."""

    code: Annotated[
        ProblemCode,
        Field(description="Its kind, which stays the same."),
    ]
    status: Annotated[HealthStatus, Field(description="The best that the stage is with it.")]
    detail: Annotated[str, Field(description="The problem in words.")]
    remedy: Annotated[str, Field(description="What to do first.")]
    runbook: Annotated[str, Field(description="Section of the runbooks that says the rest.")]


class ShardHealth(TypedDict):
    """Progress in one shard."""

    shard: int
    planner_lag_seconds: _Lag
    sweeper_lag_seconds: _Lag
    audited_at: WrittenInstant | None


class ShardsHealth(TypedDict):
    """Progress over all shards."""

    open: Annotated[int, Field(description="Shards that ticks serve.")]
    in_use: Annotated[int, Field(description="Shards that new jobs are placed in.")]
    planner_lag_seconds: Annotated[_Lag, Field(description="The worst of all shards.")]
    sweeper_lag_seconds: Annotated[_Lag, Field(description="The worst of all shards.")]
    behind: Annotated[int, Field(description="Shards in which either is six minutes behind.")]
    worst: Annotated[
        list[ShardHealth], Field(max_length=20, description="Up to 20 shards, the latest first.")
    ]


class AuditHealth(TypedDict):
    """The auditor's last verdicts together."""

    last_at: Annotated[WrittenInstant | None, Field(description="The latest audit of a shard.")]
    oldest_at: Annotated[
        WrittenInstant | None, Field(description="The last audit of the shard that waits longest.")
    ]
    round_began_at: Annotated[
        WrittenInstant | None, Field(description="Begin of the longest round over the table.")
    ]
    instants: Annotated[int, Field(description="Instants that the last audits compared.")]
    found_at: Annotated[
        WrittenInstant | None, Field(description="When something was found missing last.")
    ]
    unaccounted: Annotated[
        int, Field(description="Instants without a record, by the last findings of each shard.")
    ]
    lost: Annotated[int, Field(description="Lost records, by the last findings of each shard.")]


class LaneHealth(TypedDict):
    """The queue of a lane as it was measured last; null: nothing was measured."""

    lane: Annotated[str, Field(examples=["critical-short"])]
    waiting: Annotated[float | None, Field(description="Due messages that wait.")]
    oldest_seconds: Annotated[float | None, Field(description="Age of the oldest message.")]


class AlarmThatIsOn(TypedDict):
    """An alarm of the stage."""

    name: str
    since: WrittenInstant


class Health(TypedDict):
    """The stage's health at one instant."""

    at: WrittenInstant
    status: Annotated[HealthStatus, Field(description="The worst of its problems.")]
    problems: Annotated[list[HealthProblem], Field(description="The graver first.")]
    shards: ShardsHealth
    audit: AuditHealth
    lanes: Annotated[
        list[LaneHealth] | None, Field(description="Null: the metrics could not be read.")
    ]
    alarms: list[AlarmThatIsOn]
