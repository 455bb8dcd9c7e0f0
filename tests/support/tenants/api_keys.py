"""API keys of tests, and requests by them."""

from dataclasses import replace
from datetime import timedelta

from tests.support.api import Event
from tests.support.factories import NOW, TENANT
from timegate.domain.tenants.api_key import ApiKey, KeyScope, KeyText, digest_of
from timegate.domain.values.tenant import TenantId

SECRET = "A" * 43


def key_factory(**fields: object) -> ApiKey:
    """A key of the secret above, good for a year."""
    key = ApiKey(
        tenant=TENANT,
        slot=0,
        name="nightly exports",
        digest=digest_of(SECRET),
        scopes=tuple(KeyScope),
        created_at=NOW,
        created_by="ops",
        ends_at=NOW + timedelta(days=365),
    )
    return replace(key, **fields)  # type: ignore[arg-type]


def text_of(key: ApiKey, secret: str = SECRET) -> str:
    """The text of a key, as its holder has it."""
    return str(KeyText(tenant=TenantId(key.tenant), slot=key.slot, secret=secret))


def by_key(event: Event, text: str | None) -> Event:
    """The same request by a key: at the path of keys, where the gateway checks nothing."""
    event["rawPath"] = f"/key{event['rawPath']}"
    event["requestContext"].pop("authorizer", None)
    event["headers"].pop("authorization")
    if text is not None:
        event["headers"]["authorization"] = f"Bearer {text}"
    return event
