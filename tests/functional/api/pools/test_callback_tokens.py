"""The token of a target that calls back: all it needs, and of no use for anything else."""

import base64

import pytest

from tests.support.api import Api
from tests.support.factories import OTHER_TENANT, TENANT
from tests.support.pools.worker_requests import claim, offer
from tests.support.targets.calling_back import WORDS, begin, say, token_of
from timegate.domain.execution.call import Call


def forged(call: Call, **changes: str) -> str:
    """The target's token, saying something else."""
    text = token_of(call)
    said = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().split(".", 5)
    names = ("number", "fence", "claimed_at", "signature", "seconds", "tenant")
    parts = dict(zip(names, said, strict=True)) | changes
    joined = ".".join(part for part in parts.values() if part)
    return base64.urlsafe_b64encode(joined.encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "changes",
    [
        {"tenant": OTHER_TENANT},
        {"tenant": "unheard"},
        {"fence": "2"},
        {"number": "2"},
        {"seconds": "86400"},
        {"signature": "0" * 32},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_token_that_says_something_else_speaks_for_no_run(
    api: Api, changes: dict[str, str]
) -> None:
    """A caller that changes anything in it has none; and hears the same whatever there is."""
    call = begin(api)
    answers = [say(api, word, call, forged(call, **changes), **WORDS[word]) for word in WORDS]

    assert {(answer.status, answer.code) for answer in answers} == {(409, "lease_lost")}
    assert say(api, "heartbeat", call).status == 200


def test_a_call_without_a_token_of_its_own_is_refused(api: Api) -> None:
    """A worker's token, which names no tenant, is none here; nor is text that was never one."""
    call = begin(api)
    offer(api)
    (worker,) = claim(api)
    nameless = forged(call, seconds="", tenant="")
    answers = [
        say(api, "heartbeat", call, token)
        for token in (worker["lease_token"], nameless, "", "x", "ü", "MS4x")
    ]

    assert {(answer.status, answer.code) for answer in answers} == {(401, "unauthenticated")}


def test_a_targets_token_does_not_open_another_tenants_door(api: Api) -> None:
    """Beside a token of an issuer it must name the same tenant."""
    call = begin(api)
    body = {"lease_token": token_of(call)}
    path = f"/v1/runs/{call.attempt.run}/heartbeat"

    assert api.send("POST", path, body, tenant=OTHER_TENANT).code == "lease_lost"
    assert api.send("POST", path, body, tenant=TENANT).status == 200
