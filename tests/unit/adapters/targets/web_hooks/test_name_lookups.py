"""Name look-ups that do not end."""

import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.factories import TENANT
from timegate.adapters.targets.http.deadline import Deadline, DeadlinePassed
from timegate.adapters.targets.http.name_lookups import (
    MAX_LOOKUPS,
    MAX_LOOKUPS_PER_TENANT,
    NameLookups,
)
from timegate.domain.values.tenant import TenantId

Info = tuple[int, int, int, str, tuple[str, int]]


class StuckResolver:
    """Answers names that begin with ``stuck`` when it is told to, and all others at once."""

    def __init__(self) -> None:
        self.released = threading.Event()
        self.asked: list[str] = []

    def resolve(self, host: str, port: int, **_: int) -> list[Info]:
        self.asked.append(host)
        if host.startswith("stuck"):
            self.released.wait(20)
        return [(socket.AF_INET, 1, 6, "", ("93.184.215.14", port))]


@pytest.fixture
def resolver(monkeypatch: pytest.MonkeyPatch) -> Iterator[StuckResolver]:
    resolver = StuckResolver()
    monkeypatch.setattr(socket, "getaddrinfo", resolver.resolve)
    yield resolver
    resolver.released.set()
    for thread in _threads():
        thread.join(5)


def _threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "name-lookup"]


def _fail(lookups: NameLookups, tenant: TenantId, host: str) -> None:
    with pytest.raises(DeadlinePassed):
        lookups.addresses(tenant, host, 443, Deadline.after(0.02))


def test_a_look_up_ends_at_the_deadline(resolver: StuckResolver) -> None:
    """Its call goes no further, and its thread ends with the resolver's answer."""
    del resolver
    _fail(NameLookups(), TENANT, "stuck.example.com")

    assert len(_threads()) == 1


def test_a_tenant_has_few_threads(resolver: StuckResolver) -> None:
    """Its further names wait, and those of other tenants do not."""
    lookups = NameLookups()
    for number in range(MAX_LOOKUPS_PER_TENANT + 3):
        _fail(lookups, TENANT, f"stuck-{number}.example.com")
    other = lookups.addresses(TenantId("umbrella"), "quick.example.com", 443, Deadline.after(5))

    assert other == ["93.184.215.14"]
    assert len(resolver.asked) == MAX_LOOKUPS_PER_TENANT + 1


def test_all_tenants_together_have_a_bounded_number_of_threads(resolver: StuckResolver) -> None:
    """However many of them look names up that lead nowhere."""
    lookups = NameLookups()
    for number in range(MAX_LOOKUPS + 3):
        tenant = TenantId(f"tenant-{number}")
        _fail(lookups, tenant, "stuck.example.com")

    assert len(_threads()) == MAX_LOOKUPS
    assert len(resolver.asked) == MAX_LOOKUPS


def test_a_thread_that_ends_makes_room(resolver: StuckResolver) -> None:
    """For the tenant that waited for it."""
    lookups = NameLookups()
    for number in range(MAX_LOOKUPS_PER_TENANT):
        _fail(lookups, TENANT, f"stuck-{number}.example.com")
    resolver.released.set()

    assert lookups.addresses(TENANT, "late.example.com", 443, Deadline.after(5))


def test_calls_that_come_together_share_a_look_up(resolver: StuckResolver) -> None:
    """A batch of runs of one job costs one."""
    lookups = NameLookups()

    def look_up(_: int) -> list[str]:
        return lookups.addresses(TENANT, "stuck.example.com", 443, Deadline.after(10))

    with ThreadPoolExecutor(8) as pool:
        found = [pool.submit(look_up, number) for number in range(8)]
        _wait_for(lambda: bool(resolver.asked))
        resolver.released.set()
        results = {tuple(each.result()) for each in found}

    assert results == {("93.184.215.14",)}
    assert len(resolver.asked) <= 8
    assert lookups.addresses(TENANT, "stuck.example.com", 443, Deadline.after(5))


def test_a_look_up_that_gets_no_thread_takes_no_room(
    resolver: StuckResolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process at its limit of threads fails the call, and looks the name up in the next one."""
    del resolver
    lookups = NameLookups()
    with monkeypatch.context() as full:
        full.setattr(threading.Thread, "start", _refuse)
        for _ in range(MAX_LOOKUPS_PER_TENANT):
            with pytest.raises(RuntimeError, match="new thread"):
                lookups.addresses(TENANT, "quick.example.com", 443, Deadline.after(5))

    assert lookups.addresses(TENANT, "quick.example.com", 443, Deadline.after(5))


def _refuse(_: threading.Thread) -> None:
    message = "can't start new thread"
    raise RuntimeError(message)


def test_an_address_takes_no_thread(
    resolver: StuckResolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address needs no lookup, hence no thread."""
    monkeypatch.setattr(threading, "Thread", None)
    lookups = NameLookups()

    assert lookups.addresses(TENANT, "93.184.215.14", 443, Deadline.after(5))
    assert resolver.asked == ["93.184.215.14"]


def _wait_for(holds: Callable[[], bool]) -> None:
    while not holds():
        threading.Event().wait(0.005)
