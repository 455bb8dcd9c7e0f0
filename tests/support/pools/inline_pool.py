"""A pool without threads: the order of what is done is always the same, and it costs nothing."""

import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import Self, TypeVar

import pytest

Outcome = TypeVar("Outcome")
Given = TypeVar("Given")


class InlinePool:
    """A pool whose work is done by the thread that hands it in."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def map(self, act: Callable[[Given], Outcome], given: Iterable[Given]) -> Iterator[Outcome]:
        """Do it, one after the other; a failure keeps none of the others from being done."""
        done = [_attempted(partial(act, each)) for each in given]
        return (outcome() for outcome in done)

    def submit(
        self, act: Callable[..., Outcome], *given: object, **named: object
    ) -> Future[Outcome]:
        """Do it now; a failure is raised where its outcome is asked for."""
        future: Future[Outcome] = Future()
        try:
            future.set_result(act(*given, **named))
        except BaseException as error:  # noqa: BLE001 - raised where it is asked for
            future.set_exception(error)
        return future


def _attempted(act: Callable[[], Outcome]) -> Callable[[], Outcome]:
    try:
        outcome = act()
    except BaseException as error:  # noqa: BLE001 - raised where it is asked for
        failed = error

        def fail() -> Outcome:
            raise failed

        return fail
    return lambda: outcome


@contextmanager
def without_pools_of_threads() -> Iterator[None]:
    """Give every use case that is loaded this pool in place of one of the library."""
    with pytest.MonkeyPatch.context() as patch:
        for name, module in [*sys.modules.items()]:
            if name.startswith("timegate.usecases.") and hasattr(module, "ThreadPoolExecutor"):
                patch.setattr(module, "ThreadPoolExecutor", InlinePool)
        yield
