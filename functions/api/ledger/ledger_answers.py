"""Answers about the instants of a job."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from api.runs.run_answers import RunDeadline, Timeline
from api.values.ids import RUN_ID
from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.auditing.explain_instant import Verdict
from timegate.domain.ledger.damaged_records import DamageCode
from timegate.domain.runs.run import Reason, RunState

_RunId = Annotated[str, Field(pattern=RUN_ID)]


class RunEntry(TypedDict):
    """An instant that became a run, as its last attempt shows it."""

    kind: Literal["run"]
    instant: WrittenInstant
    state: RunState
    reason: Reason | None
    run_id: _RunId
    attempt: Annotated[int, Field(ge=1, description="How many attempts there were so far.")]
    finish_by: Annotated[RunDeadline | None, Field(description="Null: its job gives no deadline.")]
    explanation: Annotated[str, Field(description="For people; it may change.")]


class GapEntry(TypedDict):
    """Instants that follow one another and became no runs, all for one reason."""

    kind: Literal["gap"]
    first: WrittenInstant
    last: WrittenInstant
    count: Annotated[int, Field(ge=1)]
    reason: Reason
    rolled_to: Annotated[
        WrittenInstant | None,
        Field(
            description="Of rolled: where the first moved; the others to their own time "
            "of that day."
        ),
    ]
    explanation: Annotated[str, Field(description="For people; it may change.")]


class DamagedEntry(TypedDict):
    """A record that cannot be read until an operator has repaired it: where it lies."""

    kind: Literal["damaged"]
    code: Annotated[DamageCode, Field(description="Stable: which record it is.")]
    first: Annotated[WrittenInstant | None, Field(description="Of a gap that does not tell: null.")]
    last: WrittenInstant
    run_id: Annotated[_RunId | None, Field(description="Null for a gap.")]
    explanation: Annotated[str, Field(description="For people; it may change.")]


class ExplainedRun(RunEntry):
    """An instant that became a run, and the way of its last attempt to a worker."""

    due_at: Annotated[WrittenInstant, Field(description="With any jitter, or put off.")]
    timeline: Timeline


_Entry = Annotated[RunEntry | GapEntry | DamagedEntry, Field(discriminator="kind")]
_Explained = Annotated[ExplainedRun | GapEntry | DamagedEntry, Field(discriminator="kind")]


class LedgerPage(TypedDict):
    """Outcomes of a job's instants, earliest first."""

    items: list[_Entry]
    next_cursor: Annotated[str | None, Field(description="Null on the last page.")]


class Nearest(TypedDict):
    """The instants around one that the present schedule names, whether or not they run."""

    before: WrittenInstant | None
    after: WrittenInstant | None


class Explanation(TypedDict):
    """The outcome of an instant."""

    instant: WrittenInstant
    verdict: Verdict
    explanation: Annotated[str, Field(description="For people; it may change.")]
    record: Annotated[
        _Explained | None, Field(description="The record, damaged or not; null without one.")
    ]
    nearest: Nearest
    payload: Annotated[
        Any,
        Field(
            description="filled: as its run sends or sent it, or would if it ran; null: not asked"
            " for, or nothing is sent."
        ),
    ]
