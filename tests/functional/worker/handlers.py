"""Handlers of the tests' workers; a child process finds each by its name."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime

from timegate.worker import Context, LeaseLost, PermanentError, RetryableError


def double(context: Context) -> int:
    return 2 * int(context.payload)


async def double_later(context: Context) -> int:
    await asyncio.sleep(0.01)
    return 2 * int(context.payload)


def checkpoints(context: Context) -> object:
    context.checkpoint({"at": 1})
    context.progress(50, "half")
    return context.last_checkpoint


def permanent(context: Context) -> None:
    raise PermanentError("closed", code="books_closed")


def later(context: Context) -> None:
    raise RetryableError("busy", code="books_busy", retry_after_seconds=90)


def terminates_a_program(context: Context) -> int:
    """Start a program that would take a minute, and return how it ended."""
    words = [sys.executable, "-c", "import time; print(flush=True); time.sleep(60)"]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        program.stdout.readline()
        program.terminate()
        try:
            return program.wait(10)
        finally:
            program.kill()


def breaks(context: Context) -> None:
    raise LookupError("no such month")


def no_json(context: Context) -> object:
    return object()


def dies(context: Context) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def exits(context: Context) -> None:
    os._exit(7)


class Timeout(BaseException):
    """An error as gevent has one."""


def times_out(context: Context) -> None:
    raise Timeout("no answer")


async def times_out_later(context: Context) -> None:
    raise Timeout("no answer")


def presses_ctrl_c(context: Context) -> None:
    raise KeyboardInterrupt("as Ctrl-C")


def starts_processes(context: Context) -> list[int]:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.map(abs, [-1, -2])


def until_interrupted(context: Context) -> None:
    while True:
        context.raise_if_interrupted()
        time.sleep(0.01)


async def waits_for_ever(context: Context) -> None:
    await asyncio.sleep(3600)


def heedless(context: Context) -> None:
    time.sleep(3600)


def talkative(context: Context) -> None:
    """Says how it goes."""
    context.log("one of two")
    context.log("two of two", "warning")


def stores_an_instant(context: Context) -> None:
    """A checkpoint that JSON cannot say."""
    context.checkpoint({"at": datetime.now(UTC)})


def stores_a_lock(context: Context) -> None:
    """A checkpoint that no pipe takes either."""
    context.checkpoint({"lock": threading.Lock()})


def pid(context: Context) -> int:
    """Return the number of the process."""
    return os.getpid()


def nested(context: Context) -> object:
    """JSON that is nested more deeply than what passes a pipe."""
    value: object = None
    for _ in range(int(context.payload)):
        value = [value]
    return value


def stores_nested(context: Context) -> None:
    """A checkpoint like that."""
    context.checkpoint(nested(context))


def logs_an_error(context: Context) -> str:
    context.log(LookupError("no such month"))  # type: ignore[arg-type]
    return "logged"


def chatters(context: Context) -> None:
    """Pays no heed, and is never silent."""
    while True:
        context.log("still here")
        time.sleep(0.01)


def leaves_a_thread(context: Context) -> int:
    """Ends before a thread of it does."""
    threading.Thread(target=_reports, args=(context,), daemon=True).start()
    return os.getpid()


def _reports(context: Context) -> None:
    with suppress(LeaseLost):
        while True:
            context.log("of the first")
            context.progress(1)


def goes_on(context: Context) -> int:
    """Speaks, and hears the answers."""
    context.log("of the second")
    for number in range(20):
        context.checkpoint(number)
    context.raise_if_interrupted()
    return os.getpid()
