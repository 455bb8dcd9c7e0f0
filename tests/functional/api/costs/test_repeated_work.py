"""A request finds out once what several steps of it ask for."""

from unittest.mock import patch

import pytest

from tests.support.api import Api, new_job
from timegate.domain.recurrence import fires

NIGHTLY = {"kind": "cron", "cron": "30 2 * * *", "timezone": "Europe/Berlin"}


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Europe/Paris"])
def test_a_creation_walks_its_schedule_once(api: Api, zone: str) -> None:
    """The check, the record and the answer ask for the first instant of the same schedule."""
    walk = fires.fires_after
    with patch.object(fires, "fires_after", side_effect=walk) as walks:
        made = api.send("POST", "/v1/jobs", new_job(schedule={**NIGHTLY, "timezone": zone}))

    assert made.status == 201
    assert walks.call_count == 1
