"""Answers about API keys."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from api.tenants.tenant_answers import Tenant
from api.values.damaged_answers import NamedPage
from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.tenants.api_key import KEY_ID, MAX_KEYS, KeyScope

KeyStatus = Literal["active", "expired", "revoked"]


class ApiKey(TypedDict):
    """An API key, without what proves it."""

    key_id: Annotated[str, Field(pattern=f"^{KEY_ID.pattern}$")]
    name: str
    status: KeyStatus
    scopes: list[KeyScope]
    created_at: WrittenInstant
    created_by: Annotated[str, Field(description="The caller that made it.")]
    expires_at: Annotated[
        WrittenInstant, Field(description="Its end: it opens nothing from then on.")
    ]
    revoked_at: WrittenInstant | None


class MadeApiKey(ApiKey):
    """An API key as it is shown once."""

    api_key: Annotated[
        str | None,
        Field(
            description=(
                "The key itself. The stage does not keep it; it is shown here alone. Null in a"
                " repeated answer: if the first one was lost, revoke the key and make another."
            )
        ),
    ]


class ApiKeyList(NamedPage):
    """Every API key of a tenant, by its place; ended ones for 30 days more."""

    items: Annotated[list[ApiKey], Field(max_length=MAX_KEYS)]
    next_cursor: Annotated[None, Field(description="Null: there is one page.")]


class NewTenant(TypedDict):
    """A tenant that was made, and its first key."""

    tenant: Tenant
    key: Annotated[MadeApiKey | None, Field(description="Null where none was asked for.")]
