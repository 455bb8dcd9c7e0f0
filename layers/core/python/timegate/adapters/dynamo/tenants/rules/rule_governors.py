"""The job that governs the messages of a rule, from the rule's item."""

from collections.abc import Mapping

from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tenants.rules.rule_items import rule_from_fields
from timegate.domain.jobs.job import Job
from timegate.domain.rules.messages import rule_governor


def governor_of(fields: Mapping[str, Plain]) -> Job | None:
    """Read the governor; ``None``: the rule was deleted. Raises ``Malformed``."""
    return None if "deleted" in fields else rule_governor(rule_from_fields(fields))
