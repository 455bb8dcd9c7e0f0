"""The calendars that a job names."""

import pytest

from tests.support.api import Api, new_job

RULE = {"calendar": "office", "mode": "exclude", "action": "skip"}


@pytest.fixture
def office(api: Api) -> Api:
    """With two calendars."""
    for name in ("office", "trading"):
        api.send("PUT", f"/v1/calendars/{name}", {"weekdays": ["sun"]})
    return api


def test_a_job_shows_its_calendars(office: Api) -> None:
    """With their defaults; without any, an empty list."""
    rules = [{"calendar": "office"}, {"calendar": "trading", "mode": "only", "action": "defer"}]
    created = office.create(calendars=rules)

    assert created["calendars"] == [RULE, rules[1]]
    assert office.create()["calendars"] == []
    assert office.send("GET", f"/v1/jobs/{created['job_id']}").body["calendars"] == [RULE, rules[1]]


def test_a_change_replaces_a_jobs_calendars(office: Api) -> None:
    """All of them; saying nothing leaves them alone, and saying what is stored changes nothing."""
    path = f"/v1/jobs/{office.create(calendars=[RULE])['job_id']}"
    named = office.send("PATCH", path, {"name": "other"})
    same = office.send("PATCH", path, {"calendars": [RULE]})
    other = office.send("PATCH", path, {"calendars": [RULE | {"mode": "only"}]})
    none = office.send("PATCH", path, {"calendars": []})
    shown = [answer.body["calendars"] for answer in (named, same, other, none)]

    assert shown == [[RULE], [RULE], [RULE | {"mode": "only"}], []]
    assert [answer.body["version"] for answer in (named, same, other, none)] == [2, 2, 3, 4]


@pytest.mark.parametrize("number", [1, 23, -1, -23])
def test_a_job_shows_its_business_day(office: Api, number: int) -> None:
    """And those that have none show none."""
    created = office.create(calendars=[{"calendar": "office", "business_day": number}])

    assert created["calendars"] == [RULE | {"business_day": number}]
    assert office.send("GET", f"/v1/jobs/{created['job_id']}").body["calendars"] == [
        RULE | {"business_day": number}
    ]


UNUSABLE = [
    ([{"calendar": "nowhere"}], ("calendars.0.calendar", "unknown_calendar")),
    ([RULE, {"calendar": "nowhere"}], ("calendars.1.calendar", "unknown_calendar")),
    ([RULE, RULE], ("calendars.1.calendar", "repeated")),
    ([RULE, RULE | {"action": "defer"}], ("calendars.1.calendar", "repeated")),
    ([RULE, RULE | {"mode": "only"}], ("calendars.1.calendar", "contradictory")),
    ([{"calendar": f"c-{n}"} for n in range(6)], ("calendars", "too_long")),
    ([{"calendar": "No Name"}], ("calendars.0.calendar", "invalid_format")),
    ([{"mode": "only"}], ("calendars.0.calendar", "missing")),
    ([RULE | {"business_day": 0}], ("calendars.0.business_day", "out_of_range")),
    ([RULE | {"business_day": 24}], ("calendars.0.business_day", "out_of_range")),
    ([RULE | {"business_day": "3"}], ("calendars.0.business_day", "wrong_type")),
    ([RULE | {"mode": "never"}], ("calendars.0.mode", "invalid_choice")),
    ([RULE | {"action": "wait"}], ("calendars.0.action", "invalid_choice")),
    (["office"], ("calendars.0", "wrong_type")),
    ({"office": "exclude"}, ("calendars", "wrong_type")),
]


@pytest.mark.parametrize(("rules", "refused"), UNUSABLE, ids=str)
def test_calendars_that_no_job_can_follow_are_refused(
    office: Api, rules: object, refused: tuple[str, str]
) -> None:
    """Creation and change refuse alike."""
    path = f"/v1/jobs/{office.create()['job_id']}"
    created = office.send("POST", "/v1/jobs", new_job(calendars=rules))
    changed = office.send("PATCH", path, {"calendars": rules})

    assert (created.status, created.fields) == (400, [refused])
    assert (changed.status, changed.fields) == (400, [refused])


def test_a_job_names_calendars_of_its_own_tenant(office: Api) -> None:
    """Another tenant's does not exist."""
    answer = office.send("POST", "/v1/jobs", new_job(calendars=[RULE]), tenant="globex")

    assert answer.fields == [("calendars.0.calendar", "unknown_calendar")]


def test_a_job_whose_calendar_is_gone_can_still_be_changed(office: Api) -> None:
    """Only a change of its calendars is checked."""
    path = f"/v1/jobs/{office.create(calendars=[RULE])['job_id']}"
    office.send("DELETE", "/v1/calendars/office")
    named = office.send("PATCH", path, {"name": "other", "calendars": [RULE]})
    moved = office.send("PATCH", path, {"calendars": [RULE | {"action": "defer"}]})

    assert named.status == 200
    assert moved.fields == [("calendars.0.calendar", "unknown_calendar")]
