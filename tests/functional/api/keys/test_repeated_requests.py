"""Requests that make API keys, and come again because an answer was lost."""

import pytest

from tests.support.api import Answer, Api
from tests.support.factories import OTHER_TENANT, TENANT
from timegate.domain.tenants.api_key import ApiKey

OF_TENANT = f"/v1/tenants/{TENANT}/keys"


@pytest.mark.parametrize(
    ("path", "body"), [("/v1/keys", {"name": "exports"}), ("/v1/keys", None), (OF_TENANT, {})]
)
def test_a_repeated_request_makes_one_key(api: Api, path: str, body: object) -> None:
    """Its text is in the first answer alone; the record says if it was revoked since."""
    api.send("PUT", f"/v1/tenants/{TENANT}", {})
    first = api.send("POST", path, body, Idempotency_Key="exports")
    api.world.clock.advance(60)
    again = api.send("POST", path, body, Idempotency_Key="exports")
    api.send("POST", f"{path}/{first.body['key_id']}/revoke")
    revoked = api.send("POST", path, body, Idempotency_Key="exports")

    assert (first.status, again.status, revoked.status) == (201, 200, 200)
    assert again.body == first.body | {"api_key": None}
    assert again.headers["idempotency-replayed"] == "true"
    assert revoked.body["status"] == "revoked"
    assert len(api.send("GET", path).body["items"]) == 1


def test_a_request_key_of_another_api_key_is_refused(api: Api) -> None:
    """Its holder would take a key with other scopes; another request key makes another key."""
    api.send("POST", "/v1/keys", {"name": "a"}, Idempotency_Key="a")
    other = api.send("POST", "/v1/keys", {"name": "b"}, Idempotency_Key="a")
    statuses = [
        api.send("POST", "/v1/keys", {"name": "a"}, tenant=tenant, Idempotency_Key=key).status
        for tenant, key in ((TENANT, "b"), (OTHER_TENANT, "a"))
    ]

    assert (other.status, other.code) == (409, "idempotency_conflict")
    assert statuses == [201, 201]


def test_two_repetitions_at_once_make_one_key(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both want the first free place: the loser reads the places again."""
    world, put = api.world, api.world.api_keys.put
    made: list[Answer] = []

    def put_late(before: ApiKey | None, after: ApiKey) -> bool:
        monkeypatch.setattr(world.api_keys, "put", put)
        made.append(api.send("POST", "/v1/keys", Idempotency_Key="exports"))
        return put(before, after)

    monkeypatch.setattr(world.api_keys, "put", put_late)
    late = api.send("POST", "/v1/keys", Idempotency_Key="exports")

    assert (made[0].status, late.status) == (201, 200)
    assert late.body == made[0].body | {"api_key": None}
