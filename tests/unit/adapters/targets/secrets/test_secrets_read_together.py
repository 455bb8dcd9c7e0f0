"""Secrets that many runs need at once: AWS is asked once for all of them."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from botocore.exceptions import ClientError

from tests.support.factories import NOW, TENANT
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.secret_reader import SecretReader
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.values.secrets import SecretRef
from timegate.ports.call_runner import TargetFailed

RULES = TargetRules(
    allowed_secrets=("arn:aws:ssm:us-east-1:111122223333:parameter/timegate-target/{tenant}/*",)
)
SECRET = SecretRef(ssm_parameter=f"/timegate-target/{TENANT}/crm")
RUNS = 8


class SlowStore:
    """Parameter Store, which answers when it is told to."""

    def __init__(self) -> None:
        self.asked = 0
        self.released = Event()
        self.code: str | None = None

    def get_parameter(self, **_: object) -> dict[str, Any]:
        self.asked += 1
        self.released.wait(20)
        if self.code is not None:
            raise ClientError({"Error": {"Code": self.code}}, "GetParameter")
        return {"Parameter": {"Value": "key"}}


@pytest.fixture
def store() -> SlowStore:
    return SlowStore()


@pytest.fixture
def reader(store: SlowStore) -> SecretReader:
    client: Any = store
    return SecretReader(lambda _: client, lambda _: client, RULES, MemoryClock(NOW))


def together(reader: SecretReader, store: SlowStore) -> list[Future[str]]:
    """Read a secret for many runs; the store answers once all of them wait."""
    with ThreadPoolExecutor(RUNS) as pool:
        reads = [pool.submit(reader.read, TENANT, SECRET) for _ in range(RUNS)]
        _wait_for(lambda: store.asked == RUNS or _waiting(reader) == RUNS - 1)
        store.released.set()
    return reads


def _waiting(reader: SecretReader) -> int:
    """Count the runs that wait for another one's read."""
    conditions: list[Any] = [vars(each)["_condition"] for each in [*reader._under_way.values()]]
    return sum(len(each._waiters) for each in conditions)


def test_runs_that_begin_together_ask_once(reader: SecretReader, store: SlowStore) -> None:
    """A minute's jobs would meet the limit of the account, and be late or fail by it."""
    reads = together(reader, store)

    assert [each.result() for each in reads] == ["key"] * RUNS
    assert store.asked == 1


def test_runs_that_begin_together_share_a_failure(reader: SecretReader, store: SlowStore) -> None:
    """None asks a throttled service again; the next read does."""
    store.code = "ThrottlingException"
    failures = [each.exception() for each in together(reader, store)]
    asked, store.code = store.asked, None

    assert [type(each) for each in failures] == [TargetFailed] * RUNS
    assert asked == 1
    assert reader.read(TENANT, SECRET) == "key"


def _wait_for(holds: Callable[[], bool]) -> None:
    while not holds():
        Event().wait(0.005)
