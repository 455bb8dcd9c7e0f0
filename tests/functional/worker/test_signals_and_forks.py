"""A worker that is told to stop hears it at once; processes that handlers fork are their own."""

import json
import os
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast

from tests.functional.worker import handlers
from tests.functional.worker.client import FakeClient, task_of
from timegate.client import TimegateClient
from timegate.worker.holding import Hold
from timegate.worker.outcomes import Done
from timegate.worker.runners import ProcessRunner

#: The main thread waits for an answer and receives no signal, as when the kernel has given both to
#: other threads. The answer comes once it was told twice.
WAITING = """
import signal, socket
from timegate.worker.signals import SIGNALS, heard

answer, answering = socket.socketpair()
answer.settimeout(10)
told = []

def tell():
    told.append(signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL)
    if len(told) == 2:
        answering.send(b"!")

with heard(tell):
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    print("waiting", flush=True)
    answer.recv(1)
print(told, signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, signal.set_wakeup_fd(-1))
"""


def test_two_signals_are_heard_while_the_main_thread_waits() -> None:
    """Each by itself; then everything is as it was."""
    with subprocess.Popen(
        [sys.executable, "-c", WAITING],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as waiting:
        assert waiting.stdout is not None
        assert waiting.stdout.readline() == "waiting\n"
        waiting.send_signal(signal.SIGTERM)
        waiting.send_signal(signal.SIGINT)
        said = waiting.stdout.read()

    assert said == "[True, True] True -1\n"
    assert waiting.returncode == 0


#: A program has a worker for each of its pools, one of them in the main thread.
SEVERAL = """
import signal, threading
from timegate.worker.signals import heard

told, begun = [], threading.Event()
ends = {name: threading.Event() for name in ("main", "beside")}

def stop(name):
    told.append(name)
    ends[name].set()

def work():
    with heard(lambda: stop("beside")):
        begun.set()
        ends["beside"].wait(10)

beside = threading.Thread(target=work)
beside.start()
begun.wait(10)
with heard(lambda: stop("main")):
    signal.raise_signal(signal.SIGTERM)
    ends["main"].wait(10)
    beside.join()
with heard(lambda: stop("main")):
    ends["main"].clear()
    signal.raise_signal(signal.SIGINT)
    ends["main"].wait(10)
print(sorted(told))
"""


def test_each_worker_of_a_process_is_told() -> None:
    """The others worked on until the process was killed; one that has ended is not told."""
    done = subprocess.run(
        [sys.executable, "-c", SEVERAL],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )

    assert done.stdout == "['beside', 'main', 'main']\n"


#: A handler in a thread forks a process and ends it, as ``multiprocessing.Pool`` does.
FORKING = """
import multiprocessing, signal, threading
from timegate.worker.signals import heard

told, ended, forking = [], [], multiprocessing.get_context("fork")

def work():
    begun = forking.Event()
    child = forking.Process(target=lambda: (begun.set(), threading.Event().wait(60)))
    child.start()
    begun.wait(10)
    child.terminate()
    child.join(10)
    ended.append(child.exitcode)
    child.kill()

deadline = threading.Event()

def stop():
    told.append("stop")
    deadline.set()

with heard(stop):
    handler = threading.Thread(target=work)
    handler.start()
    handler.join()
    signal.raise_signal(signal.SIGTERM)
    deadline.wait(10)
print(ended, told)
"""


def test_a_process_that_a_handler_forks_ends_by_its_own_signal() -> None:
    """It ignored the signal, for which the handler waited, and the worker stopped by it."""
    done = subprocess.run(
        [sys.executable, "-c", FORKING],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )

    assert done.stdout == f"[{-signal.SIGTERM}] ['stop']\n"


def test_a_handler_in_a_process_terminates_the_programs_that_it_starts() -> None:
    """A program that is started while signals are ignored would ignore them too."""
    runner = ProcessRunner()
    hold = Hold(cast("TimegateClient", FakeClient()), task_of())
    try:
        outcome = runner.work(handlers.terminates_a_program, hold)
    finally:
        runner.clear()

    assert outcome == Done(result=-signal.SIGTERM)


#: A server such as gunicorn imports a program, which triggers a job, and then forks its workers.
PREFORKED = """
import os
from timegate.worker.declared.triggered_run import default_client

first = default_client()
if os.fork() == 0:
    os._exit(10 if default_client() is first else 11)
print(os.waitstatus_to_exitcode(os.wait()[1]), default_client() is first)
"""


def test_a_forked_process_has_a_client_of_its_own() -> None:
    """Two processes on one connection would read each other's answers."""
    access = {"TIMEGATE_API_URL": "https://api.example.com", "TIMEGATE_TOKEN": "t"}
    done = subprocess.run(
        [sys.executable, "-c", PREFORKED],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **access, "PYTHONPATH": os.pathsep.join(sys.path)},
    )

    assert done.stdout == "11 True\n"


#: A client has a connection open when its process forks. Each process then calls, as the server
#: answers: the answers of one connection are in the order of its calls.
FORKED = """
import os, sys
from timegate.client import FixedToken, Profile, TimegateClient

client = TimegateClient(Profile(api_url=sys.argv[1], credentials=FixedToken(token="t")))
client.get_run("first")
child = os.fork()
calls = 1 if child == 0 else 2
print(*(client.get_run(f"{calls}-{n}")["connection"] for n in range(calls)), flush=True)
if child == 0:
    os._exit(0)
os.waitpid(child, 0)
"""


def test_a_forked_process_opens_connections_of_its_own() -> None:
    """On one connection, each read the other's answers."""
    accepted: list[int] = []

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            accepted.append(len(accepted) + 1)
            self.number = accepted[-1]
            super().setup()

        def do_GET(self) -> None:
            body = json.dumps({"connection": self.number}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep the test's output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        done = subprocess.run(
            [sys.executable, "-c", FORKED, f"http://127.0.0.1:{server.server_port}"],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NO_PROXY": "127.0.0.1"},
        )
        server.shutdown()

    assert sorted(done.stdout.splitlines()) == ["1 1", "2"]
