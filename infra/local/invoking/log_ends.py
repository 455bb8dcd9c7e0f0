"""The end of an invocation's log in the emulator, told by the worker that wrote it.

The emulator takes 5 ms of silence for the end, or 50 ms where nothing was written, and looks each
millisecond. On a busy machine it leaves the last lines, metrics among them, to the next invocation.
"""

import queue
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ministack.core import lambda_runtime  # type: ignore[import-untyped]

#: Written by a worker behind the last line of an invocation: a group separator, which no log has.
_END = "\x1d"
_ANSWER = "        _real_stdout.flush()\n\nrun()"
#: For the end of a log, which is on its way: it is told before the answer.
_TOLD_SECONDS = 5.0
#: For those of other languages, which tell no end.
_UNTOLD_SECONDS = 0.1


def tell_ends_of_logs() -> None:
    """Let workers tell the end of a log before they answer, and wait for no other sign of it."""
    told = f"        sys.stderr.flush(); os.write(2, b'\\x1d\\n')\n{_ANSWER}"
    before: str = lambda_runtime._PYTHON_WORKER_SCRIPT
    if before.count(_ANSWER) != 1:
        raise RuntimeError("The emulator's worker answers in another way than it did.")
    lambda_runtime._PYTHON_WORKER_SCRIPT = before.replace(_ANSWER, told)
    lambda_runtime.Worker._drain_stderr_bounded = _lines_of
    lambda_runtime.Worker._read_stderr = _read_until_death


def _lines_of(worker: Any, **_bounds: float) -> str:
    tells = str(worker.config.get("Runtime", "")).startswith("python")
    return "\n".join(_until_end(worker._stderr_queue, _TOLD_SECONDS if tells else _UNTOLD_SECONDS))


def _read_until_death(worker: Any) -> None:
    """Read a worker's lines, in a thread of its own; its death is the end of its last log."""
    # The worker's next process has another queue.
    lines = worker._stderr_queue
    with suppress(OSError, ValueError):  # The emulator closes it.
        for line in worker._proc.stderr:
            lines.put(line.rstrip("\n"))
    lines.put(_END)


def _until_end(lines: "queue.Queue[str]", seconds: float) -> Iterator[str]:
    deadline = time.monotonic() + seconds
    while True:
        try:
            line = lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return
        if not line.endswith(_END):
            yield line
            continue
        if line != _END:
            yield line.removesuffix(_END)
        return
