"""Compare the client of web hooks with urllib3 on loopback: calls per second and CPU per call.

    {"kept": {"timegate": {"calls_per_second": 9000, "cpu_us": 98}, …, "cpu_ratio": 0.78}, …}

``kept`` uses one connection for all calls, ``fresh`` opens one for each. The target runs in a
process of its own. Import times are of a fresh interpreter, in milliseconds.

    python -m bench.web_hooks [CALLS] > bench/results/web_hooks.json
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import urllib3

from tests.support.targets.hostile_target import Conversation, answer, hostile_target
from timegate.adapters.targets.http.client import HttpClient
from timegate.adapters.targets.http.deadline import Deadline
from timegate.adapters.targets.http.messages import HttpRequest
from timegate.adapters.targets.http.safe_address import SafeAddresses
from timegate.domain.values.tenant import TenantId

CALLS = 3_000
ROUNDS = 5
BODY = b'{"report": "sales"}'
HEADERS = {"Content-Type": "application/json", "User-Agent": "Timegate", "X-Run": "0" * 26}
IMPORTS = {
    "timegate": "import timegate.adapters.targets.http.client",
    "urllib3": "import urllib3",
}

Call = Callable[[], None]


def serve() -> None:
    """Answer every request until the standard input ends."""

    def behave(conversation: Conversation) -> None:
        closes = b"Connection: close" in conversation.head
        conversation.say(answer(b"ok", "200 OK", *(["Connection: close"] if closes else [])))
        if closes:
            conversation.socket.shutdown(1)

    with hostile_target(behave) as target:
        print(target.port, flush=True)
        sys.stdin.read()


@contextmanager
def target() -> Iterator[int]:
    """Run the target beside this process; give its port."""
    command = [sys.executable, "-m", "bench.web_hooks", "serve"]
    with subprocess.Popen(  # noqa: S603 - this very module
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.stdin.close()


def by_timegate(port: int, headers: dict[str, str]) -> Call:
    """Call as executors do."""
    client = HttpClient(SafeAddresses(private_hosts=("127.0.0.1",)))
    request = HttpRequest(
        tenant=TenantId("acme"),
        scheme="http",
        host="127.0.0.1",
        port=port,
        method="POST",
        target="/hook",
        headers={"Host": f"127.0.0.1:{port}", **headers},
        body=BODY,
    )

    def call() -> None:
        assert client.send(request, Deadline.after(30)).body == b"ok"

    return call


def by_urllib3(port: int, headers: dict[str, str]) -> Call:
    """Call as executors did before."""
    pools = urllib3.PoolManager(num_pools=50, maxsize=10, retries=False)

    def call() -> None:
        pool = pools.connection_from_host("127.0.0.1", port, scheme="http")
        response = pool.urlopen(
            "POST",
            "/hook",
            body=BODY,
            headers=headers,
            redirect=False,
            retries=False,
            preload_content=False,
            timeout=urllib3.Timeout(connect=5, total=30),
        )
        assert b"".join(iter(lambda: response.read1(8192), b"")) == b"ok"
        response.release_conn()

    return call


def measured(call: Call, calls: int) -> dict[str, float]:
    """Time a number of calls, one after the other."""
    call()
    began, cpu_began = time.perf_counter(), time.process_time()
    for _ in range(calls):
        call()
    took, cpu = time.perf_counter() - began, time.process_time() - cpu_began
    return {"calls_per_second": round(calls / took), "cpu_us": round(cpu / calls * 1e6)}


def compared(port: int, headers: dict[str, str], calls: int) -> dict[str, object]:
    """Measure both clients in turns; keep the best round of each."""
    clients = {"timegate": by_timegate(port, headers), "urllib3": by_urllib3(port, headers)}
    rounds = [
        {name: measured(call, calls) for name, call in clients.items()} for _ in range(ROUNDS)
    ]
    best = {name: min((r[name] for r in rounds), key=lambda m: m["cpu_us"]) for name in clients}
    return {**best, "cpu_ratio": round(best["timegate"]["cpu_us"] / best["urllib3"]["cpu_us"], 2)}


def import_ms(statement: str) -> float:
    """Time an import in a fresh interpreter, the best of several."""
    code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
    times = [
        float(subprocess.check_output([sys.executable, "-c", code]))  # noqa: S603 - as above
        for _ in range(ROUNDS)
    ]
    return round(min(times) * 1000, 1)


def main(calls: int) -> dict[str, object]:
    """Measure everything."""
    with target() as port:
        return {
            "kept": compared(port, HEADERS, calls),
            "fresh": compared(port, {**HEADERS, "Connection": "close"}, calls // 3),
            "import_ms": {name: import_ms(statement) for name, statement in IMPORTS.items()},
        }


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        print(json.dumps(main(int(sys.argv[1]) if sys.argv[1:] else CALLS)))
