"""A handler's process: it works on what it is given, and says how it goes."""

import signal
from collections.abc import Callable
from contextlib import nullcontext
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any

from timegate.value_classes import dataclass
from timegate.worker.context import Context
from timegate.worker.declared.capturing import captured
from timegate.worker.errors import Interrupted, PermanentError
from timegate.worker.outcomes import Interruptible, outcome_of


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


def work_for(work: Connection, control: Connection, captures: bool) -> None:
    """Do one run after the other, until there are none."""
    with captured() if captures else nullcontext():
        _work_for(work, control)


def _work_for(work: Connection, control: Connection) -> None:
    # The process that started this one decides when it stops; a terminal's Ctrl-C reaches both.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    ears = Ears(control)
    Thread(target=ears.listen, daemon=True).start()
    while True:
        try:
            handler, task = work.recv()
        except (EOFError, OSError):
            return
        reporter = ears.reporter = PipeReporter(work)
        context = Context(task, reporter)
        outcome = outcome_of(handler, context, Interruptible(reporter.on_interruption))
        ears.reporter = None
        work.send(outcome)


class PipeReporter:
    """Carries what a handler says to the process that holds its run."""

    def __init__(self, work: Connection) -> None:
        self._work = work
        self._answers: SimpleQueue[Acknowledged | CheckpointRefused | Interrupted] = SimpleQueue()
        self._changing = Lock()
        self._hearing: list[Callable[[], None]] = []
        self._interruption: Interrupted | None = None

    @property
    def interruption(self) -> Interrupted | None:
        """Return the reason for which the handler should stop, if there is one."""
        return self._interruption

    def progress(self, percent: float | None, message: str | None) -> None:
        """Remember it for the next heartbeat."""
        self._work.send(Progressed(percent=percent, message=message))

    def log(self, text: str, level: str) -> None:
        """Keep a line for the run's log."""
        self._work.send(Logged(text=text, level=level))

    def checkpoint(self, value: object) -> None:
        """Store it now; raises ``Interrupted`` or ``PermanentError``."""
        self._work.send(Checkpointed(value=value))
        match self._answers.get():
            case Acknowledged():
                return
            case CheckpointRefused(message=message, code=code):
                raise PermanentError(message, code=code)
            case interruption:
                raise interruption

    def on_interruption(self, hear: Callable[[], None]) -> None:
        """Call this once the handler should stop, or at once if it should already."""
        with self._changing:
            if self._interruption is None:
                self._hearing.append(hear)
                return
        hear()

    def hear(self, said: Acknowledged | CheckpointRefused | Interrupted) -> None:
        """Take a message of the run's holder."""
        if isinstance(said, Interrupted):
            with self._changing:
                self._interruption = said
                hearing, self._hearing = self._hearing, []
            for each in hearing:
                each()
        self._answers.put(said)


class Ears:
    """Hears what the other process says, while the handler works."""

    def __init__(self, control: Connection) -> None:
        self._control = control
        self.reporter: PipeReporter | None = None

    def listen(self) -> None:
        """Until the other process is gone."""
        while True:
            try:
                said = self._control.recv()
            except (EOFError, OSError):
                return
            reporter = self.reporter
            if reporter is not None:
                reporter.hear(said)
