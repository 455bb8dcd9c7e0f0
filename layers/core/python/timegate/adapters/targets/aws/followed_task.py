"""Tasks that runs follow: the checkpoint that names one, and the next look at it."""

import json
from datetime import datetime, timedelta

from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.slices import Continuation
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.written_instants import read_instant
from timegate.value_classes import dataclass

#: Between two looks: a task that is young is looked at often, an old one seldom.
_SHORTEST_PAUSE = timedelta(seconds=5)
_LONGEST_PAUSE = timedelta(seconds=60)
_PART_OF_AGE = 10


@dataclass(frozen=True, kw_only=True)
class FollowedTask:
    """The task that a run follows, as its checkpoint names it."""

    task: str
    #: The attempt that started the task, or took it over.
    attempt: int
    since: datetime
    #: The task is stopped then.
    until: datetime

    @classmethod
    def first(cls, call: Call, task: str, now: datetime) -> "FollowedTask":
        """Follow a task from now on, for the time of the call's attempt."""
        return cls(task=task, attempt=call.attempt.number, since=now, until=call.deadline_at)

    def written(self) -> str:
        """Write the checkpoint."""
        told = {"task_arn": self.task, "attempt": self.attempt}
        return json.dumps({**told, "since": rfc3339(self.since), "until": rfc3339(self.until)})

    @classmethod
    def of(cls, call: Call) -> "FollowedTask | None":
        """Read the checkpoint of the slice before; ``None``: this is the first."""
        if call.resume is None or call.resume.checkpoint is None:
            return None
        told = json.loads(call.resume.checkpoint)
        return cls(
            task=told["task_arn"],
            attempt=told["attempt"],
            since=read_instant(told["since"]),
            until=read_instant(told["until"]),
        )


def follow(followed: FollowedTask, now: datetime, status: str | None) -> Answer:
    """Order another look."""
    pause = min(max((now - followed.since) / _PART_OF_AGE, _SHORTEST_PAUSE), _LONGEST_PAUSE)
    left = max(followed.until - now, timedelta(seconds=1))
    continuation = Continuation(
        checkpoint=followed.written(),
        delay_seconds=min(pause, left).total_seconds(),
        message=f"task {status}" if status is not None else None,
    )
    return Answer(text=followed.task, continuation=continuation)
