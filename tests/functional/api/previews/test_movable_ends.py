"""Previews of jobs that ``max_runs`` ends: what moves the end, and to where."""

from typing import Any

import pytest

from tests.support.api import Api, new_job

PATH = "/v1/schedules/preview"
DAILY = {"kind": "cron", "cron": "0 9 * * *"}
WEEKENDS = [{"calendar": "weekends"}]


@pytest.fixture
def weekends(api: Api) -> None:
    """A calendar of Saturdays and Sundays."""
    api.send("PUT", "/v1/calendars/weekends", {"weekdays": ["sat", "sun"]})


def end(api: Api, schedule: dict[str, Any], **fields: object) -> Any:  # noqa: ANN401 - as JSON
    """The end that a preview of a schedule shows."""
    answer = api.send("POST", PATH, {"schedule": schedule, **fields})

    assert answer.status == 200, answer.body
    return answer.body["end"]


def created(api: Api, **fields: object) -> str:
    """A job's id."""
    answer = api.send("POST", "/v1/jobs", new_job(**fields))

    assert answer.status == 201, answer.body
    return str(answer.body["job_id"])


def ends(api: Api, job_id: str, changes: dict[str, Any], query: str = "") -> dict[str, Any]:
    """The ends that a preview of an edit shows."""
    answer = api.send("POST", f"/v1/jobs/{job_id}/preview{query}", changes)

    assert answer.status == 200, answer.body
    found: dict[str, Any] = answer.body["end"]
    return found


def test_an_end_says_where_a_place_given_back_moves_it(api: Api) -> None:
    """The instant after the last of three."""
    assert end(api, DAILY | {"max_runs": 3}) == {
        "max_runs": 3,
        "last": "2026-11-23T09:00:00.000Z",
        "left_out": 0,
        "moved_from": None,
        "moves_to": "2026-11-24T09:00:00.000Z",
        "description": "Ends with the run of 2026-11-23T09:00:00.000Z: max_runs is 3. A run that "
        "ends before it begins gives its place back: the end then moves to "
        "2026-11-24T09:00:00.000Z.",
    }


def test_instants_that_are_left_out_have_moved_the_end(api: Api, weekends: None) -> None:
    """Saturday and Sunday take no place; the end moves over the next two as well."""
    shown = end(api, DAILY | {"max_runs": 5}, calendars=WEEKENDS)

    assert shown == {
        "max_runs": 5,
        "last": "2026-11-27T09:00:00.000Z",
        "left_out": 2,
        "moved_from": "2026-11-25T09:00:00.000Z",
        "moves_to": "2026-11-30T09:00:00.000Z",
        "description": "Ends with the run of 2026-11-27T09:00:00.000Z: max_runs is 5. 2 instants "
        "before it do not run and take no place, which moved it from 2026-11-25T09:00:00.000Z. A "
        "run that ends before it begins gives its place back: the end then moves to "
        "2026-11-30T09:00:00.000Z.",
    }


def test_one_instant_that_is_left_out_is_said_in_the_singular(api: Api, weekends: None) -> None:
    """The Sunday alone."""
    start = "2026-11-21T12:00:00Z"
    shown = end(api, DAILY | {"max_runs": 1}, calendars=WEEKENDS, **{"from": start})

    assert " 1 instant before it does not run and takes no place, " in shown["description"]


@pytest.mark.parametrize(
    ("schedule", "count"),
    [
        pytest.param(DAILY, 3, id="no-bound"),
        pytest.param({"kind": "immediate"}, 3, id="runs-once"),
        pytest.param(DAILY | {"max_runs": 4}, 3, id="ends-later-than-shown"),
        pytest.param(
            DAILY | {"max_runs": 3, "ends_at": "2026-11-24T08:59:59Z"}, 3, id="ends-at-is-as-early"
        ),
        pytest.param(
            DAILY | {"max_runs": 3, "ends_at": "2026-11-23T08:59:59Z"}, 3, id="ends-at-is-earlier"
        ),
    ],
)
def test_an_end_that_nothing_moves_is_not_mentioned(
    api: Api, schedule: dict[str, Any], count: int
) -> None:
    """The schedule names no instant after the last place, or the end is not shown."""
    assert end(api, schedule, count=count) is None


