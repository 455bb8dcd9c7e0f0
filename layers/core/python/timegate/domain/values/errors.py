"""Errors of jobs and runs, and those that errors of other subjects derive from.

TimegateError
├── InvalidInput            a field the caller sent cannot be accepted
├── NotFound
│   ├── JobNotFound
│   │   └── JobBarred       its creator was too slow, or died
│   ├── RunNotFound
│   ├── DeadLetterNotFound
│   ├── OperationNotFound
│   ├── CalendarNotFound
│   └── FreezeNotFound
├── Conflict                the request contradicts what is stored
│   ├── IdempotencyConflict
│   ├── JobIsCancelled
│   ├── JobIsCompleted
│   ├── JobIsPaused
│   ├── JobChanged
│   ├── VersionMismatch
│   │   └── CalendarVersionMismatch
│   ├── TooManyCalendars
│   ├── TooManyFreezes
│   ├── RunIsFinished
│   ├── RunIsUnfinished
│   ├── CheckpointOutdated
│   ├── NotDeadLettered
│   ├── ContinueNotAllowed
│   └── OperationIsFinished
├── Malformed               a message or record that cannot be acted on
│   └── JobDamaged
├── LeaseLost               a worker's claim is no longer its own
│   └── SlotLost            the claim may stand, its slot does not
├── Throttled               the store or a queue refused for load; try again
└── MissingSetting          a function was deployed without a variable it needs
"""


class TimegateError(Exception):
    """Something Timegate refuses or could not do."""

    code = "timegate_error"


