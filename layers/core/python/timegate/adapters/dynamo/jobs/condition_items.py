"""Conditions, as jobs ask for them, and what runs know of the answers."""

from timegate.adapters.dynamo.jobs.action_items import secret_from_fields, secret_to_fields
from timegate.adapters.dynamo.recurrence.schedule_items import mapping, number, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.jobs.condition import Checks, Condition
from timegate.domain.values.instants import compact, from_compact


def condition_to_field(condition: Condition | None) -> Plain:
    """Nothing for a job that asks nobody."""
    if condition is None:
        return None
    fields: dict[str, Plain] = {
        "url": condition.url,
        "every_seconds": condition.every_seconds,
        "give_up_after_seconds": condition.give_up_after_seconds,
    }
    if condition.signing_secret is not None:
        fields["signing_secret"] = secret_to_fields(condition.signing_secret)
    return fields


def condition_from_field(value: Plain) -> Condition | None:
    """Read it back."""
    if value is None:
        return None
    fields = mapping(value)
    signing = fields.get("signing_secret")
    return Condition(
        url=text(fields["url"]),
        signing_secret=secret_from_fields(mapping(signing)) if signing is not None else None,
        every_seconds=number(fields["every_seconds"]),
        give_up_after_seconds=number(fields["give_up_after_seconds"]),
    )


def checks_to_field(checks: Checks | None) -> Plain:
    """Nothing for a run whose condition was not asked."""
    if checks is None:
        return None
    return {
        "since": compact(checks.since),
        "refused": checks.refused,
        "said": checks.said,
        "cleared": checks.cleared,
    }


def checks_from_field(value: Plain) -> Checks | None:
    """Read them back."""
    if value is None:
        return None
    fields = mapping(value)
    return Checks(
        since=from_compact(text(fields["since"])),
        refused=number(fields["refused"]),
        said=text(fields["said"]),
        cleared=fields.get("cleared") is True,
    )
