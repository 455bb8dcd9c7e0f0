"""The worker: it claims runs, gives each a runner and a heartbeat, and says how it ended."""

import logging
import os
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread

from timegate.client import ClientError, Profile, TimegateClient, load_profile
from timegate.worker.claiming import ANSWER_SECONDS, Claimed, ClaimLoop, ClaimUnderWay
from timegate.worker.declared.capturing import captured
from timegate.worker.errors import WorkerStopping
from timegate.worker.handlers import Handler, registered
from timegate.worker.holding import Hold
from timegate.worker.outcomes import GaveUp, Outcome, broke
from timegate.worker.report_outcome import say
from timegate.worker.runners import ProcessRunner, Runner, ThreadRunner
from timegate.worker.signals import heard
from timegate.worker.task import ClaimedRun

logger = logging.getLogger("timegate.worker")

#: Between two looks at whether everything has ended.
_LOOK_SECONDS = 0.1
#: After a claim that was given other runs than it asked for.
_UNASKED_SECONDS = 5.0
#: For a handler that was interrupted to clean up.
_CLEANING_SECONDS = 6.0
#: For the answers to releases. A run whose release is not answered waits for the end of its lease.
_RELEASING_SECONDS = 5.0


class Worker:
    """Works on the runs that one pool offers, as many at once as it has runners.

    ``concurrency`` runs work in threads of this process; with ``processes``, so many work in
    processes of their own instead, and one that crashes takes nothing else with it. Raises
    ``ValueError`` for a worker without a runner.
    """

    def __init__(
        self,
        *,
        pool: str,
        concurrency: int = 1,
        processes: int = 0,
        handlers: Mapping[str, Handler] | None = None,
        name: str | None = None,
        profile: Profile | None = None,
        grace_seconds: float = 30.0,
    ) -> None:
        self.pool = pool
        self.name = name or f"{socket.gethostname()}-{os.getpid()}"
        self._handlers = handlers
        self.profile = profile
        self.grace_seconds = grace_seconds
        self._captures = False
        self._stopping = Event()
        self._hurry = Event()
        #: It was told to stop twice, at whatever time.
        self._insisted = Event()
        if (processes or concurrency) < 1:
            message = "a worker works on one run at a time at least: concurrency or processes"
            raise ValueError(message)
        self._runners: list[Runner] = (
            [ProcessRunner() for _ in range(processes)]
            if processes
            else [ThreadRunner() for _ in range(concurrency)]
        )
        self._free: SimpleQueue[Runner] = SimpleQueue()
        for runner in self._runners:
            self._free.put(runner)
        self._changing = Lock()
        self._holds: dict[str, Hold] = {}
        self._releasing: list[Thread] = []

    def does(self, name: str) -> bool:
        """Tell if it claims runs of the handler of this name."""
        return self._handlers is None or name in self._handlers

    def capture(self) -> None:
        """Carry what handlers print and log into their runs' logs, from the next ``run`` on."""
        self._captures = True
        for runner in self._runners:
            runner.captures = True

    def stop(self) -> None:
        """Claim no more; a second time, wait for nothing either."""
        if self._stopping.is_set():
            self._hurry.set()
            self._insisted.set()
        self._stopping.set()

    def run(self) -> None:
        """Work until ``stop``, or until the process is sent SIGTERM or SIGINT.

        Raises ``ValueError`` without a handler, and ``CredentialsError`` without a profile.
        """
        handlers = dict(self._handlers if self._handlers is not None else registered())
        if not handlers:
            message = "there is no handler: decorate a function with @job"
            raise ValueError(message)
        profile = self.profile or load_profile(os.environ)
        for runner in self._runners:
            runner.profile = self.profile
        capturing = captured() if self._captures else nullcontext()
        with heard(self.stop), TimegateClient(profile) as client, capturing:
            _log("worker_started", pool=self.pool, worker=self.name, handlers=sorted(handlers))
            claims = ClaimLoop(
                client, self.pool, self.name, sorted(handlers), capacity=len(self._runners)
            )
            # Beside the claims: a worker that must stop cannot wait for the answer to one.
            closing = Thread(target=self._close, name="close", daemon=True)
            closing.start()
            try:
                while not self._stopping.is_set():
                    self._claim(claims, handlers, client)
            finally:
                # Also after an error: what is under way ends, or is released.
                self._stopping.set()
                closing.join()
                self._finish(client)
        _log("worker_stopped", pool=self.pool, worker=self.name)

    def _claim(
        self, claims: ClaimLoop, handlers: Mapping[str, Handler], client: TimegateClient
    ) -> None:
        """Fill the runners that are free; wait for one, or for work."""
        free = self._take_runners()
        if not free:
            if claims.is_silent():
                self._asked(claims, client, limit=0)
            self._stopping.wait(_LOOK_SECONDS)
            return
        tasks, pause = self._asked(claims, client, limit=len(free))
        if self._stopping.is_set():
            # Claimed while the signal came.
            self._give_back(client, tasks)
        else:
            unasked = [task for task in tasks if task.handler not in handlers]
            fitting = [task for task in tasks if task.handler in handlers]
            unasked += fitting[len(free) :]
            for task in fitting[: len(free)]:
                self._begin(task, handlers[task.handler], free.pop(), client)
            self._refuse(client, unasked)
        for runner in free:
            self._free.put(runner)
        if not tasks:
            self._stopping.wait(pause)

    def _asked(self, claims: ClaimLoop, client: TimegateClient, *, limit: int) -> Claimed:
        """Claim runs; a worker that must stop leaves a claim that no stage would leave so long.

        A stage that is well hands out runs until the claim ends. These would wait for the end of
        their leases, and are released instead.
        """
        answers_by = time.monotonic() + ANSWER_SECONDS
        claim = ClaimUnderWay(
            lambda: claims.next(limit=limit), lambda tasks: self._give_back(client, tasks)
        )
        while not claim.ends_within(_LOOK_SECONDS):
            is_late = self._stopping.is_set() and time.monotonic() >= answers_by
            if is_late or self._insisted.is_set():
                _log("claim_left", pool=self.pool, worker=self.name)
                break
        return claim.leave()

    def _refuse(self, client: TimegateClient, unasked: Sequence[ClaimedRun]) -> None:
        """Give back runs that no claim of this worker asks for: it goes on with the others."""
        if unasked:
            _log("runs_not_asked_for", runs=[task.run_id for task in unasked])
            self._give_back(client, unasked)
            # The next claim may be given the same.
            self._stopping.wait(_UNASKED_SECONDS)

    def _take_runners(self) -> list[Runner]:
        taken: list[Runner] = []
        while True:
            try:
                taken.append(self._free.get_nowait())
            except Empty:
                return taken

    def _begin(
        self, task: ClaimedRun, handler: Handler, runner: Runner, client: TimegateClient
    ) -> None:
        hold = Hold(client, task)
        with self._changing:
            self._holds[task.lease_token] = hold
        hold.start()
        Thread(
            target=self._work,
            args=(hold, handler, runner, client),
            name=f"work {task.run_id}",
            # One that pays no heed to an interruption must not keep the process alive.
            daemon=True,
        ).start()

    def _work(self, hold: Hold, handler: Handler, runner: Runner, client: TimegateClient) -> None:
        task = hold.task
        told = {"run_id": task.run_id, "handler": task.handler, "fence": task.fence}
        _log("run_started", **told, attempt=task.attempt)
        outcome: Outcome = GaveUp()
        try:
            outcome = _worked(runner, handler, hold)
            if hold.is_over:
                # The worker has stopped and released it: another one may be at work on it.
                _log("outcome_not_recorded", **told, code="released")
            else:
                say(client, task, outcome, hold=hold)
        except ClientError as error:
            _log("outcome_not_recorded", **told, code=error.code)
        finally:
            hold.end()
            with self._changing:
                self._holds.pop(task.lease_token, None)
            self._free.put(runner)
            _log("run_ended", **told, outcome=type(outcome).__name__)

    def _close(self) -> None:
        """Once it must stop: let what is under way end within the grace period, then interrupt."""
        self._stopping.wait()
        _log("worker_stopping", worker=self.name, runs=len(self._holds))
        self._wait(self.grace_seconds, self._holds_nothing)
        self._interrupt()
        self._hurry.clear()

    def _interrupt(self) -> None:
        with self._changing:
            left = list(self._holds.values())
        for hold in left:
            hold.interrupt(WorkerStopping("This worker must stop."))

    def _finish(self, client: TimegateClient) -> None:
        """Let what was interrupted clean up, and release what pays no heed."""
        # Runs may have begun while it was told to stop.
        self._interrupt()
        self._wait(_CLEANING_SECONDS, self._holds_nothing)
        self._give_back(client, self._left())
        self._wait(_RELEASING_SECONDS, self._releases_nothing)
        for runner in self._runners:
            runner.clear()

    def _left(self) -> list[ClaimedRun]:
        """Return runs whose handlers pay no heed; whatever they still do is fenced out."""
        with self._changing:
            left = list(self._holds.values())
        for hold in left:
            hold.end()
        return [hold.task for hold in left]

    def _give_back(self, client: TimegateClient, tasks: Sequence[ClaimedRun]) -> None:
        """Release runs beside each other: one that is not answered keeps none of the others."""
        for task in tasks:
            thread = Thread(
                target=self._release,
                args=(client, task),
                name=f"release {task.run_id}",
                daemon=True,
            )
            self._releasing.append(thread)
            thread.start()

    def _release(self, client: TimegateClient, task: ClaimedRun) -> None:
        """Give a run back; one that cannot be is offered again once its lease is over."""
        try:
            say(client, task, GaveUp())
        except ClientError as error:
            _log("outcome_not_recorded", run_id=task.run_id, code=error.code)

    def _holds_nothing(self) -> bool:
        return not self._holds

    def _releases_nothing(self) -> bool:
        return not any(each.is_alive() for each in self._releasing)

    def _wait(self, seconds: float, is_over: Callable[[], bool]) -> None:
        """Until that is over, or the time is, or its owner is in a hurry."""
        ends_at = time.monotonic() + seconds
        while not is_over() and time.monotonic() < ends_at:
            if self._hurry.wait(_LOOK_SECONDS):
                return


def _worked(runner: Runner, handler: Handler, hold: Hold) -> Outcome:
    """Let a runner work; what it raises itself is a failure of the run, for it is said of none."""
    try:
        return runner.work(handler, hold)
    except Exception as error:
        logger.exception("runner_failed", extra={"fields": {"run_id": hold.task.run_id}})
        return broke(error)


def _log(event: str, **fields: object) -> None:
    logger.info(event, extra={"fields": fields})
