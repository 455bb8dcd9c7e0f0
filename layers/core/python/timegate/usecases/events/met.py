"""Things that events start or end."""

from enum import StrEnum

from timegate.domain.values.errors import TimegateError
from timegate.value_classes import dataclass


class MetKind(StrEnum):
    """Kinds of things that wait for events."""

    #: A task of a DAG run that waited for it.
    TASK = "task"
    #: An event trigger whose pattern it matches.
    EVENT_TRIGGER = "event_trigger"


@dataclass(frozen=True, kw_only=True, slots=True)
class Met:
    """Something that an event started or ended."""

    kind: MetKind
    #: The task's key, or the trigger's name.
    name: str
    #: The DAG run or the job's run that goes on or begins by it.
    dag_run_id: str | None = None
    run_id: str | None = None
    #: The reason why nothing begins by it.
    refusal: TimegateError | None = None
