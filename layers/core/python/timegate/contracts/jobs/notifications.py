"""Notifications of a job's runs."""

from typing import Annotated

from pydantic import Field

from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import Contract
from timegate.contracts.values.secrets import SecretContract
from timegate.domain.actions.web_addresses import MAX_URL_LENGTH
from timegate.domain.jobs.notification import MAX_HOOKS, Hook, Occasion

#: A run is late at most after a week.
_MAX_LATE_SECONDS = 604_800


class HookContract(Contract):
    """An address that is told of runs, by a signed web hook."""

    url: str = Field(max_length=MAX_URL_LENGTH)
    on: list[Occasion] = Field(
        min_length=1,
        max_length=len(Occasion),
        description=(
            "Of which ends it is told; late: not started late_after_seconds after it was due."
        ),
    )
    signing_secret: SecretContract | None = Field(
        None,
        description=(
            "What it is told is signed with each of its keys: one on a line, as whsec_ and Base64."
        ),
    )

    def to_domain(self) -> Hook:
        """Return the domain's value."""
        return Hook(**self.as_domain())


Hooks = Annotated[list[HookContract], Field(max_length=MAX_HOOKS)]
LateAfter = Annotated[int, Field(ge=0, le=_MAX_LATE_SECONDS), Duration()]
