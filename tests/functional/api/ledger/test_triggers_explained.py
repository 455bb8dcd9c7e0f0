"""``GET …/explain`` at an instant of a trigger: the run is named, whatever the schedule says."""

import pytest

from tests.support.api import Api
from timegate.usecases.ledger.tell_of_triggers import MOST_NAMED

AT = "2026-11-21T07:00:00.000Z"
LATER = "2026-11-21T07:00:01.000Z"


@pytest.fixture
def path(api: Api) -> str:
    return f"/v1/jobs/{api.create(schedule={'kind': 'manual'})['job_id']}"


def explained(api: Api, path: str, at: str = AT) -> str:
    return str(api.send("GET", f"{path}/explain?at={at}").body["explanation"])


def test_a_triggered_run_is_named_with_its_state(api: Api, path: str) -> None:
    """A job without a schedule has runs all the same."""
    run_id = api.send("POST", f"{path}/trigger").body["run_id"]
    before = explained(api, path)
    api.world.settle()

    assert before.endswith(f" Triggered runs of this instant: {run_id} (queued).")
    assert explained(api, path).endswith(f"{run_id} (succeeded).")
    assert "Triggered" not in explained(api, path, LATER)


def test_a_delayed_trigger_is_named_at_its_instant(api: Api, path: str) -> None:
    """It is due then, and not at its request."""
    run_id = api.send("POST", f"{path}/trigger", {"delay_seconds": 1}).body["run_id"]

    assert run_id in explained(api, path, LATER)
    assert "Triggered" not in explained(api, path)


@pytest.mark.parametrize(("count", "has_more"), [(MOST_NAMED, False), (MOST_NAMED + 1, True)])
def test_so_many_are_named(api: Api, path: str, count: int, has_more: bool) -> None:
    """The answer says that there are more."""
    api.send("POST", f"{path}/trigger/batch", {"triggers": [{}] * count})
    said = explained(api, path)

    assert said.count("(queued)") == MOST_NAMED
    assert said.endswith("and more.") is has_more


def test_a_run_of_the_schedule_is_the_record_and_no_trigger(api: Api) -> None:
    """It is explained by itself."""
    job = api.create(schedule={"kind": "rate", "every_seconds": 60, "starts_at": AT})

    assert "Triggered" not in explained(api, f"/v1/jobs/{job['job_id']}")
