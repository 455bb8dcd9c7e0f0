"""Runneres: where handlers work, in a thread of this process or in a process of their own."""

import multiprocessing
import pickle
from multiprocessing.connection import Connection, wait
from threading import Lock
from typing import Protocol

from timegate.worker.child_process import (
    Acknowledged,
    Checkpointed,
    CheckpointRefused,
    Logged,
    Progressed,
    work_for,
)
from timegate.worker.context import Context
from timegate.worker.errors import Interrupted, PermanentError
from timegate.worker.handlers import Handler
from timegate.worker.holding import Hold
from timegate.worker.outcomes import Broke, GaveUp, Interruptible, Outcome, outcome_of

#: A handler that is interrupted and does not stop by then is killed with its process.
PATIENCE_SECONDS = 5.0


class Runner(Protocol):
    """A place for one run at a time."""

    #: Its own process, if it has one, carries prints and logs into the runs' logs.
    captures: bool

    def work(self, handler: Handler, hold: Hold) -> Outcome:
        """Let the handler work on the run that is held."""

    def clear(self) -> None:
        """Leave nothing behind: the worker stops."""


class ThreadRunner:
    """The calling thread."""

    captures = False

    def work(self, handler: Handler, hold: Hold) -> Outcome:
        """Let the handler work on the run that is held."""
        context = Context(hold.task, hold)
        return outcome_of(handler, context, Interruptible(hold.on_interruption))

    def clear(self) -> None:
        """A thread ends with its process."""


class ProcessRunner:
    """A process that is made when it is needed, and made again when it has died."""

    def __init__(self) -> None:
        self.captures = False
        self._process: multiprocessing.process.BaseProcess | None = None
        self._work: Connection | None = None
        self._control: Connection | None = None
        self._telling = Lock()

    def work(self, handler: Handler, hold: Hold) -> Outcome:
        """Let the handler work in the process; its death is a failure like any other."""
        process, work = self._ready()
        try:
            work.send((handler, hold.task))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            message = f"The handler cannot be handed to a process: {error}"
            return Broke(code="handler_error", type="NotPicklable", message=message)
        hold.on_interruption(lambda: self._tell(hold.interruption))
        patience = None
        while True:
            ready = wait([work, process.sentinel], timeout=0.2 if patience is None else patience)
            if work in ready:
                try:
                    said = work.recv()
                except (EOFError, OSError):
                    return self._died()
                if isinstance(said, Progressed | Checkpointed | Logged):
                    self._pass_on(said, hold)
                    continue
                outcome: Outcome = said
                return outcome
            if ready:
                return self._died()
            if patience is not None:
                self.clear()
                return GaveUp()
            patience = PATIENCE_SECONDS if hold.interruption is not None else None

    def clear(self) -> None:
        """Kill the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()

    def _ready(self) -> tuple[multiprocessing.process.BaseProcess, Connection]:
        if self._process is None or not self._process.is_alive() or self._work is None:
            # Not forked: this process has threads, whose locks a fork would copy as they are.
            spawning = multiprocessing.get_context("spawn")
            self._work, theirs = spawning.Pipe()
            self._control, their_control = spawning.Pipe()
            self._process = spawning.Process(
                target=work_for, args=(theirs, their_control, self.captures), daemon=True
            )
            self._process.start()
            # Theirs alone: or their death would not close them.
            theirs.close()
            their_control.close()
        return self._process, self._work

    def _died(self) -> Outcome:
        process, self._process = self._process, None
        if process is not None:
            process.join()
        code = process.exitcode if process is not None else None
        how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        message = f"The process of the handler ended with {how}."
        return Broke(code="worker_crashed", type="ProcessDied", message=message)

    def _pass_on(self, said: Progressed | Checkpointed | Logged, hold: Hold) -> None:
        match said:
            case Progressed():
                hold.progress(said.percent, said.message)
            case Logged():
                hold.log(said.text, said.level)
            case Checkpointed():
                self._store(said, hold)

    def _store(self, said: Checkpointed, hold: Hold) -> None:
        try:
            hold.checkpoint(said.value)
        except Interrupted as interruption:
            self._tell(interruption)
        except PermanentError as error:
            self._tell(CheckpointRefused(message=str(error), code=error.code))
        else:
            self._tell(Acknowledged())

    def _tell(self, what: object) -> None:
        with self._telling:
            try:
                if self._control is not None:
                    self._control.send(what)
            except OSError:
                # It has died, which ``work`` finds out.
                return
