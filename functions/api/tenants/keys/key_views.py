"""From the domain to JSON: API keys."""

from datetime import datetime

from api.tenants.keys.key_answers import KeyStatus
from api.values.views import View, instant_view
from timegate.domain.tenants.api_key import ApiKey
from timegate.domain.values.instants import rfc3339
from timegate.usecases.tenants.api_keys import MadeKey


def key_view(key: ApiKey, *, now: datetime) -> View:
    """A key without what proves it."""
    return {
        "key_id": key.key_id,
        "name": key.name,
        "status": _status(key, now),
        "scopes": list(key.scopes),
        "created_at": rfc3339(key.created_at),
        "created_by": key.created_by,
        "expires_at": rfc3339(key.ends_at),
        "revoked_at": instant_view(key.revoked_at),
    }


def made_key_view(made: MadeKey, *, now: datetime) -> View:
    """A new key, with its text; one that was made before has none."""
    return {**key_view(made.key, now=now), "api_key": made.text}


def _status(key: ApiKey, now: datetime) -> KeyStatus:
    if key.revoked_at is not None:
        return "revoked"
    return "expired" if key.has_ended(now) else "active"
