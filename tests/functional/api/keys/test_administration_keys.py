"""API keys of the administration: its scope, and no other."""

import pytest

from tests.support.api import Answer, Api, gateway_event
from tests.support.tenants.api_keys import SECRET, by_key, key_factory, text_of
from timegate.domain.tenants.api_key import read_key
from timegate.domain.values.redaction import redact
from timegate.domain.values.tenant import ADMINISTRATION

KEY = key_factory(tenant=ADMINISTRATION, scopes=())
TEXT = text_of(KEY)


@pytest.fixture
def stage(api: Api) -> Api:
    """A stage whose operator made a key of the administration."""
    assert api.world.api_keys.put(None, KEY)
    return api


def ask(stage: Api, method: str, path: str, body: str | None = None) -> Answer:
    """A request by the administration's key."""
    return stage.deliver(by_key(gateway_event(method, path, body=body), TEXT))


def test_it_makes_tenants_and_their_keys(stage: Api) -> None:
    """Keys of tenants make none; the trail has who did."""
    made = ask(stage, "POST", "/v1/tenants", '{"tenant": "globex"}')
    second = ask(stage, "POST", "/v1/tenants/globex/keys", '{"name": "second"}')

    assert (made.status, second.status) == (201, 201)
    assert second.body["created_by"] == KEY.subject
    assert not {"admin"} & {*made.body["key"]["scopes"], *second.body["scopes"]}


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/v1/jobs"), ("GET", "/v1/tenant"), ("GET", "/v1/keys"), ("POST", "/v1/keys")],
)
def test_it_does_nothing_else(stage: Api, method: str, path: str) -> None:
    """Neither jobs nor keys of its own: it is no tenant's."""
    answer = ask(stage, method, path, "{}" if method == "POST" else None)

    assert (answer.status, answer.code) == (403, "invalid_tenant")


def test_no_tenant_has_its_name(stage: Api) -> None:
    """Neither one that is made, nor one that a path names."""
    made = stage.send("POST", "/v1/tenants", {"tenant": ADMINISTRATION})
    listed = stage.send("GET", f"/v1/tenants/{ADMINISTRATION}/keys")

    assert (made.status, listed.status) == (400, 400)


def test_its_text_is_known_as_a_key() -> None:
    """It is read back, and hidden wherever keys of tenants are."""
    read = read_key(TEXT)

    assert read is not None
    assert (read.tenant, read.slot, read.secret) == (ADMINISTRATION, 0, SECRET)
    assert SECRET not in redact(f"denied: {TEXT}")
