"""DAGs: a run of one of the tenant's DAGs."""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from timegate.domain.actions.field_limits import Meaning, Text
from timegate.domain.actions.kind import ActionKind
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import DagId
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class DagAction(ActionKind):
    """A run of one of the tenant's DAGs; the job's run ends as the DAG run does."""

    type: ClassVar[str] = "dag"
    is_called: ClassVar[bool] = False
    reads_payload: ClassVar[bool] = True
    #: The DAG runs as it is then.
    dag_id: Annotated[
        DagId, Text(max_length=100), Meaning("The payload, an object, is its parameters.")
    ]

    @property
    def address(self) -> str:
        """Return the DAG's id."""
        return self.dag_id

    @property
    def goes_on_alone(self) -> bool:
        """Tell that a DAG run ends by itself."""
        return True

    def check(self, rules: TargetRules, tenant: TenantId) -> None:
        """Refuse nothing: the tenant's records tell if a DAG exists."""
        del rules, tenant

    def check_payload(self, payload: str | None) -> None:
        """Refuse a payload that cannot be parameters; raises ``InvalidInput``."""
        if payload is not None and not isinstance(json.loads(payload), dict):
            detail = "The parameters of a DAG run are a JSON object."
            raise InvalidInput("payload", "not_an_object", detail)

    @classmethod
    def words(cls, shown: Mapping[str, Any]) -> Sequence[str | None]:
        """Name the kind."""
        del shown
        return [cls.type]
