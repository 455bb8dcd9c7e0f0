"""Events that start runs of DAGs: the operator names the DAG, and never the event."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: Part of the rule's name, which has 64 characters.
_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_DAG_ID = re.compile(r"[a-z2-7]{26}")
#: The domain's pattern; a rule's template could hold no other.
_TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@|:-]{0,127}")
_KNOWN = {"name", "tenant", "dag_id", "pattern", "bus"}


class DagEventError(ValueError):
    """The ``dagEvents`` context is none."""


@dataclass(frozen=True, kw_only=True)
class DagEvent:
    """Events of this account that match a pattern start a run of one DAG of one tenant."""

    name: str
    tenant: str
    dag_id: str
    #: EventBridge's pattern; it does not name the account of an event.
    pattern: Mapping[str, Any]
    #: Where services of AWS put theirs.
    bus: str = "default"

    def __post_init__(self) -> None:
        """Refuse what would start nothing, or what cannot be meant."""
        for field, form in (("name", _NAME), ("tenant", _TENANT), ("dag_id", _DAG_ID)):
            if not form.fullmatch(str(getattr(self, field))):
                raise DagEventError(f"dagEvents: {getattr(self, field)!r} is no {field}")
        if not {"source", "detail-type"} & self.pattern.keys() or "account" in self.pattern:
            raise DagEventError(
                f"dagEvents: {self.name}: a pattern names source or detail-type, and no account"
            )


def dag_events(text: object) -> tuple[DagEvent, ...]:
    """Read the rules of the context: a list, or JSON text of one; raises ``DagEventError``."""
    if text is None:
        return ()
    try:
        listed = json.loads(text) if isinstance(text, str) else text
    except ValueError as error:
        raise DagEventError(f"dagEvents is no JSON: {error}") from error
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise DagEventError("dagEvents is a list of objects")
    unknown = {name for each in listed for name in each} - _KNOWN
    missing = [each for each in listed if not each.keys() >= _KNOWN - {"bus"}]
    if unknown or missing or not all(isinstance(each["pattern"], dict) for each in listed):
        raise DagEventError("each of dagEvents has name, tenant, dag_id, pattern, and perhaps bus")
    named = [each["name"] for each in listed]
    if len(set(named)) != len(named):
        raise DagEventError("dagEvents: two have the same name")
    return tuple(DagEvent(**each) for each in listed)
