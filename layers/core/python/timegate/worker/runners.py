"""Runners: where handlers work, in a thread of this process or in a process of their own."""

import multiprocessing
import pickle
import time
from multiprocessing.connection import Connection, wait
from typing import Protocol

from timegate.client import Profile
from timegate.worker.child_process import (
    PATIENCE_SECONDS,
    Acknowledged,
    Checkpointed,
    CheckpointRefused,
    Logged,
    NotStored,
    PipeEnd,
    Progressed,
    work_for,
)
from timegate.worker.context import Context
from timegate.worker.errors import Interrupted, PermanentError
from timegate.worker.handlers import Handler
from timegate.worker.holding import Hold
from timegate.worker.outcomes import Broke, GaveUp, Interruptible, Outcome, outcome_of

#: Between two looks at a run's interruption.
_LOOK_SECONDS = 0.2
#: For a process that has closed its pipe to end.
_ENDING_SECONDS = 1.0


class Runner(Protocol):
    """A place for one run at a time."""

    #: Its own process, if it has one, carries prints and logs into the runs' logs.
    captures: bool
    #: Access of the worker, for jobs that handlers trigger; ``None``: the environment's.
    profile: Profile | None

    def work(self, handler: Handler, hold: Hold) -> Outcome:
        """Let the handler work on the run that is held."""

    def clear(self) -> None:
        """Leave nothing behind: the worker stops."""


class ThreadRunner:
    """The calling thread."""

    captures = False
    profile: Profile | None = None

    def work(self, handler: Handler, hold: Hold) -> Outcome:
        """Let the handler work on the run that is held."""
        context = Context(hold.task, hold, profile=self.profile)
        return outcome_of(handler, context, Interruptible(hold.on_interruption))

    def clear(self) -> None:
        """A thread ends with its process."""


class ProcessRunner:
    """A process that is made when it is needed, and made again when it has died."""

    def __init__(self) -> None:
        self.captures = False
        self.profile: Profile | None = None
        self._process: multiprocessing.process.BaseProcess | None = None
        self._work: Connection | None = None
        self._control: PipeEnd | None = None

    def work(self, handler: Handler, hold: Hold) -> Outcome:
        """Let the handler work in the process; its death is a failure like any other."""
        try:
            return self._work_on(handler, hold)
        except BaseException:
            # It may still work, and the next run is none of its.
            self.clear()
            raise

    def _work_on(self, handler: Handler, hold: Hold) -> Outcome:
        process, work = self._ready()
        try:
            work.send((handler, hold.task))
        except (pickle.PicklingError, AttributeError, TypeError, RecursionError) as error:
            message = f"The handler cannot be handed to a process: {error}"
            return Broke(code="handler_error", type="NotPicklable", message=message)
        except OSError:
            return self._died()
        hold.on_interruption(lambda: self._tell(hold, hold.interruption))
        killed_at: float | None = None
        while killed_at is None or time.monotonic() < killed_at:
            ready = wait([work, process.sentinel], timeout=_LOOK_SECONDS)
            outcome = self._hear(work, hold) if work in ready else None
            if outcome is None and ready == [process.sentinel]:
                outcome = self._died()
            if outcome is not None:
                return outcome
            if killed_at is None and hold.interruption is not None:
                killed_at = time.monotonic() + PATIENCE_SECONDS
        self.clear()
        return GaveUp()

    def _hear(self, work: Connection, hold: Hold) -> Outcome | None:
        """Take a message of the process; ``None``: the handler is still at work."""
        try:
            lease_token, said = work.recv()
        except (EOFError, OSError):
            return self._died()
        if lease_token != hold.task.lease_token:
            # A thread that an earlier handler has left behind.
            return None
        if isinstance(said, Progressed | Checkpointed | Logged):
            self._pass_on(said, hold)
            return None
        outcome: Outcome = said
        return outcome

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
            ours, their_control = spawning.Pipe()
            self._control = PipeEnd(ours)
            self._process = spawning.Process(
                target=work_for,
                args=(theirs, their_control, self.captures, self.profile),
                daemon=True,
            )
            self._process.start()
            # Theirs alone: or their death would not close them.
            theirs.close()
            their_control.close()
        return self._process, self._work

    def _died(self) -> Outcome:
        process, self._process = self._process, None
        if process is not None:
            process.join(_ENDING_SECONDS)
            process.kill()
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
            self._tell(hold, NotStored(why=interruption))
        except PermanentError as error:
            self._tell(hold, CheckpointRefused(message=str(error), code=error.code))
        else:
            self._tell(hold, Acknowledged())

    def _tell(self, hold: Hold, what: object) -> None:
        if self._control is not None:
            self._control.send(hold.task.lease_token, what)
