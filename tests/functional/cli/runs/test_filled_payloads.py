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


def test_an_instant_to_come_shows_what_its_run_would_send(
    timegate: Timegate, served: World
) -> None:
    """With and without ``--at``."""
    job_id = timegate(*MARKED, "--cron", "0 9 * * *").json["job_id"]
    at = ("--at", "2026-11-21T09:00:00Z")
    answers = [timegate("jobs", "explain", job_id, *at, "--filled").out]
    answers += [timegate("jobs", "explain", job_id, "--filled").out]

    assert all(FILLED in out for out in answers)
    assert FILLED not in timegate("jobs", "explain", job_id, *at).out


def test_a_preview_shows_both_payloads(timegate: Timegate, served: World) -> None:
    """First runs decide; one is shown where the change leaves it as it is."""
    job_id = timegate(*MARKED, "--cron", "0 9 * * *").json["job_id"]
    update = ("jobs", "update", job_id, "--preview", "--filled")
    changed = " ".join(timegate(*update, "--payload", '"{{month}}"').out.split())
    same = " ".join(timegate(*update, "--name", "other").out.split())

    assert f'{FILLED} → "2026-11"' in changed
    assert f"payload {FILLED}" in same
    assert "→" not in same.partition("payload ")[2]
    refused = timegate("jobs", "update", job_id, "--name", "x", "--filled")
    assert "--filled go with --preview" in refused.err