def test_an_end_is_shown_from_the_last_place_on(api: Api) -> None:
    """The other side: ``ends_at`` on the next instant, and as many shown as there are places."""
    schedule = DAILY | {"max_runs": 3, "ends_at": "2026-11-24T09:00:00Z"}

    assert end(api, schedule, count=3)["moves_to"] == "2026-11-24T09:00:00.000Z"


def test_an_end_far_from_the_next_run_names_no_instant(api: Api) -> None:
    """A calendar leaves out a year of minutes: a thousand are searched."""
    period = {"start": "2026-11-21T07:02:00Z", "end": "2027-11-21T07:02:00Z"}
    api.send("PUT", "/v1/calendars/year", {"periods": [period]})
    schedule = {"kind": "cron", "cron": "* * * * *", "max_runs": 1}
    shown = end(api, schedule, calendars=[{"calendar": "year"}])

    assert (shown["last"], shown["moves_to"]) == ("2026-11-21T07:01:00.000Z", None)
    assert shown["description"].endswith("the end then moves to the next instant that runs.")


def test_an_edit_says_where_the_end_was_and_where_it_is(api: Api, weekends: None) -> None:
    """Three days, then three working days."""
    job_id = created(api, schedule=DAILY | {"max_runs": 3})
    shown = ends(api, job_id, {"calendars": WEEKENDS})
    before, after = shown["before"], shown["after"]

    assert (before["last"], before["left_out"]) == ("2026-11-23T09:00:00.000Z", 0)
    assert (before["moved_from"], before["moves_to"]) == (None, "2026-11-24T09:00:00.000Z")
    assert (after["last"], after["left_out"]) == ("2026-11-25T09:00:00.000Z", 2)
    assert after["moved_from"] == "2026-11-23T09:00:00.000Z"
    assert after["moves_to"] == "2026-11-26T09:00:00.000Z"


def test_an_edit_of_a_job_without_a_bound_says_nothing(api: Api) -> None:
    """An edit that gives a bound shows the end after it alone."""
    job_id = created(api, schedule=DAILY)
    shown = ends(api, job_id, {"schedule": DAILY | {"max_runs": 2}})

    assert ends(api, job_id, {}) == {"before": None, "after": None}
    assert (shown["before"], shown["after"]["last"]) == (None, "2026-11-22T09:00:00.000Z")


@pytest.mark.parametrize(("days", "is_shown"), [(2, False), (3, True)])
def test_an_end_beyond_the_days_is_not_mentioned(api: Api, days: int, is_shown: bool) -> None:
    """The third day holds the last of three runs; the instant it moves to may lie beyond."""
    job_id = created(api, schedule=DAILY | {"max_runs": 3})
    shown = ends(api, job_id, {}, f"?days={days}")["after"]

    assert (shown is not None) == is_shown
    assert shown is None or shown["moves_to"] == "2026-11-24T09:00:00.000Z"


@pytest.mark.parametrize(("second", "is_shown"), [("23T09:00:00Z", False), ("24T09:00:00Z", True)])
def test_an_edit_whose_schedule_ends_as_early_says_nothing(
    api: Api, second: str, is_shown: bool
) -> None:
    """``ends_at`` on the last instant, and on the one after it."""
    bounds = {"max_runs": 3, "ends_at": f"2026-11-{second}"}
    job_id = created(api, schedule=DAILY | bounds)

    assert (ends(api, job_id, {})["after"] is not None) == is_shown


def test_stored_runs_hold_their_places(api: Api) -> None:
    """Three of five are planned; the end stays where it is, and moves behind it."""
    start = "2026-11-21T07:00:00Z"
    schedule = {"kind": "rate", "every_seconds": 240, "starts_at": start, "max_runs": 5}
    job_id = created(api, schedule=schedule)
    api.world.tick()
    shown = ends(api, job_id, {})["before"]

    assert (shown["last"], shown["left_out"]) == ("2026-11-21T07:20:00.000Z", 0)
    assert shown["moves_to"] == "2026-11-21T07:24:00.000Z"


