"""A target that answers as it was told."""

from collections import deque
from threading import Lock

from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.retry import Failure
from timegate.ports.call_runner import TargetFailed

OK = Answer(text="ok")
#: Answer of a target that may call back.
ACCEPTED = Answer(text="", accepted=True)


class MemoryTarget:
    """Remembers its calls; answers ``ok``, or accepts, unless outcomes were laid out."""

    def __init__(self, *outcomes: Answer | Failure) -> None:
        self._lock = Lock()
        self._outcomes = deque(outcomes)
        self.calls: list[Call] = []
        self.stopped: list[Call] = []

    def then(self, *outcomes: Answer | Failure) -> None:
        """Give the outcomes of the next calls, in order; after the last it answers ``ok`` again."""
        with self._lock:
            self._outcomes.extend(outcomes)

    def invoke(self, call: Call) -> Answer:
        """Answer, or raise ``TargetFailed``, as laid out."""
        with self._lock:
            self.calls.append(call)
            usual = OK if call.callback is None else ACCEPTED
            outcome = self._outcomes.popleft() if self._outcomes else usual
        if isinstance(outcome, Failure):
            raise TargetFailed(outcome)
        return outcome

    def stop(self, call: Call) -> None:
        """Remember that it was stopped."""
        with self._lock:
            self.stopped.append(call)
