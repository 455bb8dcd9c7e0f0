"""Bounds of a process that reads a file: processor time and memory.

The parent ends it by the wall clock as well; a busy machine makes that too late for its neighbours.
"""

import resource
import signal
import sys

#: A process with the packages takes 60 MB, and one that reads the largest file 120 MB.
MAX_MEMORY_BYTES = 512 * 1024 * 1024
#: A small file takes milliseconds once packages are loaded, the largest (512 KB) three seconds.
LEAST_CPU_SECONDS = 1.0
_BYTES_PER_SECOND = 128 * 1024


def cpu_seconds(size: int) -> float:
    """Return the processor seconds that reading a file of this size may take."""
    return LEAST_CPU_SECONDS + size / _BYTES_PER_SECOND


def bind(seconds: float) -> None:
    """Bind this process; it is killed by ``SIGPROF`` when its time is up.

    A limit of processor time has whole seconds only, and stands behind the timer.
    """
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    if sys.platform != "darwin":
        # macOS refuses it to processes that map more already.
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
