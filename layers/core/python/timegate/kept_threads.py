"""Threads that are kept for the next task.

A batch of ten short runs needs a thread for each run and one for each call. To start and join them
took a third of the batch's processor time (docs/decisions/0187-threads-are-kept.md).
"""

from collections.abc import Callable
from concurrent import futures
from concurrent.futures import Executor, Future
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, ParamSpec, TypeVar

Task = Callable[[], object]
Given = ParamSpec("Given")
Outcome = TypeVar("Outcome")


class KeptThreads:
    """Daemon threads, as many as tasks have been under way at once; idle ones wait for the next.

    A task that never ends keeps its thread, and neither another task nor the process from ending.
    """

    def __init__(self) -> None:
        #: One for each idle thread. A list appends and pops in one step of the interpreter.
        self._idle: list[SimpleQueue[Task]] = []

    @property
    def idle(self) -> int:
        """Threads that wait for a task."""
        return len(self._idle)

    def start(self, task: Task) -> None:
        """Begin a task, which must not raise, on an idle thread or on a new one.

        Raises ``RuntimeError`` if the process may have no more threads.
        """
        try:
            idle = self._idle.pop()
        except IndexError:
            Thread(target=self._serve, args=(task,), daemon=True).start()
        else:
            idle.put(task)

    def _serve(self, task: Task) -> None:
        following: SimpleQueue[Task] = SimpleQueue()
        while True:
            task()
            # An idle thread keeps nothing of its last task.
            del task
            self._idle.append(following)
            task = following.get()


#: The process's own.
THREADS = KeptThreads()


class KeptThreadPool(Executor):
    """Tasks of one invocation on kept threads, each begun at once; its block ends after all.

    So a task may wait for tasks that it submits.
    """

    def __init__(self, threads: KeptThreads = THREADS) -> None:
        self._threads = threads
        self._under_way: set[Future[Any]] = set()

    def submit(
        self, act: Callable[Given, Outcome], /, *given: Given.args, **named: Given.kwargs
    ) -> Future[Outcome]:
        """Begin a task; what it raises is raised where its outcome is asked for."""
        future: Future[Outcome] = Future()
        # It has begun: no iterator of outcomes that is given up may cancel it.
        future.set_running_or_notify_cancel()
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        try:
            self._threads.start(partial(_do, future, partial(act, *given, **named)))
        except RuntimeError as error:  # The process may have no more threads.
            future.set_exception(error)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT002 - of the library
        """Wait for all tasks, and for those that they submit; the threads stay."""
        del cancel_futures  # All have begun.
        # One step of the interpreter copies the set, whatever other threads do.
        while wait and (under_way := set(self._under_way)):
            futures.wait(under_way)


def _do(future: Future[Outcome], act: Callable[[], Outcome]) -> None:
    try:
        outcome = act()
    except BaseException as error:  # noqa: BLE001 - raised where the outcome is asked for
        future.set_exception(error)
    else:
        future.set_result(outcome)
