"""Requests about runs of DAGs: parameters, interventions, pictures."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from timegate.contracts.pictures import ZoneOfPicture
from timegate.contracts.values.fields import PRINTABLE, Contract
from timegate.domain.dag_runs.intervening import RerunScope
from timegate.domain.dag_runs.progress import MAX_ROUNDS
from timegate.domain.dags.limits import MAX_FAN_OUT_WIDTH
from timegate.domain.runs.resolution import MAX_NOTE


class NewDagRun(Contract):
    """Parameters of a new DAG run."""

    parameters: dict[str, Any] = Field(
        default_factory=dict,
        description="References of tasks find them under parameters; up to 256 KB.",
    )


_Reason = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NOTE, pattern=PRINTABLE)]


def _read_members(value: object) -> object:
    if value is None or value == "failed":
        return value
    if not isinstance(value, list) or not all(type(each) is int for each in value):
        detail = 'Write "failed", or the numbers of members: [3, 17].'
        raise PydanticCustomError("wrong_type", detail)
    if not 1 <= len(value) <= MAX_FAN_OUT_WIDTH:
        detail = f"It takes 1 to {MAX_FAN_OUT_WIDTH} numbers."
        raise PydanticCustomError("too_long" if value else "too_short", detail)
    if not all(0 <= each < MAX_FAN_OUT_WIDTH for each in value):
        detail = f"Members are numbered from 0, and there are {MAX_FAN_OUT_WIDTH} at most."
        raise PydanticCustomError("out_of_range", detail)
    return frozenset(value)


_NUMBERS = {
    "type": "array",
    "items": {"type": "integer", "minimum": 0, "maximum": MAX_FAN_OUT_WIDTH - 1},
    "minItems": 1,
    "maxItems": MAX_FAN_OUT_WIDTH,
}
_Members = Annotated[
    frozenset[int] | Literal["failed"] | None,
    PlainValidator(_read_members),
    WithJsonSchema({"anyOf": [{"type": "string", "enum": ["failed"]}, _NUMBERS, {"type": "null"}]}),
]


class TaskSkip(Contract):
    """Reason to skip a task."""

    members: _Members = Field(
        default=None,
        description="Of a fan-out: with these members alone, by number, or with the failed ones.",
    )

    reason: _Reason | None = Field(default=None, description="For readers of the record.")


class TaskCompletion(TaskSkip):
    """Reason to complete a task, and its result."""

    result: Any = Field(
        default=None,
        description="What references find as its result: any JSON up to 256 KB; absent: nothing.",
    )


class LinkDecision(Contract):
    """A person's decision about the approval of a link."""

    decision: Annotated[
        Literal["approve", "reject"],
        Field(description="approve: the task succeeds; reject: it fails."),
    ]
    note: _Reason | None = Field(default=None, description="For readers of the record.")


class TaskDecision(LinkDecision):
    """A person's decision about an approval."""

    round: int | None = Field(
        default=None,
        ge=1,
        le=MAX_ROUNDS,
        description="Only in this round of the task; null: in whichever it waits.",
    )


class TaskSignal(Contract):
    """Data of the event that a task waits for."""

    data: Any = Field(
        default=None,
        description="What references find as its result: any JSON up to 256 KB; absent: nothing.",
    )
    note: _Reason | None = Field(default=None, description="For readers of the record.")


class TaskRerun(TaskSkip):
    """Reason to run a task again, and its members."""

    scope: RerunScope = Field(
        default=RerunScope.BRANCH,
        description="branch: with everything behind it; task: with what came to nothing there.",
    )


class RunGraphQuery(BaseModel):
    """Form of the graph of a DAG run."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["json", "mermaid", "dot"] = Field(
        "json", description="Places and lines, or text for a program that draws."
    )


class GanttQuery(BaseModel):
    """Form of the chart of a DAG run over time."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["json", "text"] = Field(
        "json", description="Numbers, or a picture for a terminal."
    )
    tz: ZoneOfPicture = None
