"""Answers about events."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from api.http.field_problems import FieldProblem
from timegate.ports.events import Receipt
from timegate.usecases.events.met import MetKind


class MetByEvent(TypedDict):
    """Something that an event started or ended."""

    kind: MetKind
    name: Annotated[str, Field(description="The key of the task, or the name of the trigger.")]
    dag_run_id: Annotated[str | None, Field(description="The DAG run that goes on or begins.")]
    run_id: Annotated[str | None, Field(description="The run that begins.")]
    code: Annotated[str | None, Field(description="The reason why nothing begins.")]
    detail: str | None


class EventProblem(TypedDict):
    """The refusal of one event of many."""

    code: Annotated[str, Field(description="As of a request for it alone.")]
    detail: str
    errors: list[FieldProblem]


class SentEvent(TypedDict):
    """An event of a request, and everything that it met."""

    index: Annotated[int, Field(ge=0, description="Its place in the batch.")]
    status: Annotated[int, Field(description="202: kept; 200: kept before; else: refused.")]
    id: str | None
    source: str | None
    receipt: Annotated[Receipt | None, Field(description="Null: the event is refused.")]
    met: list[MetByEvent]
    error: EventProblem | None


class SentEvents(TypedDict):
    """Events of a request, in order."""

    items: list[SentEvent]
    received: Annotated[int, Field(ge=0)]
    repeated: Annotated[int, Field(ge=0)]
    failed: Annotated[int, Field(ge=0)]
