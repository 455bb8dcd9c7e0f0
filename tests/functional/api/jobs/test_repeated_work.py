"""A request finds out once what several steps of it ask for."""

import json
from collections import Counter
from unittest.mock import patch

import pytest

from api.jobs import shown as shown_values
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


def test_a_type_is_looked_at_once_to_be_shown(api: Api) -> None:
    """However many values of it an answer has."""
    api.send("POST", "/v1/jobs", new_job(schedule=NIGHTLY))
    looked: Counter[type] = Counter()
    find = shown_values.is_dataclass

    def watched(kind: type) -> bool:
        looked[kind] += 1
        return find(kind)

    shown_values._way_of.cache_clear()  # noqa: SLF001 - nothing is known of any type
    with patch.object(shown_values, "is_dataclass", watched):
        pages = [api.send("GET", "/v1/jobs") for _ in range(2)]

    assert [json.dumps(page.body) for page in pages] == [json.dumps(pages[0].body)] * 2
    assert looked
    assert set(looked.values()) == {1}