class InvalidInput(TimegateError):
    """A field the caller sent cannot be accepted."""

    def __init__(self, field: str, code: str, detail: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field
        self.code = code
        self.detail = detail


class NotFound(TimegateError):
    """The tenant has no such thing."""

    code = "not_found"


class JobNotFound(NotFound):
    """The tenant has no job with this id."""

    code = "job_not_found"

    def __init__(self, job_id: str) -> None:
        super().__init__(f"There is no job {job_id}.")


class JobBarred(JobNotFound):
    """No job will ever have this id: its creator was too slow, or died."""


class RunNotFound(NotFound):
    """The tenant has no run with this id."""

    code = "run_not_found"

    def __init__(self, run_id: str) -> None:
        super().__init__(f"There is no run {run_id}.")


class DeadLetterNotFound(NotFound):
    """The run is no dead letter, or is one no more."""

    code = "dead_letter_not_found"

    def __init__(self, run_id: str, state: str) -> None:
        super().__init__(f"Run {run_id} is no dead letter: it is {state}.")


class OperationNotFound(NotFound):
    """The tenant has no operation with this id."""

    code = "operation_not_found"

    def __init__(self, operation_id: str) -> None:
        super().__init__(f"There is no operation {operation_id}.")


class CalendarNotFound(NotFound):
    """The tenant has no calendar of this name."""

    code = "calendar_not_found"

    def __init__(self, name: str) -> None:
        super().__init__(f"There is no calendar {name}.")


class FreezeNotFound(NotFound):
    """The tenant has no freeze with this id."""

    code = "freeze_not_found"

    def __init__(self, freeze_id: str) -> None:
        super().__init__(f"There is no freeze {freeze_id}.")


class Conflict(TimegateError):
    """The request contradicts what is stored."""

    code = "conflict"


class IdempotencyConflict(Conflict):
    """The idempotency key was used before with another body."""

    code = "idempotency_conflict"

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used before with a different body.")


class JobIsCancelled(Conflict):
    """A cancelled job can be read but no longer changed or run."""

    code = "job_cancelled"

    def __init__(self, job_id: str) -> None:
        super().__init__(f"Job {job_id} is cancelled; create a new one.")


class JobIsCompleted(Conflict):
    """A completed job has no fires left; give it a new schedule to use it again."""

    code = "job_completed"

    def __init__(self, job_id: str) -> None:
        super().__init__(f"Job {job_id} is completed; give it a new schedule to use it again.")


class JobIsPaused(Conflict):
    """A paused job starts no runs of its schedule, not even those of the past."""

    code = "job_paused"

    def __init__(self, job_id: str) -> None:
        super().__init__(f"Job {job_id} is paused; resume it first.")


class JobChanged(Conflict):
    """Another request changed the job in between; read it again and retry."""

    code = "job_changed"

    def __init__(self, job_id: str) -> None:
        super().__init__(f"Job {job_id} was changed meanwhile; read it again and retry.")


class VersionMismatch(Conflict):
    """The caller asked for a version of the job that is not the stored one."""

    code = "version_mismatch"

    def __init__(self, job_id: str, version: int) -> None:
        super().__init__(f"Job {job_id} is at version {version}.")


class CalendarVersionMismatch(VersionMismatch):
    """The caller asked for a version of the calendar that is not the stored one."""

    def __init__(self, name: str, version: int) -> None:
        Conflict.__init__(self, f"Calendar {name} is at version {version}.")


class TooManyCalendars(Conflict):
    """The tenant has as many calendars as it may have."""

    code = "too_many_calendars"

    def __init__(self, limit: int) -> None:
        super().__init__(f"A tenant may have {limit} calendars; delete one that is not used.")


class TooManyFreezes(Conflict):
    """The tenant's number of freezes that have not ended is at its limit."""

    code = "too_many_freezes"

    def __init__(self, limit: int) -> None:
        super().__init__(f"A tenant may have {limit} freezes that have not ended; lift one.")


class RunIsFinished(Conflict):
    """The run has already ended; its outcome never changes."""

    code = "run_finished"

    def __init__(self, run_id: str, state: str) -> None:
        super().__init__(f"Run {run_id} has already ended: {state}.")


class RunIsUnfinished(Conflict):
    """The run is still to be executed, or under way: there is nothing to open again."""

    code = "run_unfinished"

    def __init__(self, run_id: str, state: str) -> None:
        super().__init__(f"Run {run_id} has not ended yet: it is {state}.")


class CheckpointOutdated(Conflict):
    """The run has a later checkpoint already; an earlier one never replaces it."""

    code = "checkpoint_outdated"

    def __init__(self, attempt_id: str, sequence: int) -> None:
        super().__init__(f"{attempt_id} has checkpoint {sequence} already, or a later one.")


class NotDeadLettered(Conflict):
    """The run was not given up, or it is settled: there is nothing to decide."""

    code = "not_dead_lettered"

    def __init__(self, run_id: str, state: str) -> None:
        super().__init__(f"Run {run_id} is no dead letter: it is {state}.")


class ContinueNotAllowed(Conflict):
    """A run is to go on in another slice, and its job allows no long runs."""

    code = "continue_not_allowed"

    def __init__(self, job_id: str) -> None:
        super().__init__(f"Job {job_id} allows no long runs (long_run): its runs have no slices.")


class OperationIsFinished(Conflict):
    """The operation has already ended; what it did stays done."""

    code = "operation_finished"

    def __init__(self, operation_id: str, status: str) -> None:
        super().__init__(f"Operation {operation_id} has already ended: {status}.")


class Malformed(TimegateError):
    """A message or record that no function can act on, now or later."""

    code = "malformed"


class JobDamaged(Malformed):
    """The job is there, and its record cannot be read until an operator has repaired it."""

    code = "job_damaged"

    def __init__(self, job_id: str, reason: str) -> None:
        super().__init__(f"The record of job {job_id} cannot be read; operators must repair it.")
        #: Damage in words: for them, not for callers.
        self.reason = reason


class LeaseLost(TimegateError):
    """The worker's claim has expired or passed to another worker; its outcome is refused."""

    code = "lease_lost"

    def __init__(self, attempt_id: str) -> None:
        super().__init__(f"The lease on {attempt_id} is no longer held.")


class SlotLost(LeaseLost):
    """The claim may still stand, but not the overlap slot it needs: a worker begins it anew."""


class Throttled(TimegateError):
    """The store or a queue refused for load; the same call may succeed later."""

    code = "throttled"


class MissingSetting(TimegateError):
    """A function was deployed without a variable it needs."""

    code = "missing_setting"

    def __init__(self, name: str) -> None:
        super().__init__(f"The environment variable {name} is not set.")
