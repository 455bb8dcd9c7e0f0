"""Cron in other dialects, and other spellings of schedules, through the API."""

import pytest

from tests.support.api import Api, new_job

QUARTZ = {"kind": "cron", "cron": "0 0 9 ? * 2", "dialect": "quartz"}


def test_a_job_keeps_its_text_and_dialect(api: Api) -> None:
    """The text is kept as written; a change replaces both."""
    created = api.send("POST", "/v1/jobs", new_job(schedule=QUARTZ)).body
    path = f"/v1/jobs/{created['job_id']}"
    changed = api.send("PATCH", path, {"schedule": QUARTZ | {"dialect": "timegate"}}).body

    assert created["schedule"]["cron"] == "0 0 9 ? * 2"
    assert created["schedule"]["dialect"] == "quartz"
    # Monday, and then Tuesday.
    assert created["next_run_at"] == "2026-11-23T09:00:00.000Z"
    assert changed["next_run_at"] == "2026-11-24T09:00:00.000Z"
    assert api.send("GET", path).body["schedule"]["dialect"] == "timegate"


def test_a_refusal_names_the_dialect(api: Api) -> None:
    """And the field."""
    wrong = QUARTZ | {"cron": "0 0 9 * * *"}
    refused = api.send("POST", "/v1/jobs", new_job(schedule=wrong)).body["errors"]

    assert [(each["field"], each["code"]) for each in refused] == [
        ("schedule.cron", "invalid_cron")
    ]
    assert "Quartz wants ?" in refused[0]["detail"]


def test_a_dialect_is_one_of_four(api: Api) -> None:
    """Others are not guessed."""
    refused = api.send("POST", "/v1/jobs", new_job(schedule=QUARTZ | {"dialect": "spring"})).body

    assert refused["errors"][0]["field"] == "schedule.dialect"
    assert refused["errors"][0]["code"] == "invalid_choice"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("rate(5 minutes)", {"kind": "rate", "every_seconds": 300}),
        ("@every 5m", {"kind": "rate", "every_seconds": 300}),
        ("at(2026-12-01T09:00:00)", {"kind": "at", "at": "2026-12-01T09:00:00.000Z"}),
    ],
)
def test_another_spelling_is_shown_as_its_kind(
    api: Api, text: str, shown: dict[str, object]
) -> None:
    """Creation, change and preview read the spelling alike."""
    schedule = {"kind": "cron", "cron": text}
    created = api.send("POST", "/v1/jobs", new_job(schedule=schedule)).body
    path = f"/v1/jobs/{created['job_id']}"
    api.send("PATCH", path, {"schedule": {"kind": "cron", "cron": "@daily"}})
    changed = api.send("PATCH", path, {"schedule": schedule}).body
    preview = api.send("POST", "/v1/schedules/preview", {"schedule": schedule, "count": 1})

    assert created["schedule"].items() >= shown.items()
    assert changed["schedule"].items() >= shown.items()
    assert preview.status == 200


@pytest.mark.parametrize("path", ["/v1/jobs", "/v1/jobs/validate"])
def test_another_spelling_that_is_wrong_names_its_field(api: Api, path: str) -> None:
    """The refusal is that of any expression."""
    refused = api.send("POST", path, new_job(schedule={"kind": "cron", "cron": "rate(5)"}))

    assert refused.body["errors"][0]["field"] == "schedule.cron"
    assert refused.body["errors"][0]["code"] == "invalid_cron"


def test_in_bulk_only_the_wrong_one_is_refused(api: Api) -> None:
    """A spelling that cannot be read stops no other job."""
    jobs = [new_job(schedule={"kind": "cron", "cron": text}) for text in ("rate(5)", "rate(1 day)")]
    answer = api.send("POST", "/v1/jobs/bulk", {"jobs": jobs})

    assert answer.status == 207
    assert [item["status"] for item in answer.body["items"]] == [400, 201]
    assert [each["field"] for each in answer.body["items"][0]["error"]["errors"]] == [
        "jobs.0.schedule.cron"
    ]
