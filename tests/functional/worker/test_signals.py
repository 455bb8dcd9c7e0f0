"""A worker that is told to stop hears it at once."""

import os
import signal
import subprocess
import sys

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
