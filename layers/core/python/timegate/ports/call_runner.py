"""Targets, and the call runner that calls them."""

from datetime import datetime
from typing import Protocol

from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.retry import Failure
from timegate.domain.values.errors import TimegateError


class TargetFailed(TimegateError):
    """The target refused, broke or did not answer in time."""

    code = "target_failed"

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Target(Protocol):
    """Invokes what a job names."""

    def invoke(self, call: Call) -> Answer:
        """Do the call within its deadline; raises ``TargetFailed``, classified."""

    def stop(self, call: Call) -> None:
        """End what the run's calls began and what goes on without them; raises ``TargetFailed``."""


class Work(Protocol):
    """A call under way."""

    def wait(self, until: datetime) -> bool:
        """Wait for its end until an instant, or until its runner closes; return if it has ended."""

    def answer(self) -> Answer:
        """Return the target's answer, once it has ended; raises ``TargetFailed``."""


class CallRunner(Protocol):
    """Runs calls beside the thread that watches over them."""

    @property
    def closing(self) -> bool:
        """The process is being stopped: what is under way must be let go, and nothing begun."""

    def start(self, call: Call) -> Work:
        """Begin a call; returns at once."""

    def stop(self, call: Call) -> None:
        """Stop the call at its target."""
