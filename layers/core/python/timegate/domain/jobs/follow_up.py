"""Follow-ups a job asks for: which jobs run once a run of it has ended, after which ends."""

from collections.abc import Callable, Sequence
from enum import StrEnum

from timegate.domain.jobs.notification import Occasion, with_given_up
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId
from timegate.value_classes import dataclass

#: Each of them triggers a run of its own.
MAX_FOLLOW_UPS = 10
#: A run that was triggered by one that was triggered, and so on, at most so often.
MAX_DEPTH = 16
#: A chain is read job by job before it is accepted.
MAX_CHAINED_JOBS = 100


class Ending(StrEnum):
    """After which ends a job follows: the states a run can end in, or any of them."""

    SUCCEEDED = "succeeded"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"
    SKIPPED = "skipped"
    DEAD_LETTERED = "dead_lettered"
    #: However it ended.
    FINISHED = "finished"


class Given(StrEnum):
    """The payload of a run that was triggered."""

    #: Its own job's.
    OWN = "own"
    #: That of the run that triggered it.
    PARENT = "parent"
    #: How the run ended that triggered it, its result included.
    RESULT = "result"


@dataclass(frozen=True, kw_only=True, slots=True)
class FollowUp:
    """A job of the same tenant that runs after some ends."""

    job_id: JobId
    on: tuple[Ending, ...]
    payload: Given = Given.OWN

    @property
    def occasions(self) -> tuple[Occasion, ...]:
        """The ends it follows, one by one."""
        every = tuple(each for each in Occasion if each.is_end)
        if Ending.FINISHED in self.on:
            return every
        named = with_given_up([each for each in every if each.value in self.on])
        return tuple(each for each in every if each in named)


def check_follow_ups(follow_ups: Sequence[FollowUp], job_id: JobId) -> None:
    """Refuse follow-ups that contradict each other; raises ``InvalidInput`` naming the field."""
    if len(follow_ups) > MAX_FOLLOW_UPS:
        raise InvalidInput("then", "too_long", f"{MAX_FOLLOW_UPS} jobs may follow a job.")
    seen: set[JobId] = set()
    for number, follow_up in enumerate(follow_ups):
        field = f"then.{number}"
        if follow_up.job_id == job_id:
            raise InvalidInput(f"{field}.job_id", "cycle", "A job cannot follow itself.")
        if follow_up.job_id in seen:
            raise InvalidInput(f"{field}.job_id", "repeated", "The job is named twice.")
        seen.add(follow_up.job_id)
        if not follow_up.on:
            raise InvalidInput(f"{field}.on", "required", "It would never follow.")
        if len(set(follow_up.on)) != len(follow_up.on):
            raise InvalidInput(f"{field}.on", "repeated", "An end is given twice.")
        if Ending.FINISHED in follow_up.on and len(follow_up.on) > 1:
            detail = "Every end is finished: the others say nothing beside it."
            raise InvalidInput(f"{field}.on", "without_effect", detail)


def check_chain(
    job_id: JobId,
    follow_ups: Sequence[FollowUp],
    followers_of: Callable[[JobId], Sequence[JobId]],
) -> None:
    """Refuse follow-ups that come round to their beginning, or go on for too long.

    ``followers_of`` reads what follows a job. Raises ``InvalidInput`` naming the jobs on the way.
    """
    lengths: dict[JobId, int] = {}

    def length(job: JobId, path: tuple[JobId, ...]) -> int:
        """Count the jobs that follow one another from here on, this one included."""
        if job in path:
            around = " → ".join([*path[path.index(job) :], job])
            raise InvalidInput(field, "cycle", f"They would trigger each other for ever: {around}.")
        if job not in lengths:
            if len(lengths) >= MAX_CHAINED_JOBS:
                detail = f"More than {MAX_CHAINED_JOBS} jobs would follow one another."
                raise InvalidInput(field, "chain_too_long", detail)
            here = (*path, job)
            if len(here) > MAX_DEPTH + 1:
                detail = f"More than {MAX_DEPTH} jobs would follow one another."
                raise InvalidInput(field, "chain_too_long", detail)
            lengths[job] = 1 + max((length(each, here) for each in followers_of(job)), default=0)
        if len(path) + lengths[job] > MAX_DEPTH + 1:
            detail = f"More than {MAX_DEPTH} jobs would follow one another."
            raise InvalidInput(field, "chain_too_long", detail)
        return lengths[job]

    for number, follow_up in enumerate(follow_ups):
        field = f"then.{number}.job_id"
        length(follow_up.job_id, (job_id,))
