"""Settlements of dead letters: caller, instant and changes."""

from datetime import datetime
from enum import StrEnum

from timegate.domain.values.identity import OperationId
from timegate.value_classes import dataclass

#: Characters of a note.
MAX_NOTE = 500


class Settled(StrEnum):
    """Ways to settle a dead letter."""

    #: Its run is tried again, by the next attempt.
    REDRIVEN = "redriven"
    #: An operator looked at it, and it stays as it is.
    DISCARDED = "discarded"


@dataclass(frozen=True, kw_only=True, slots=True)
class AskedAs:
    """Fingerprints that recognise a repeated request: of its key, and of its contents."""

    key: str
    hash: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Resolution:
    """The audit record of a dead letter, kept with the attempt that became one."""

    settled: Settled
    #: Caller of the tenant.
    by: str
    at: datetime
    note: str | None = None
    #: The operation that did it, if it was not asked for this run alone.
    operation: OperationId | None = None
    #: Version of its job under which a redriven run goes on.
    job_version: int | None = None
    #: A redrive gave the run another payload.
    payload_corrected: bool = False
    #: A redriven run begins anew, whatever its checkpoint.
    fresh: bool = False
    #: The request that asked for it, if it is to be known again.
    request: AskedAs | None = None
