"""Heartbeats over HTTP: one call, one answer, and no exception."""

from http.server import BaseHTTPRequestHandler

import pytest

from tests.unit.adapters.targets.web_hooks.http_target import local_target, reply
from timegate.adapters import heartbeat as module
from timegate.adapters.heartbeat import HttpHeartbeat


def test_a_heartbeat_is_one_get_for_its_group() -> None:
    """The address may lie in a private network: the operator chose it."""
    with local_target() as target:
        failure = HttpHeartbeat(target.url("/ping/stage-{group}?create=1")).beat(8)

    assert failure is None
    (received,) = target.requests
    assert (received.method, received.path) == ("GET", "/ping/stage-8?create=1")
    assert received.headers["Host"] == f"127.0.0.1:{target.port}"


@pytest.mark.parametrize(
    ("status", "is_taken"), [(200, True), (299, True), (300, False), (404, False)]
)
def test_only_a_success_takes_a_heartbeat(status: int, *, is_taken: bool) -> None:
    """A redirect is not followed."""
    with local_target() as target:
        target.script = reply(status)
        failure = HttpHeartbeat(target.url()).beat(0)

    assert failure == (None if is_taken else f"The address answered {status}.")
    assert len(target.requests) == 1


def test_an_address_that_takes_no_connection_is_a_failure_in_words() -> None:
    """Nothing is raised."""
    with local_target() as target:
        url = target.url()
    failure = HttpHeartbeat(url).beat(0)

    assert failure is not None
    assert f"127.0.0.1:{target.port}" in failure


def test_a_silent_address_keeps_a_tick_for_its_deadline_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The answer does not come."""
    monkeypatch.setattr(module, "TIMEOUT_SECONDS", 0.2)
    with local_target() as target:

        def silent(_: BaseHTTPRequestHandler) -> None:
            target.over.wait()

        target.script = silent
        failure = HttpHeartbeat(target.url()).beat(0)
        target.over.set()

    assert failure == f"127.0.0.1:{target.port} did not answer in time."


def test_a_stage_without_an_address_calls_nothing() -> None:
    """It is off by default."""
    assert HttpHeartbeat("").beat(0) is None
