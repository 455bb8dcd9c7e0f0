"""A tenant that is made at run time, and works by its first key."""

from http import HTTPStatus

from tests.crash.services.tables import Item
from tests.crash.services.targets import ARN
from tests.crash.story import Flow, Story

TENANTS_PATH = "/v1/tenants"
_JOB = {
    "name": "job",
    "schedule": {"kind": "immediate"},
    "action": {"type": "lambda", "function_arn": f"{ARN}ok"},
}


def _begin_made(story: Story) -> str:
    """The answer with the key may be lost: then another key is made, and the lost one revoked."""
    story.judges.append(lambda: _has_both_or_neither(story))
    story.expects_job("job")
    body = {"tenant": story.tenant, "quotas": {"jobs": 1}}
    made = story.cloud.request("admin", "POST", TENANTS_PATH, body)
    if made.status == HTTPStatus.CONFLICT:
        assert made.code == "tenant_exists"
        key = _instead_of_the_lost_one(story)
    else:
        key = made.body["key"]["api_key"]
    said = {"Authorization": f"Bearer {key}", "Idempotency_Key": "job"}
    answered = story.cloud.request(story.tenant, "POST", "/key/v1/jobs", _JOB, **said)
    assert answered.status < 400, answered.body
    return str(answered.body["job_id"])


def _instead_of_the_lost_one(story: Story) -> str:
    keys = f"{TENANTS_PATH}/{story.tenant}/keys"
    (lost,) = story.cloud.request("admin", "GET", keys).body["items"]
    revoked = story.cloud.request("admin", "POST", f"{keys}/{lost['key_id']}/revoke")
    assert revoked.body["status"] == "revoked"
    return str(story.cloud.request("admin", "POST", keys).body["api_key"])


def _has_both_or_neither(story: Story) -> None:
    """At every moment: no tenant without its first key, and no key without its tenant."""
    settings = [each for each in story.jobs if _place(each) == ("tenants", story.tenant)]
    first = [
        each for each in story.jobs if _place(each) == (f"{story.tenant}#api-keys", "api-key#00")
    ]
    assert len(settings) == len(first)
    assert all("quotas" in each for each in settings)


def _place(item: Item) -> tuple[str, str]:
    return item["pk"]["S"], item["sk"]["S"]


def _works(story: Story, job_id: str) -> None:
    """Its job ran, and one key is good: of the others no caller has heard."""
    story.assert_succeeded(job_id)
    keys = [each for each in story.jobs if each["pk"]["S"] == f"{story.tenant}#api-keys"]
    assert [each for each in keys if "revoked_at" not in each]


TENANTS = (Flow("tenant at run time", _begin_made, _works, request=1, most=10),)
