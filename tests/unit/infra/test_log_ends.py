"""Workers of the local cloud tell where the log of an invocation ends."""

import io
import json
import queue
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from ministack.core import lambda_runtime  # type: ignore[import-untyped]

from infra.local.invoking.log_ends import tell_ends_of_logs

#: Beside lines of its own, a function leaves the last one without an end.
FUNCTION = """
import sys

def handle(event, context):
    print("printed")
    sys.stderr.write("unended")
    if event["fails"]:
        raise ValueError("broken")
    return "done"
"""


@pytest.fixture(autouse=True)
def _patched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patch the emulator until the end of the test."""
    script = lambda_runtime._PYTHON_WORKER_SCRIPT
    monkeypatch.setattr(lambda_runtime, "_PYTHON_WORKER_SCRIPT", script)
    for name in ("_drain_stderr_bounded", "_read_stderr"):
        monkeypatch.setattr(lambda_runtime.Worker, name, getattr(lambda_runtime.Worker, name))
    tell_ends_of_logs()


def drained(runtime: str, *lines: str) -> tuple[str, list[str]]:
    """The log of an invocation whose worker wrote these lines, and the lines that are left."""
    written: queue.Queue[str] = queue.Queue()
    for line in lines:
        written.put(line)
    worker = SimpleNamespace(config={"Runtime": runtime}, _stderr_queue=written)
    log: str = lambda_runtime.Worker._drain_stderr_bounded(worker)
    return log, list(written.queue)


def test_a_log_has_all_lines_up_to_its_end() -> None:
    """A line that a thread writes later belongs to the next invocation."""
    assert drained("python3.13", "a", "b", "\x1d", "c") == ("a\nb", ["c"])


def test_a_last_line_may_have_no_end() -> None:
    """The end follows it on the same line."""
    assert drained("python3.13", "a", "b\x1d", "c") == ("a\nb", ["c"])


def test_a_worker_of_another_language_tells_no_end() -> None:
    """Its log is what is there after a moment."""
    assert drained("nodejs22.x", "a", "b") == ("a\nb", [])


def test_a_worker_that_dies_keeps_nothing_waiting() -> None:
    """Its log ends with it."""
    worker = SimpleNamespace(
        config={"Runtime": "python3.13"},
        _stderr_queue=queue.Queue(),
        _proc=SimpleNamespace(stderr=io.StringIO("a\nb\n")),
    )

    lambda_runtime.Worker._read_stderr(worker)

    assert list(worker._stderr_queue.queue) == ["a", "b", "\x1d"]


@pytest.mark.parametrize(("fails", "status"), [(False, "ok"), (True, "error")])
def test_a_worker_tells_the_end_before_it_answers(
    tmp_path: Path, *, fails: bool, status: str
) -> None:
    """So the end is on its way whenever an answer is read, of a function that fails as well."""
    (tmp_path / "told.py").write_text(FUNCTION)
    first = {"code_dir": str(tmp_path), "module": "told", "handler": "handle"}
    sent = "".join(f"{json.dumps(each)}\n" for each in (first, {"event": {"fails": fails}}))

    worker = subprocess.run(
        [sys.executable, "-c", lambda_runtime._PYTHON_WORKER_SCRIPT],
        input=sent,
        capture_output=True,
        text=True,
        check=True,
    )

    ready, answer = (json.loads(line) for line in worker.stdout.splitlines())
    assert ready["status"] == "ready"
    assert answer["status"] == status
    assert worker.stderr == "printed\nunended\x1d\n"


def test_a_worker_that_answers_in_another_way_is_not_patched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A later emulator is looked at by a person: without ends each invocation waits for seconds."""
    monkeypatch.setattr(lambda_runtime, "_PYTHON_WORKER_SCRIPT", "run()")

    with pytest.raises(RuntimeError, match="another way"):
        tell_ends_of_logs()
