"""``--filled``: payloads of runs with their marks filled, in front of the real API."""

from collections.abc import Callable

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.world import World

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]
MADE = ("jobs", "create", "--name", "close", "--webhook", "https://example.com/x")
MARKED = (*MADE, "--payload", '{"day": "{{date}}"}', "--payload-marks", "--json")
FILLED = '{"day": "2026-11-21"}'


def test_a_run_shows_what_its_target_gets_of_its_jobs_payload(
    timegate: Timegate, served: World
) -> None:
    """Unasked, its row has no payload of its own."""
    job_id = timegate(*MARKED, "--manual").json["job_id"]
    run_id = timegate("jobs", "trigger", job_id, "--json").json["run_id"]

    assert FILLED in timegate("runs", "get", run_id, "--filled").out
    assert "{{date}}" not in timegate("runs", "get", run_id).out
    assert FILLED not in timegate("runs", "get", run_id).out
