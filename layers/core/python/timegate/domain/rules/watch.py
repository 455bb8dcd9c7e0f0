"""The watch over a tenant's rules: how far its looks came."""

from datetime import datetime, timedelta

from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: Failures are read again for so long: an index may show one late, and clocks of writers differ.
SEEN_AGAIN_FOR = timedelta(seconds=120)


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleWatch:
    """One record for each tenant that has, or had, rules."""

    tenant: TenantId
    step: int = 0
    #: Grows with every change of a rule.
    revision: int = 0
    #: Failures that ended up to here were read.
    seen_until: datetime
    #: A pass over later failures is under way: up to this instant, ...
    pass_until: datetime | None = None
    #: ... and behind this place of the index.
    pass_after: str | None = None
    #: Open streaks are looked at from behind this one on; ``None``: from the first.
    streaks_after: str | None = None
    #: The last round over all jobs for absences began then.
    walked_at: datetime
    #: One that is under way began then, ...
    walk_from: datetime | None = None
    #: ... and goes on behind this job.
    walk_after: str | None = None

    @property
    def has_more(self) -> bool:
        """Tell if a look left work: another one follows at once."""
        return self.pass_until is not None or self.walk_from is not None
