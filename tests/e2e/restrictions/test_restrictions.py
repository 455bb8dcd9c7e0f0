"""Calendars and freezes on the deployed stack, through the API."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until
from tests.support.documents.ical_files import event, file

ALWAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


def job_of(stack: Stack, recorder: Recorder, name: str, **fields: object) -> dict[str, Any]:
    """A sub-second job, every two seconds unless said otherwise."""
    job: dict[str, object] = {
        "name": name,
        "schedule": {"kind": "rate", "every_seconds": 2},
        "action": {"type": "webhook", "url": recorder.url(name)},
        "precision": "subsecond",
    }
    return stack.create_job(**job | fields)


def freeze(stack: Stack, **fields: object) -> dict[str, Any]:
    """Ask for a freeze."""
    answer = stack.api.post("/v1/freezes", json=fields)
    assert answer.status_code == 201, answer.text
    frozen: dict[str, Any] = answer.json()
    return frozen


def explained(stack: Stack, job: dict[str, Any], at: datetime) -> dict[str, Any]:
    """Return the explanation of a job's instant."""
    answer = stack.api.get(f"/v1/jobs/{job['job_id']}/explain", params={"at": at.isoformat()})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def entries(stack: Stack, job: dict[str, Any]) -> list[dict[str, Any]]:
    """The ledger of a job up to now."""
    span = {"from": job["created_at"], "to": datetime.now(UTC).isoformat(), "limit": "500"}
    answer = stack.api.get(f"/v1/jobs/{job['job_id']}/ledger", params=span)
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()["items"]
    return rows


def reasons(stack: Stack, job: dict[str, Any]) -> list[str | None]:
    """Return the reason of each entry."""
    return [entry["reason"] for entry in entries(stack, job)]


def instant_of(entry: dict[str, Any]) -> datetime:
    """The first instant of a record."""
    return datetime.fromisoformat(entry["instant" if entry["kind"] == "run" else "first"])


def test_an_excluded_instant_does_not_run_and_is_explained(
    stack: Stack, recorder: Recorder
) -> None:
    """A calendar of every day: nothing is called, and the ledger says why.

    The exclusion is decided ahead; a new schedule begins at once.
    """
    put = stack.api.put("/v1/calendars/e2e-always", json={"weekdays": ALWAYS})
    rule = {"calendar": "e2e-always", "mode": "exclude"}
    job = job_of(stack, recorder, "excluded", calendars=[rule])
    wait_until(
        lambda: "excluded" in reasons(stack, job) or None,
        seconds=90,
        what=lambda: entries(stack, job),
    )
    record = next(e for e in entries(stack, job) if e["reason"] == "excluded")
    answer = explained(stack, job, instant_of(record))
    called = len(recorder.requests("excluded"))
    check = stack.api.get("/v1/calendars/e2e-always/check").json()
    patch = {"calendars": [], "schedule": {"kind": "rate", "every_seconds": 3}}
    assert stack.api.patch(f"/v1/jobs/{job['job_id']}", json=patch).status_code == 200
    recorder.wait_for("excluded", 1)

    assert (put.status_code, check["covered"], called) == (200, True, 0)
    assert answer["verdict"] in {"gap", "run"}
    assert answer["explanation"] == "A calendar of the job leaves this out."


def test_a_file_is_imported(stack: Stack) -> None:
    """By the deployed function, in a process of its own, with what its layer brings."""
    rule = "RRULE:FREQ=YEARLY"
    text = file(event("DTSTART;TZID=Europe/Berlin:20201224T180000", "DURATION:PT6H", rule))
    answer = stack.api.post(
        "/v1/calendars/e2e-import/import",
        content=text,
        headers={"Content-Type": "text/calendar; charset=utf-8"},
    )

    assert answer.status_code == 200, answer.text
    assert answer.json()["occurrences"] in {2, 3}
    assert answer.json()["calendar"]["periods"][0]["start"].endswith("-12-24T17:00:00.000Z")


@pytest.mark.parametrize("scope", ["job", "tag"])
def test_a_frozen_job_does_not_run_and_thaws_when_it_is_lifted(
    stack: Stack, recorder: Recorder, scope: str
) -> None:
    """Held instants are recorded as frozen, and the job goes on with later ones."""
    name = f"frozen-{scope}"
    job = job_of(stack, recorder, name, tags={"frozen-by": scope})
    recorder.wait_for(name, 1)
    by = {"kind": "tag", "key": "frozen-by", "value": "tag"}
    if scope == "job":
        by = {"kind": "job", "job_id": job["job_id"]}
    until = datetime.now(UTC) + timedelta(hours=1)
    frozen = freeze(stack, scope=by, ends_at=until.isoformat(), thaw="skip")
    # A run claimed before the freeze still arrives.
    frozen_at = datetime.fromisoformat(frozen["starts_at"]) + timedelta(seconds=1)
    wait_until(
        lambda: "frozen" in reasons(stack, job) or None,
        seconds=60,
        what=lambda: entries(stack, job),
    )
    lifted = stack.api.delete(f"/v1/freezes/{frozen['freeze_id']}").json()
    lifted_at = datetime.fromisoformat(lifted["lifted_at"])
    arrived = wait_until(
        lambda: [r.arrived_at for r in recorder.requests(name) if r.arrived_at > lifted_at] or None,
        seconds=90,
        what=lambda: entries(stack, job),
    )
    between = [
        request.arrived_at
        for request in recorder.requests(name)
        if frozen_at < request.arrived_at < lifted_at
    ]

    assert between == []
    assert (lifted["state"], arrived[0] > lifted_at) == ("lifted", True)
    assert "frozen" in reasons(stack, job)
