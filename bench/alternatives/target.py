"""A target in a process of its own: it answers at once, and says when each request arrived."""

import asyncio
import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
_END = b"\r\n\r\n"
_LENGTH = b"content-length:"


class Target:
    """The process, asked over its pipes."""

    def __init__(self, process: "subprocess.Popen[str]", port: int) -> None:
        self._process = process
        self.port = port

    def url(self, path: str) -> str:
        """Return the URL of a path."""
        return f"http://localhost:{self.port}/{path}"

    def arrivals(self, path: str) -> list[float]:
        """Return when each request to a path arrived, in seconds of the clock, sorted."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{path}\n")
        self._process.stdin.flush()
        found: list[float] = json.loads(self._process.stdout.readline())
        return sorted(found)


@contextmanager
def serving() -> Iterator[Target]:
    """Run a target."""
    with subprocess.Popen(
        [sys.executable, "-m", "bench.alternatives.target"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Target(process, int(process.stdout.readline()))
        process.stdin.close()


async def _serve() -> None:
    arrived: dict[str, list[float]] = defaultdict(list)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(_END)
                path = head.split(b" ", 2)[1].decode().strip("/")
                arrived[path].append(time.time())
                await reader.readexactly(_length(head))
                writer.write(_ANSWER)
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer, "localhost", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(arrived[line.strip()]), flush=True)
    server.close()


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(_LENGTH):
            return int(line.removeprefix(_LENGTH))
    return 0


if __name__ == "__main__":
    asyncio.run(_serve())
