"""Notifications of a job's runs."""

from typing import TYPE_CHECKING, Annotated, Any, Union

from pydantic import BeforeValidator, Field

from timegate.contracts.channels import contract_of_channel, typed
from timegate.contracts.values.derived import KindContract
from timegate.contracts.values.durations import Duration
from timegate.domain.channels.channel import CHANNELS
from timegate.domain.jobs.hook import MAX_HOOKS, Subscription
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.rules.absence_watch import MAX_ABSENT_SECONDS, MIN_ABSENT_SECONDS

#: A run is late at most after a week.
_MAX_LATE_SECONDS = 604_800
_On = Annotated[
    list[Occasion],
    Field(
        min_length=1,
        max_length=len(Occasion),
        description=(
            "Of which ends it is told; failed includes dead_lettered;"
            " late: not started late_after_seconds after it was due;"
            " absent: none has succeeded for absent_after_seconds."
        ),
    ),
]


class HookOfKind(KindContract):
    """A channel that is told of runs, and on which occasions."""

    def to_domain(self) -> Subscription:
        """Return the domain's value."""
        said: dict[str, Any] = self.as_domain()
        on = said.pop("on")
        return Subscription(channel=self.kind(**said), on=on)


if TYPE_CHECKING:
    HookContract = HookOfKind
else:
    HookContract = Annotated[
        Union[  # noqa: UP007 - made from the registry
            tuple(
                contract_of_channel(kind, "Hook", __name__, HookOfKind, on=(_On, ...))
                for kind in CHANNELS.values()
            )
        ],
        Field(discriminator="type"),
        BeforeValidator(typed),
    ]

Hooks = Annotated[list[HookContract], Field(max_length=MAX_HOOKS)]
AbsentAfter = Annotated[int, Field(ge=MIN_ABSENT_SECONDS, le=MAX_ABSENT_SECONDS), Duration()]
LateAfter = Annotated[int, Field(ge=0, le=_MAX_LATE_SECONDS), Duration()]
