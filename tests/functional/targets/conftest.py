"""Counts of what a process holds open."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.factories import NOW
from tests.unit.adapters.targets.web_hooks.web_senders import knowing, private_rules
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.kinds.webhook import WebhookTarget


def open_sockets() -> set[str]:
    """The sockets of this process, by inode."""
    found = set()
    for each in Path("/proc/self/fd").iterdir():
        try:
            found.add(str(each.readlink()))
        except FileNotFoundError:
            continue
    return {name for name in found if name.startswith("socket:")}


@pytest.fixture
def settled() -> Callable[[Callable[[], bool]], bool]:
    """Wait a moment for what ends on other threads."""

    def wait(holds: Callable[[], bool]) -> bool:
        until = time.monotonic() + 5
        while not holds() and time.monotonic() < until:
            threading.Event().wait(0.01)
        return holds()

    return wait


@pytest.fixture
def webhook() -> Iterator[WebhookTarget]:
    """A sender that may reach the targets of these tests."""
    webhook = WebhookTarget(MemoryClock(NOW), knowing(), private_rules("127.0.0.1", "*.test"))
    yield webhook
    webhook.close()
