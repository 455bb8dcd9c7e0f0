"""What answers about a job's instants look like; ``api.ledger_views`` builds them."""

from typing import Annotated, Literal

from pydantic import Field

from api.contracts.fields import Instant
from api.openapi.answers import RUN_ID, Answer, RunDeadline
from timegate.domain.auditing.explain_instant import Verdict
from timegate.domain.ledger.damaged_records import DamageCode
from timegate.domain.runs.run import Reason, RunState

_RunId = Annotated[str, Field(pattern=RUN_ID)]


class RunEntry(Answer):
    """An instant that became a run, as its last attempt shows it."""

    kind: Literal["run"]
    instant: Instant
    state: RunState
    reason: Reason | None
    run_id: _RunId
    attempt: int = Field(ge=1, description="How many attempts there were so far.")
    finish_by: RunDeadline | None = Field(description="Null: its job gives no deadline.")
    explanation: str = Field(description="For people; it may change.")


class GapEntry(Answer):
    """Instants that follow one another and became no runs, all for one reason."""

    kind: Literal["gap"]
    first: Instant
    last: Instant
    count: int = Field(ge=1)
    reason: Reason
    rolled_to: Instant | None = Field(
        description="Of rolled: where the first moved; the others to their own time of that day."
    )
    explanation: str = Field(description="For people; it may change.")


class DamagedEntry(Answer):
    """A record that cannot be read until an operator has repaired it: where it lies."""

    kind: Literal["damaged"]
    code: DamageCode = Field(description="Stable: which record it is.")
    first: Instant | None = Field(description="Of a gap that does not tell: null.")
    last: Instant
    run_id: _RunId | None = Field(description="Null for a gap.")
    explanation: str = Field(description="For people; it may change.")


_Entry = Annotated[RunEntry | GapEntry | DamagedEntry, Field(discriminator="kind")]


class LedgerPage(Answer):
    """What became of a job's instants, earliest first."""

    items: list[_Entry]
    next_cursor: str | None = Field(description="Null on the last page.")


class Nearest(Answer):
    """The instants around one that the present schedule names, whether or not they run."""

    before: Instant | None
    after: Instant | None


class Explanation(Answer):
    """What became of an instant."""

    instant: Instant
    verdict: Verdict
    explanation: str = Field(description="For people; it may change.")
    record: _Entry | None = Field(description="The record, damaged or not; null without one.")
    nearest: Nearest
