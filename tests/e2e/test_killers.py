"""Runs whose answers kill the worker, among those of another tenant on the deployed stack."""

import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from threading import Lock, Thread
from typing import Any

import pytest

from tests.support.fault_proxy import QuietServer
from tests.support.killer import holders
from tests.support.stack import Stack, wait_until

KILLERS = 2
NEIGHBOURS = 20
#: Time for everything to be created before anything is due.
DUE_IN = timedelta(seconds=25)
#: Of a killer: a delivery each 20 s, four of them, and the sweeper where the queue cannot tell.
SECONDS = 420


class Deadly:
    """A target that kills the process that calls ``/kill``, and answers any other call."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.calls: Counter[str] = Counter()
        self.killed: set[int] = set()
        self.port = 0

    def url(self, name: str) -> str:
        return f"http://localhost:{self.port}/{name}"

    def called(self, name: str, port: int) -> None:
        with self._lock:
            self.calls[name] += 1
            if name.startswith("kill"):
                self._kill(port)

    def _kill(self, port: int) -> None:
        for pid in set(holders([port]).values()) - {os.getpid()}:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                self.killed.add(pid)


@pytest.fixture
def deadly() -> Iterator[Deadly]:
    target = Deadly()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            target.called(self.path.strip("/"), self.client_address[1])
            with suppress(OSError):
                self.send_response(200)
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"ok")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with QuietServer(Handler) as server:
        target.port = int(server.server_address[1])
        Thread(target=server.serve_forever, daemon=True).start()
        yield target
        server.shutdown()


def create(api: Any, name: str, url: str, due_at: datetime) -> str:  # noqa: ANN401 - an HTTP client
    answer = api.post(
        "/v1/jobs",
        json={
            "name": name,
            "schedule": {"kind": "at", "at": due_at.isoformat()},
            "action": {"type": "webhook", "url": url},
            "priority": "high",
        },
    )
    assert answer.status_code == 201, answer.text
    return str(answer.json()["job_id"])


def ended(api: Any, jobs: list[str]) -> list[dict[str, Any]] | None:  # noqa: ANN401
    """The only run of each, once all have ended."""
    runs = [run for job in jobs for run in api.get(f"/v1/jobs/{job}/runs").json()["items"]]
    done = [run for run in runs if run["state"] not in {"waiting", "queued", "running"}]
    return done if len(done) == len(jobs) else None


def test_only_the_runs_that_kill_are_given_up(
    stack: Stack,
    deadly: Deadly,
    record_property: Any,  # noqa: ANN401 - pytest's own
) -> None:
    """Twenty runs of another tenant in the same batches all succeed."""
    due_at = (datetime.now(UTC) + DUE_IN).replace(microsecond=0)
    killers = [create(stack.api, f"k{n}", deadly.url(f"kill-{n}"), due_at) for n in range(KILLERS)]
    others = [
        create(stack.other_api, f"n{n}", deadly.url(f"ok-{n}"), due_at) for n in range(NEIGHBOURS)
    ]
    spared = wait_until(
        lambda: ended(stack.other_api, others), seconds=SECONDS, pause=3, what=lambda: deadly.calls
    )
    buried = wait_until(
        lambda: ended(stack.api, killers), seconds=SECONDS, pause=3, what=lambda: deadly.calls
    )
    again = sum(deadly.calls[f"ok-{n}"] > 1 for n in range(NEIGHBOURS))
    fences = Counter(run["fence"] for run in spared if "fence" in run)
    numbers = {"workers killed": len(deadly.killed), "called again": again, "fences": dict(fences)}
    record_property("killers", numbers)
    sys.stderr.write(f"{numbers}\n")

    assert Counter(run["state"] for run in spared) == {"succeeded": NEIGHBOURS}
    assert Counter(run["state"] for run in buried) == {"dead_lettered": KILLERS}
    assert {run["reason"] for run in buried} <= {"kills_workers", "poison_message"}
    assert len(deadly.killed) >= 4
