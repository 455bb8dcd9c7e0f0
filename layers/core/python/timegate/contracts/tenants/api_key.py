"""API keys and new tenants as they are asked for."""

from typing import Annotated

from pydantic import Field, StringConstraints

from timegate.contracts.tenants.tenant import DisplayName, NewJobsList, QuotasContract
from timegate.contracts.values.fields import PRINTABLE, Contract, Instant
from timegate.domain.tenants.api_key import MAX_KEY_NAME, KeyScope
from timegate.domain.tenants.new_tenant import NEW_TENANT_NAME
from timegate.usecases.tenants.api_keys import NewKey
from timegate.usecases.tenants.change_tenant import NewSettings
from timegate.usecases.tenants.create_tenant import NewTenant

KeyName = Annotated[str, StringConstraints(max_length=MAX_KEY_NAME, pattern=PRINTABLE)]
Scopes = Annotated[list[KeyScope], Field(min_length=1, max_length=len(KeyScope))]


class NewKeyRequest(Contract):
    """An API key to be made."""

    name: KeyName = Field(default="", description="For people: the program that gets it.")
    scopes: Scopes | None = Field(
        default=None,
        description="Null: everything that its maker may do, but for the administration.",
    )
    expires_at: Instant | None = Field(
        default=None, description="At most 400 days ahead; null: in 365 days."
    )

    def to_domain(self) -> NewKey:
        """Return the use case's argument."""
        scopes = None if self.scopes is None else tuple(self.scopes)
        return NewKey(name=self.name, scopes=scopes, ends_at=self.expires_at)


class NewTenantRequest(Contract):
    """A tenant to be made; what is left out is as new tenants have it."""

    tenant: Annotated[
        str,
        StringConstraints(pattern=f"^{NEW_TENANT_NAME.pattern}$"),
        Field(description="Its name, for ever: small letters, digits and hyphens."),
    ]
    display_name: DisplayName = ""
    quotas: QuotasContract = QuotasContract()
    list_runs: NewJobsList = None
    key: NewKeyRequest | None = Field(
        default=NewKeyRequest(), description="Its first API key; null: it gets none."
    )

    def to_domain(self) -> NewTenant:
        """Return the use case's argument."""
        settings = NewSettings(
            display_name=self.display_name,
            quotas=self.quotas.to_domain(),
            list_runs=self.list_runs,
        )
        key = self.key.to_domain() if self.key is not None else None
        return NewTenant(name=self.tenant, settings=settings, key=key)
