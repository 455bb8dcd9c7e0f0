"""Dead letters, as they are asked for and settled."""

from typing import Annotated, Any

from pydantic import Field, StringConstraints, field_validator

from timegate.contracts.jobs.listings import MOST_LATE_SECONDS, Failure
from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import PRINTABLE, Contract, Instant, Labels, Name
from timegate.contracts.values.queries import JobReference, PageQuery
from timegate.domain.jobs.definition import UNSET, Unset
from timegate.domain.operations.dead_letter import MAX_CODE, DeadLetterFilter
from timegate.domain.operations.operation import Settlement
from timegate.domain.runs.resolution import MAX_NOTE
from timegate.domain.runs.run import FAILURES, Reason, RunState
from timegate.domain.runs.run_filter import FailureFilter
from timegate.domain.values.errors import InvalidInput, RunNotFound
from timegate.domain.values.identity import JobId, RunId
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.payload import Payload

#: Runs that are named one by one.
MAX_RUNS = 100
_Code = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CODE, pattern=PRINTABLE)]
_Note = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NOTE, pattern=PRINTABLE)]
_RunId = Annotated[str, StringConstraints(max_length=100, pattern=PRINTABLE)]
_START = "Dead-lettered then, or later."
_END = "Dead-lettered then, or earlier."


class DeadLettersQuery(PageQuery):
    """Filter of a list of dead letters; every criterion that is given must hold."""

    job_id: JobReference | None = Field(
        None, description="Whose runs they were: an id, or key:<key>."
    )
    reason: Reason | None = Field(None, description="Why they were given up.")
    error_code: _Code | None = Field(None, description="Of the last attempt.")
    start: Instant | None = Field(None, alias="from", description=_START)
    end: Instant | None = Field(None, alias="to", description=_END)

    def to_filter(self) -> DeadLetterFilter:
        """Return the use case's argument; may raise ``InvalidInput``."""
        return _filter(self)


class LetterSelection(Contract):
    """Filter of dead letters; every criterion that is given must hold."""

    job_id: JobReference | None = Field(None, description="An id, or key:<key>.")
    reason: Reason | None = None
    error_code: _Code | None = None
    start: Instant | None = Field(None, alias="from", description=_START)
    end: Instant | None = Field(None, alias="to", description=_END)
    run_ids: list[_RunId] = Field(
        default_factory=list, max_length=MAX_RUNS, description="These; without other criteria."
    )
    all: bool = Field(default=False, description="Every dead letter there is; without criteria.")

    @field_validator("run_ids")
    @classmethod
    def _each_once(cls, run_ids: list[str]) -> list[str]:
        return list(dict.fromkeys(run_ids))

    def to_domain(self) -> tuple[DeadLetterFilter, tuple[RunId, ...]]:
        """Return the use case's filter; raise ``InvalidInput`` where no criterion is named."""
        wanted, runs = _filter(self), tuple(_run(text) for text in self.run_ids)
        criteria = int(wanted != DeadLetterFilter()) + int(bool(runs)) + int(self.all)
        if criteria == 0:
            detail = "It names no criterion; say all: true to mean every dead letter."
            raise InvalidInput("filter", "empty_filter", detail)
        if criteria > 1:
            field = "filter.all" if self.all else "filter.run_ids"
            raise InvalidInput(field, "contradicts_filter", "It goes without other criteria.")
        return wanted, runs


class FailureSelection(Contract):
    """Filter of failed runs; every criterion that is given must hold."""

    state: list[Failure] = Field(
        default_factory=list, max_length=len(FAILURES), description="One of them; empty: any."
    )
    reason: Reason | None = None
    error_code: _Code | None = None
    job_id: JobReference | None = Field(None, description="An id, or key:<key>.")
    name: Name | None = Field(
        None, description="Of their jobs; nightly* means every name that begins so."
    )
    tags: Labels = Field(
        default_factory=dict, description="Of the run or its job; each must be there."
    )
    late_seconds: Annotated[int, Field(ge=0, le=MOST_LATE_SECONDS), Duration()] | None = Field(
        None, description="They began later than so long after they were due, or never."
    )
    start: Instant | None = Field(None, alias="from", description="Ended then, or later.")
    end: Instant | None = Field(None, alias="to", description="Ended then, or earlier.")
    all: bool = Field(default=False, description="Every failed run there is; without criteria.")

    def to_domain(self) -> FailureFilter:
        """Return the use case's filter; raise ``InvalidInput`` where no criterion is named."""
        wanted = FailureFilter(
            states=tuple(map(RunState, self.state)),
            reason=self.reason,
            error_code=self.error_code,
            job_id=JobId(self.job_id) if self.job_id is not None else None,
            name=self.name,
            tags=tuple(sorted(self.tags.items())),
            late_seconds=self.late_seconds,
            within=InstantRange(start=self.start, end=self.end),
        )
        is_empty = wanted == FailureFilter()
        if is_empty and not self.all:
            detail = "It names no criterion; say all: true to mean every failed run."
            raise InvalidInput("filter", "empty_filter", detail)
        if self.all and not is_empty:
            raise InvalidInput("filter.all", "contradicts_filter", "It goes without criteria.")
        return wanted


class RedriveFailed(Contract):
    """Failed runs to try again, each with the payload it had."""

    filter: FailureSelection
    fresh: bool = Field(
        default=False, description="Begin anew, instead of at the runs' last checkpoints."
    )
    note: _Note | None = Field(default=None, description="For readers of the record.")


class Discard(Contract):
    """Reason to discard a dead letter."""

    note: _Note | None = Field(default=None, description="For readers of the record.")


class Redrive(Contract):
    """Changes for a run that is tried again."""

    payload: Any = Field(
        default=None,
        description=(
            "For this run alone, instead of the payload it had: any JSON up to 256 KB; null: none."
        ),
    )
    fresh: bool = Field(
        default=False, description="Begin anew, instead of at the run's last checkpoint."
    )
    note: _Note | None = Field(default=None, description="For readers of the record.")

    def correction(self, payload: str | None) -> str | Unset | None:
        """Return the corrected payload as JSON text; ``UNSET``: it stays as it is."""
        return payload if "payload" in self.model_fields_set else UNSET


class DiscardMany(Discard):
    """Dead letters to let rest."""

    filter: LetterSelection

    def to_domain(self) -> Settlement:
        """Return the use case's argument; may raise ``InvalidInput``."""
        letters, runs = self.filter.to_domain()
        return Settlement(letters=letters, runs=runs, note=self.note)


class RedriveMany(Redrive):
    """Runs to try again."""

    filter: LetterSelection

    def to_domain(self, payload: Payload | None) -> Settlement:
        """Return the use case's argument; may raise ``InvalidInput``."""
        letters, runs = self.filter.to_domain()
        return Settlement(
            letters=letters, runs=runs, payload=payload, fresh=self.fresh, note=self.note
        )


def _filter(asked: DeadLettersQuery | LetterSelection) -> DeadLetterFilter:
    if asked.start is not None and asked.end is not None and asked.end < asked.start:
        raise InvalidInput("to", "range_reversed", "It is earlier than from.")
    return DeadLetterFilter(
        job_id=JobId(asked.job_id) if asked.job_id is not None else None,
        reason=asked.reason,
        error_code=asked.error_code,
        start=asked.start,
        end=asked.end,
    )


def _run(text: str) -> RunId:
    try:
        return RunId.parse(text)
    except RunNotFound as error:
        raise InvalidInput("filter.run_ids", "invalid_format", f"{text} is no run's id.") from error
