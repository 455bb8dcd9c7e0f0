"""Events count against a tenant's rate by what they fire."""

import pytest

from tests.functional.api.events.test_triggered_by_events import met, put, send
from tests.functional.api.limits.test_quotas import allow
from tests.support.api import Api
from tests.support.event_triggers.triggering import cloud_event
from timegate.domain.limits.request_rate import requests_of_triggers


@pytest.mark.parametrize(
    ("fired", "size", "counted"),
    [(3, 60_000, 0), (4, 100, 1), (100, 100, 25), (100, 60_000, 100), (8, 16_384, 4)],
)
def test_triggers_count_in_fours_and_by_what_each_reads(
    fired: int, size: int, counted: int
) -> None:
    """Triggers of a batch count in fours as well, and bring a payload each."""
    assert requests_of_triggers(fired, size) == counted


def matching(api: Api, triggers: int, *, burst: int) -> None:
    """Let so many triggers match each event, of a tenant whose bucket is full."""
    # A process takes one request at a time of such a rate, and has none left over.
    allow(api, requests_per_second=1, burst=1_000)
    job = api.create()["job_id"]
    for number in range(triggers):
        put(api, f"paid-{number:03}", job)
    allow(api, requests_per_second=1, burst=burst)
    api.world.clock.advance(100)


def test_an_event_has_the_room_of_its_burst(api: Api) -> None:
    """Two for the request, and one for four triggers."""
    matching(api, 7, burst=3)
    answer = send(api, cloud_event())

    assert answer.status == 202
    assert len(met(answer)) == 7


def test_an_event_that_fires_too_many_fires_none_until_there_is_room(api: Api) -> None:
    """It is kept, and the same event fires them all once it is sent again."""
    matching(api, 12, burst=8)
    for _ in range(4):
        api.send("GET", "/v1/jobs")
    refused = send(api, cloud_event())
    api.world.clock.advance(8)
    begun = api.send("GET", "/v1/runs").body["items"]
    again = send(api, cloud_event())

    assert (refused.status, refused.body["code"], begun) == (429, "rate_exceeded", [])
    assert int(refused.headers["retry-after"]) >= 1
    assert (again.status, again.body["repeated"]) == (202, 1)
    assert len(met(again)) == 12
    assert {each["code"] for each in met(again)} == {None}


def test_an_event_of_many_triggers_takes_half_a_burst(api: Api) -> None:
    """However many they are: a whole one would never be left by its own request."""
    matching(api, 40, burst=4)

    assert len(met(send(api, cloud_event()))) == 40


def test_an_event_of_a_batch_is_refused_by_itself(api: Api) -> None:
    """The others are sent on, and the one that is sent again is as well."""
    matching(api, 8, burst=7)
    batch = [cloud_event(id=f"e{number}") for number in range(3)]
    first = send(api, batch).body["items"]
    api.world.clock.advance(8)
    left = [event for event, item in zip(batch, first, strict=True) if item["error"]]
    second = send(api, left).body["items"]

    assert [item["status"] for item in first] == [202, 202, 429]
    assert [item["error"]["code"] for item in first if item["error"]] == ["rate_exceeded"]
    assert [(item["status"], len(item["met"])) for item in second] == [(200, 8)]
