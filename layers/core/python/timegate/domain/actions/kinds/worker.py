"""Workers: an offer in a pool."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from timegate.domain.actions.field_limits import Meaning, Text
from timegate.domain.actions.kind import ActionKind
from timegate.domain.actions.pool import Offer, check_handler_name, check_pool_name
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkerAction(ActionKind):
    """An offer in a worker pool: a program outside claims the run and says how it ended."""

    type: ClassVar[str] = "worker"
    is_called: ClassVar[bool] = False
    pool: Annotated[str, Text(max_length=64), Meaning("Letters a to z, digits and dashes.")]
    handler: Annotated[str, Text(max_length=64), Meaning("What workers call what is to be done.")]

    @property
    def address(self) -> None:
        """Nothing is called."""
        return

    @property
    def offer(self) -> Offer:
        """Return the pool and the handler."""
        return Offer(pool=self.pool, handler=self.handler)

    @property
    def may_continue(self) -> bool:
        """Tell that a worker says how a run ended."""
        return True

    def check(self, rules: TargetRules, tenant: TenantId) -> None:
        """Refuse names that no pool and no handler has; raises ``InvalidInput``."""
        del rules, tenant  # workers come by themselves
        check_pool_name(self.pool, "action.pool")
        check_handler_name(self.handler, "action.handler")

    @classmethod
    def words(cls, shown: Mapping[str, Any]) -> Sequence[str | None]:
        """Name pool and handler."""
        return [shown["pool"], shown["handler"]]
