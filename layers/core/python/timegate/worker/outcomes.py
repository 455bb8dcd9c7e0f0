"""Ends of handlers' work, in a form that one process can hand to another."""

import asyncio
import inspect
import re
import signal
from collections.abc import Callable, Coroutine, Iterator
from threading import current_thread, main_thread
from typing import Any

from timegate.domain.jobs.retry import MAX_RETRY_AFTER_SECONDS
from timegate.value_classes import dataclass
from timegate.worker.context import CURRENT, Context, sendable
from timegate.worker.declared.capturing import say_end
from timegate.worker.declared.coded_job import DeclaredJob
from timegate.worker.declared.shapes import as_json
from timegate.worker.errors import Interrupted, PermanentError, RetryableError
from timegate.worker.handlers import Handler

_CODE = re.compile(r"[a-z][a-z0-9_]{0,63}")
_MAX_MESSAGE = 2000


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """It has a result, which JSON can say."""

    result: Any


@dataclass(frozen=True, kw_only=True, slots=True)
class Broke:
    """It failed."""

    code: str
    type: str
    message: str
    retryable: bool = True
    retry_after_seconds: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class GaveUp:
    """It was interrupted, and has stopped."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Continue:
    """A handler's return value that continues its run in another slice.

    The worker that claims it is given the checkpoint, or the last one without. Its job says for how
    long a run may go on (``long_run``); where it does not, the run has failed.
    """

    checkpoint: Any = None
    delay_seconds: float = 0


Outcome = Done | Broke | GaveUp | Continue


def outcome_of(handler: Handler, context: Context, interrupted: "Interruptible") -> Outcome:
    """Let a handler work; whatever it raises is an outcome, but a person's Ctrl-C.

    Libraries have errors that are no ``Exception``, as a timeout of gevent.
    """
    before = CURRENT.set(context)
    work = handler.work if isinstance(handler, DeclaredJob) else handler
    failure: BaseException | None = None
    try:
        result = _called(work, context, interrupted)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and _hears_ctrl_c():
            raise
        meant = _meant_by(error)
        if isinstance(meant, Interrupted) and context.interrupted:
            # Released otherwise, it would be offered at once, again and again.
            return GaveUp()
        failure = error
        return broke(meant)
    finally:
        say_end(failure)
        CURRENT.reset(before)
    try:
        if isinstance(result, Continue):
            return Continue(
                checkpoint=as_json(result.checkpoint), delay_seconds=as_json(result.delay_seconds)
            )
        return Done(result=as_json(result))
    except Exception as error:  # noqa: BLE001 - of the code of what was returned
        return no_json(error)


def no_json(error: Exception) -> Broke:
    """Return the end of a run whose result no request carries."""
    return Broke(
        code="invalid_result",
        type=type(error).__name__[:128],
        message=f"What the handler returned is no JSON: {_message(error)}"[:_MAX_MESSAGE],
        retryable=False,
    )


def _hears_ctrl_c() -> bool:
    """Tell if Ctrl-C is raised here, as in a test; a worker and its processes leave it alone."""
    takes = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    return takes and current_thread() is main_thread()


def broke(error: BaseException) -> Broke:
    """An error as the retry policy takes it; one that its class made otherwise has no code."""
    code = _attribute(error, "code")
    known = isinstance(error, PermanentError | RetryableError)
    valid = known and isinstance(code, str) and _CODE.fullmatch(code)
    return Broke(
        code=str(code) if valid else "handler_error",
        type=type(error).__name__[:128],
        message=_message(error)[:_MAX_MESSAGE],
        retryable=not isinstance(error, PermanentError),
        retry_after_seconds=(
            _seconds(_attribute(error, "retry_after_seconds"))
            if isinstance(error, RetryableError)
            else None
        ),
    )


def _meant_by(error: BaseException) -> BaseException:
    """Return the error that a group stands for, as a task group raises it; itself otherwise.

    That is its only one, a permanent one, or the interruption that all of its tasks met.
    """
    leaves = [*_leaves(error)]
    permanent = [each for each in leaves if isinstance(each, PermanentError)]
    is_one = len(leaves) == 1 or all(isinstance(each, Interrupted) for each in leaves)
    if permanent:
        return permanent[0]
    return leaves[0] if is_one else error


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _leaves(each)
    else:
        yield error


def _message(error: BaseException) -> str:
    try:
        return sendable(str(error))
    except Exception:  # noqa: BLE001 - of the error's own code
        return "The error has no text."


def _attribute(error: BaseException, name: str) -> object:
    """Return what an error says of itself; ``None``: its class does not, or cannot."""
    try:
        return getattr(error, name, None)
    except Exception:  # noqa: BLE001 - of the error's own code
        return None


def _seconds(asked: object) -> float | None:
    """Return the wait that the API takes: 0 for an instant that has passed, a day at most."""
    if not isinstance(asked, int | float) or asked != asked:  # noqa: PLR0124 - NaN alone
        return None
    return min(max(asked, 0.0), MAX_RETRY_AFTER_SECONDS)


class Interruptible:
    """The signal that tells an async handler to stop."""

    def __init__(self, on_interruption: Callable[[Callable[[], None]], None]) -> None:
        self.on_interruption = on_interruption


def _called(handler: Handler, context: Context, interrupted: Interruptible) -> Any:  # noqa: ANN401
    result = handler(context)
    if inspect.iscoroutine(result):
        return asyncio.run(_supervised(result, context, interrupted))
    return result


async def _supervised(
    work: Coroutine[Any, Any, Any], context: Context, interrupted: Interruptible
) -> Any:  # noqa: ANN401 - any JSON
    """A coroutine hears of an interruption where it waits, as a cancelled task does."""
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)

    def cancel() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(task.cancel)

    interrupted.on_interruption(cancel)
    try:
        return await task
    except asyncio.CancelledError:
        if task.done() and not task.cancelled():
            # It raised what ends a loop, which is raised there as well.
            raise
        context.raise_if_interrupted()
        raise RetryableError("The handler cancelled itself.") from None
