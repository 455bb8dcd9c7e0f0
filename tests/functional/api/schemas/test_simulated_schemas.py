"""Simulations of stored jobs know their schemas."""

from tests.functional.api.schemas.test_payload_schemas import held
from tests.support.api import Api

HOUR = {"from": "2026-11-21T07:00:00Z", "to": "2026-11-21T08:00:00Z"}


def outcomes(api: Api, job_id: str) -> list[str]:
    """The ends of the runs of two triggers, of which the first does not fit."""
    triggers = [
        {"at": f"2026-11-21T07:1{minute}:00Z", "payload": {"rows": rows}}
        for minute, rows in enumerate(["x", 1])
    ]
    body = {"job_id": job_id, **HOUR, "triggers": triggers}
    rows = api.send("POST", "/v1/simulate", body).body["rows"]
    return [row["scheduled_at"][14:16] for row in rows]


def test_a_trigger_of_a_stored_job_is_held_to_its_schema(api: Api) -> None:
    """One whose texts may have marks is not: simulations fill none."""
    plain = held(api, payload={"rows": 1})
    marked = held(api, payload={"rows": 1}, payload_marks={})

    assert outcomes(api, plain) == ["11"]
    assert outcomes(api, marked) == ["10", "11"]
