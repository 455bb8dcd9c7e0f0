"""Slow targets against the shipped client: waits for them end, and what they take late arrives."""

import socket
import time

from tests.functional.targets.conftest import open_sockets
from tests.functional.targets.test_hostile_targets import GRACE, LARGE, SECONDS, outcome, told
from tests.support.targets.hostile_target import Conversation, answer, hostile_target
from timegate.adapters.targets.kinds.webhook import WebhookTarget


def test_a_target_that_accepts_no_connection_is_given_up_in_time(webhook: WebhookTarget) -> None:
    """Its list of connections is full: the system repeats the first packet for minutes."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        port = listener.getsockname()[1]
        waiting = [socket.socket() for _ in range(4)]
        for each in waiting:
            each.settimeout(0)
            each.connect_ex(("127.0.0.1", port))
        before, began = open_sockets(), time.monotonic()
        result = outcome(webhook, f"http://127.0.0.1:{port}/hook")
        took = time.monotonic() - began
        left = open_sockets() - before
        for each in waiting:
            each.close()

    assert told(result)[:1] == ("timeout",)
    assert (took < SECONDS + GRACE, left) == (True, set())


def test_a_large_request_waits_for_a_target_that_reads_late(webhook: WebhookTarget) -> None:
    """All of it arrives, though the system's buffers are full for a while."""

    def read_late(conversation: Conversation) -> None:
        conversation.over.wait(0.2)
        while not conversation.socket.recv(1_000_000).endswith(b'"'):
            pass
        conversation.say(answer(b"read"))

    with hostile_target(read_late, reads_bodies=False) as target:
        result = outcome(webhook, target, payload=LARGE, seconds=20)

    assert told(result) == (None, None, "read")
