"""Options of retries."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import RETRY, job

Timegate = Callable[..., Outcome]

NAMED = ("jobs", "create", "--name", "report", "--now", "--webhook", "https://example.com")


@pytest.fixture(autouse=True)
def created(api: FakeApi) -> None:
    api.will(ok(job(), 201))


def test_delays_are_listed_one_after_the_other(api: FakeApi, timegate: Timegate) -> None:
    """Without another number of attempts, one more than delays is sent."""
    delays = [part for each in ("10s", "1m", "PT10M", "1.5") for part in ("--retry-delay", each)]
    timegate(*NAMED, *delays)
    alone = api.body
    timegate(*NAMED, *delays, "--max-attempts", "9", "--no-jitter")

    assert alone["retry"] == {"max_attempts": 5, "delays_seconds": [10, 60, 600, 1.5]}
    assert api.body["retry"] == {
        "max_attempts": 9,
        "delays_seconds": [10, 60, 600, 1.5],
        "jitter": False,
    }


def test_a_delay_that_is_none_is_refused_here(api: FakeApi, timegate: Timegate) -> None:
    """Nothing is sent."""
    outcome = timegate(*NAMED, "--retry-delay", "10s,1m")

    assert outcome.code == 2
    assert "'10s,1m' is no duration" in outcome.err
    assert api.calls == []


def test_a_job_shows_the_delays_that_it_lists(api: FakeApi, timegate: Timegate) -> None:
    """In place of the limits of those that are computed."""
    api.will(ok(job(retry={**RETRY, "delays_seconds": [10, 0.5], "jitter": False})))
    outcome = timegate("jobs", "get", job()["job_id"])

    assert "3 attempts, after 10, 0.5 s, without jitter" in outcome.out
