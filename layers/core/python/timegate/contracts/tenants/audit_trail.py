"""Queries of the audit trail."""

from pydantic import Field

from timegate.contracts.values.fields import Instant
from timegate.contracts.values.queries import PageQuery
from timegate.domain.tenants.audit_trail import AuditFilter, Resource, ResourceKind
from timegate.domain.values.errors import InvalidInput

_KINDS = "|".join(ResourceKind)


class ChangesQuery(PageQuery):
    """A span of the trail of one thing, or of the tenant's, and whose."""

    since: Instant | None = Field(None, description="Changes from then on.")
    until: Instant | None = Field(None, description="Changes up to then.")
    actor: str | None = Field(
        None, max_length=256, description="A token's subject, or its client; of a page's entries."
    )

    def to_filter(self, resource: Resource | None) -> AuditFilter:
        """Return the use case's filter; raise ``InvalidInput`` for a span that ends first."""
        if self.since is not None and self.until is not None and self.until < self.since:
            raise InvalidInput(
                "until", "range_reversed", "It is earlier than since; exchange them."
            )
        return AuditFilter(resource=resource, since=self.since, until=self.until, actor=self.actor)


class AuditQuery(ChangesQuery):
    """A span of a tenant's trail."""

    resource: str | None = Field(
        None,
        max_length=300,
        pattern=f"^({_KINDS})/[!-~]+$",
        description="One thing: its kind, a slash, and its id or name; job/key:<key> also.",
    )

    @property
    def wanted(self) -> AuditFilter:
        """Return the use case's argument."""
        if self.resource is None:
            return self.to_filter(None)
        kind, _, name = self.resource.partition("/")
        return self.to_filter(Resource(kind=ResourceKind(kind), id=name))
