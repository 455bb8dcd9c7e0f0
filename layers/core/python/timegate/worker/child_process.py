"""A handler's process: it works on what it is given, and says how it goes."""

import json
import os
import time
from collections.abc import Callable
from contextlib import nullcontext
from multiprocessing import current_process
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from timegate.client import NotSendable, Profile
from timegate.value_classes import dataclass
from timegate.worker.context import Context
from timegate.worker.declared.capturing import captured
from timegate.worker.declared.triggered_run import triggering_as
from timegate.worker.errors import Interrupted, LeaseLost, PermanentError
from timegate.worker.outcomes import Interruptible, no_json, outcome_of
from timegate.worker.signals import leave_signals

#: A handler that is interrupted and does not stop by then ends with its process.
PATIENCE_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Progressed:
    """Progress of a run."""

    percent: float | None
    message: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkpointed:
    """A checkpoint, to be acknowledged."""

    value: Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Logged:
    """A line for a run's log."""

    text: str
    level: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Acknowledged:
    """The checkpoint is stored."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckpointRefused:
    """The checkpoint cannot be stored."""

    message: str
    code: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NotStored:
    """The checkpoint was not acknowledged before the run's interruption."""

    why: Interrupted


Answered = Acknowledged | CheckpointRefused | NotStored


class PipeEnd:
    """One end of a pipe; threads send through it, each time about one lease."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sending = Lock()

    def send(self, lease_token: str, what: object) -> None:
        """Send a message; one to a process that has ended goes nowhere."""
        try:
            with self._sending:
                self._connection.send((lease_token, what))
        except OSError:
            return


def work_for(
    work: Connection, control: Connection, captures: bool, profile: Profile | None
) -> None:
    """Do one run after the other, until there are none."""
    # A daemonic process may start none, and a handler may: this one ends when its pipe does.
    current_process().daemon = False
    with captured() if captures else nullcontext(), triggering_as(profile):
        _work_for(work, control)


def _work_for(work: Connection, control: Connection) -> None:
    # The process that started this one decides when it stops; a terminal's Ctrl-C reaches both.
    leave_signals()
    ears, line = Ears(control), PipeEnd(work)
    Thread(target=ears.listen, daemon=True).start()
    while True:
        try:
            handler, task = work.recv()
        except (EOFError, OSError):
            return
        reporter = PipeReporter(line, task.lease_token)
        ears.listen_for(reporter)
        context = Context(task, reporter)
        outcome = outcome_of(handler, context, Interruptible(reporter.on_interruption))
        # Threads that the handler has left behind hear it.
        reporter.lose("The run has ended.")
        try:
            line.send(task.lease_token, outcome)
        except (RecursionError, ValueError) as error:
            # JSON may be nested more deeply, and be longer, than what passes a pipe.
            line.send(task.lease_token, no_json(error))


class PipeReporter:
    """Carries what a handler says to the process that holds its run."""

    def __init__(self, line: PipeEnd, lease_token: str) -> None:
        self.lease_token = lease_token
        self._line = line
        self._answers: SimpleQueue[Answered] = SimpleQueue()
        #: One checkpoint at a time: an answer is that of the last.
        self._storing = Lock()
        self._changing = Lock()
        self._hearing: list[Callable[[], None]] = []
        self._interruption: Interrupted | None = None

    @property
    def interruption(self) -> Interrupted | None:
        """Return the reason for which the handler should stop, if there is one."""
        return self._interruption

    def progress(self, percent: float | None, message: str | None) -> None:
        """Remember it for the next heartbeat."""
        self._line.send(self.lease_token, Progressed(percent=percent, message=message))

    def log(self, text: str, level: str) -> None:
        """Keep a line for the run's log."""
        self._line.send(self.lease_token, Logged(text=text, level=level))

    def checkpoint(self, value: object) -> None:
        """Store it now; raises ``Interrupted`` or ``PermanentError``."""
        plain = _as_plain_json(value)
        with self._storing:
            try:
                self._line.send(self.lease_token, Checkpointed(value=plain))
            except (RecursionError, ValueError) as error:
                raise _refused_checkpoint(error) from error
            answer = self._answers.get()
        match answer:
            case Acknowledged():
                return
            case CheckpointRefused(message=message, code=code):
                raise PermanentError(message, code=code)
            case NotStored(why=why):
                # The message of the interruption itself may be on its way.
                self.hear(why)
                raise why

    def on_interruption(self, hear: Callable[[], None]) -> None:
        """Call this once the handler should stop, or at once if it should already."""
        with self._changing:
            if self._interruption is None:
                self._hearing.append(hear)
                return
        hear()

    def hear(self, said: Answered | Interrupted) -> None:
        """Take a message of the run's holder."""
        if not isinstance(said, Interrupted):
            self._answers.put(said)
            return
        with self._changing:
            self._interruption = said
            hearing, self._hearing = self._hearing, []
        for each in hearing:
            each()

    def lose(self, why: str) -> None:
        """Let the handler know that nothing more can be said, and a checkpoint that waits."""
        lost = LeaseLost(why)
        self.hear(lost)
        self.hear(NotStored(why=lost))


def _as_plain_json(value: object) -> object:
    """Return a checkpoint as JSON gives it back: no other value passes a pipe as it is.

    Raises ``PermanentError`` for what JSON cannot say, as the request does in a worker's thread.
    """
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise _refused_checkpoint(error) from error


def _refused_checkpoint(error: Exception) -> PermanentError:
    return PermanentError(NotSendable(str(error)).detail, code="checkpoint_refused")


class Ears:
    """Hears what the other process says, while the handler works."""

    def __init__(self, control: Connection) -> None:
        self._control = control
        self._changing = Lock()
        self._reporter: PipeReporter | None = None
        #: The last message about a lease whose work has not begun here.
        self._early: tuple[str, Any] | None = None

    def listen_for(self, reporter: PipeReporter) -> None:
        """Let a reporter take messages about its lease, and one that came before it."""
        with self._changing:
            self._reporter = reporter
            early, self._early = self._early, None
        if early is not None and early[0] == reporter.lease_token:
            reporter.hear(early[1])

    def listen(self) -> None:
        """Until the other process is gone: then the lease is lost, and this process ends."""
        while True:
            try:
                lease_token, said = self._control.recv()
            except (EOFError, OSError):
                break
            with self._changing:
                reporter = self._reporter
                if reporter is None or reporter.lease_token != lease_token:
                    # Also of a run that has ended: it is none of the next one's.
                    self._early, reporter = (lease_token, said), None
            if reporter is not None:
                reporter.hear(said)
        self._lose()

    def _lose(self) -> None:
        """Interrupt the handler; end the process if it pays no heed, for nothing else would."""
        reporter = self._reporter
        if reporter is not None:
            reporter.lose("The worker's process has ended.")
        time.sleep(PATIENCE_SECONDS)
        os._exit(1)