def test_an_end_within_stored_runs_moves_to_an_instant_without_one(api: Api) -> None:
    """All places are planned: the job is full, and the next instant has no run."""
    start = "2026-11-21T07:00:00Z"
    schedule = {"kind": "rate", "every_seconds": 240, "starts_at": start, "max_runs": 2}
    job_id = created(api, schedule=schedule)
    api.world.tick()
    shown = ends(api, job_id, {})["before"]

    assert (shown["last"], shown["moves_to"]) == (
        "2026-11-21T07:08:00.000Z",
        "2026-11-21T07:12:00.000Z",
    )


def test_a_stored_run_that_the_edit_drops_moves_the_end(api: Api) -> None:
    """The new bound keeps one of three stored minutes, and the end may move to the others."""
    start = "2026-11-21T07:01:00Z"
    schedule = {"kind": "rate", "every_seconds": 60, "starts_at": start, "max_runs": 3}
    job_id = created(api, schedule=schedule)
    api.world.tick()
    shown = ends(api, job_id, {"schedule": schedule | {"max_runs": 1}})

    assert shown["before"]["last"] == "2026-11-21T07:03:00.000Z"
    assert shown["after"]["last"] == "2026-11-21T07:01:00.000Z"
    assert shown["after"]["moves_to"] == "2026-11-21T07:02:00.000Z"


def test_an_end_behind_a_freeze_is_not_known(api: Api) -> None:
    """Places are left when a freeze begins that ends after the days."""
    freeze = {"scope": {"kind": "tenant"}, "starts_at": "2026-11-22T00:00:00Z", "thaw": "skip"}
    api.send("POST", "/v1/freezes", {**freeze, "ends_at": "2026-12-24T00:00:00Z"})
    job_id = created(api, schedule=DAILY | {"max_runs": 3})

    assert ends(api, job_id, {}) == {"before": None, "after": None}


def test_a_paused_job_shows_no_end_unless_it_were_resumed(api: Api) -> None:
    """Nothing of it runs."""
    job_id = created(api, schedule=DAILY | {"max_runs": 3})
    api.send("POST", f"/v1/jobs/{job_id}/pause")

    assert ends(api, job_id, {})["after"] is None
    assert ends(api, job_id, {}, "?resumed=true")["after"]["last"] == "2026-11-23T09:00:00.000Z"


def test_a_job_whose_runs_have_all_begun_shows_no_end(api: Api) -> None:
    """They hold their places for ever."""
    schedule = {"kind": "rate", "every_seconds": 60, "max_runs": 1}
    job_id = created(api, schedule=schedule)
    api.world.tick()
    asked = api.send("POST", f"/v1/jobs/{job_id}/preview", {})
    api.world.clock.advance(60)
    api.world.stream()
    api.world.execute(api.world.receive())

    assert asked.body["end"]["before"] is not None
    assert ends(api, job_id, {"name": "x"}) == {"before": None, "after": None}


def test_a_stored_run_holds_one_place(api: Api) -> None:
    """Two of four instants lie within a day: the end is not among them."""
    job_id = created(api, schedule={"kind": "cron", "cron": "4,8 7 * * *", "max_runs": 4})
    api.world.tick()

    assert ends(api, job_id, {}, "?days=1")["before"] is None
    assert ends(api, job_id, {}, "?days=2")["before"]["last"] == "2026-11-22T07:08:00.000Z"


def test_the_end_of_a_full_job_moves_to_a_run_that_is_stored(api: Api) -> None:
    """An earlier bound planned it; a place that is given back is its."""
    start = "2026-11-21T07:01:00Z"
    schedule = {"kind": "rate", "every_seconds": 60, "starts_at": start, "max_runs": 3}
    job_id = created(api, schedule=schedule)
    api.world.tick()
    api.world.clock.advance(1)
    api.send("PATCH", f"/v1/jobs/{job_id}", {"schedule": schedule | {"max_runs": 1}})
    api.world.tick()
    shown = ends(api, job_id, {})["before"]

    assert (shown["last"], shown["moves_to"]) == (
        "2026-11-21T07:01:00.000Z",
        "2026-11-21T07:02:00.000Z",
    )
