"""Actors: one works at a time, and one that waits lets the others work."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from threading import Event, Thread
from typing import Any

from aws_lambda_powertools.event_handler.api_gateway import BaseRouter

from api.app import app
from tests.crash.faults import Died, Process

#: A story that hangs is worse than one that fails.
_PATIENCE_SECONDS = 60


@dataclass
class Context:
    """Context that Lambda hands to an invocation."""

    aws_request_id: str
    remaining_ms: int
    function_name: str = "timegate-test-crash"
    memory_limit_in_mb: int = 1024
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:111122223333:function:timegate-test-crash"

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds that it has left."""
        return self.remaining_ms


class Actor:
    """An invocation at work, on a thread of its own."""

    def __init__(self, process: Process, act: Callable[[], Any]) -> None:
        self.process = process
        self.answered: Any = None
        self.error: BaseException | None = None
        self.done = False
        #: When it goes on; ``None`` while it works, and once it is done.
        self.wakes_at: datetime | None = None
        self._act = act
        self._abandoned = False
        self._go = Event()
        self._back = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def begin(self) -> None:
        """Work until it waits or is done."""
        self._hand_over(self._thread.start)

    def resume(self) -> None:
        """Go on; as ``begin``."""
        self.wakes_at = None
        self._hand_over(self._go.set)

    def abandon(self) -> None:
        """Its story is over: it does nothing any more."""
        self._abandoned = True
        self.resume()

    def wait(self, until: datetime) -> None:
        """Called by its own thread: come back then."""
        kept = _Routing()
        self._go.clear()
        self.wakes_at = until
        self._back.set()
        self._go.wait()
        kept.restore()
        if self._abandoned:
            self.process.dead = True
            raise Died

    def _hand_over(self, go: Callable[[], object]) -> None:
        self._back.clear()
        go()
        assert self._back.wait(_PATIENCE_SECONDS), f"{self.process} hangs"

    def _run(self) -> None:
        try:
            self.answered = self._act()
        except BaseException as error:  # noqa: BLE001 - the actor's starter looks at it
            self.error = error
        finally:
            self.done = True
            self._back.set()


class _Routing:
    """Powertools' state per process: here several requests are under way."""

    def __init__(self) -> None:
        self._event = getattr(BaseRouter, "current_event", None)
        self._lambda = getattr(BaseRouter, "lambda_context", None)
        self._context = dict(app.context)

    def restore(self) -> None:
        """Restore the kept state."""
        if self._event is not None:
            BaseRouter.current_event = self._event
        if self._lambda is not None:
            BaseRouter.lambda_context = self._lambda
        app.context.clear()
        app.context.update(self._context)
