"""Notifications, as jobs ask for them and as attempts carry them."""

from collections.abc import Mapping, Sequence

from timegate.adapters.dynamo.jobs.action_items import secret_from_fields, secret_to_fields
from timegate.adapters.dynamo.recurrence.schedule_items import listed, mapping, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.jobs.notification import Hook, Occasion
from timegate.domain.runs.run import Attempt

Fields = Mapping[str, Plain]


def hooks_to_field(hooks: Sequence[Hook]) -> Plain:
    """Nothing for a job that notifies nobody."""
    return [_hook_fields(hook) for hook in hooks] or None


def hooks_from_field(value: Plain) -> tuple[Hook, ...]:
    """Read them back."""
    return tuple(_hook(mapping(each)) for each in listed(value))


def occasions_to_field(occasions: Sequence[Occasion]) -> Plain:
    """Nothing for an attempt of which nobody wants to hear."""
    return list(occasions) or None


def notify_fields(attempt: Attempt) -> dict[str, Plain]:
    """Build the occasions of an attempt that hooks want, and the text of a notice."""
    return {"notify": occasions_to_field(attempt.notify), "notice": attempt.notice}


def occasions_from_fields(fields: Fields) -> tuple[Occasion, ...]:
    """Read back what is to be heard of an attempt."""
    return tuple(Occasion(text(occasion)) for occasion in listed(fields.get("notify")))


def notice_from_fields(fields: Fields) -> str | None:
    """Read back what a notice says."""
    return text(fields["notice"]) if "notice" in fields else None


def _hook(fields: Fields) -> Hook:
    signing = fields.get("signing_secret")
    return Hook(
        url=text(fields["url"]),
        on=tuple(Occasion(text(occasion)) for occasion in listed(fields["on"])),
        signing_secret=secret_from_fields(mapping(signing)) if signing is not None else None,
    )


def _hook_fields(hook: Hook) -> dict[str, Plain]:
    fields: dict[str, Plain] = {"url": hook.url, "on": list(hook.on)}
    if hook.signing_secret is not None:
        fields["signing_secret"] = secret_to_fields(hook.signing_secret)
    return fields
