"""Callers see where a job would call, and in which regions it may."""

from typing import Any

import pytest

from tests.support.api import Api

FUNCTION = "arn:aws:lambda:{}:{}:function:timegate-target-report"
MACHINE = "arn:aws:states:{}:{}:stateMachine:timegate-target-report"
OWN_ACCOUNT = "111122223333"
FOREIGN_ACCOUNT = "999999999999"


def job(action: dict[str, Any]) -> dict[str, Any]:
    """Return a job with an action."""
    return {"name": "a", "schedule": {"kind": "manual"}, "action": action}


def function(region: str, account: str = OWN_ACCOUNT) -> dict[str, Any]:
    """Return an action that invokes a function of a place."""
    return job({"type": "lambda", "function_arn": FUNCTION.format(region, account)})


@pytest.mark.parametrize("region", ["eu-central-1", "us-east-1"])
@pytest.mark.parametrize("account", [OWN_ACCOUNT, FOREIGN_ACCOUNT])
def test_a_validation_says_where_a_job_would_call(api: Api, region: str, account: str) -> None:
    """In the place of the target's ARN, whichever the stage's is."""
    found = api.send("POST", "/v1/jobs/validate", function(region, account)).body

    assert found["valid"]
    assert found["target_place"] == {"region": region, "account": account}


def test_a_validation_names_no_place_of_a_web_hook(api: Api) -> None:
    """Nor that of a job which is refused."""
    web = job({"type": "webhook", "url": "https://93.184.216.34/"})
    called = api.send("POST", "/v1/jobs/validate", web).body
    refused = api.send("POST", "/v1/jobs/validate", function("us-west-2")).body

    assert (called["valid"], called["target_place"]) == (True, None)
    assert (refused["valid"], refused["target_place"]) == (False, None)
    assert [each["code"] for each in refused["errors"]] == ["region_not_allowed"]


@pytest.mark.parametrize(
    ("action", "field", "code"),
    [
        (
            {"type": "lambda", "function_arn": FUNCTION.format("us-west-2", OWN_ACCOUNT)},
            "action.function_arn",
            "region_not_allowed",
        ),
        (
            {"type": "stepfunctions", "state_machine_arn": MACHINE.format("us-east-1", "9" * 12)},
            "action.state_machine_arn",
            "account_not_reachable",
        ),
        (
            {
                "type": "sqs",
                "queue_url": f"https://sqs.us-gov-west-1.amazonaws.com/{OWN_ACCOUNT}/timegate-target-q",
            },
            "action.queue_url",
            "partition_mismatch",
        ),
    ],
)
def test_a_job_is_refused_that_could_never_be_called(
    api: Api, action: dict[str, Any], field: str, code: str
) -> None:
    """Creation and change refuse it alike."""
    created = api.send("POST", "/v1/jobs", job(action))
    stored = api.send("POST", "/v1/jobs", function("us-east-1")).body
    changed = api.send("PATCH", f"/v1/jobs/{stored['job_id']}", {"action": action})

    for answer in (created, changed):
        assert answer.status == 400
        assert [(each["field"], each["code"]) for each in answer.body["errors"]] == [(field, code)]


def test_a_tenant_sees_the_regions_of_its_targets(api: Api) -> None:
    """The stage's own comes first."""
    assert api.send("GET", "/v1/tenant").body["target_regions"] == [
        "eu-central-1",
        "eu-west-1",
        "us-east-1",
    ]
