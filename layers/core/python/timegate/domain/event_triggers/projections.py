"""Data that an event gives the work that it starts: JSON with references to ``event``."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from timegate.domain.dags.evaluation import Budget
from timegate.domain.dags.expressions import check_expression
from timegate.domain.dags.references import InputError, expressions, resolve
from timegate.domain.event_triggers.event_trigger import (
    MAX_TEMPLATE_BYTES,
    Starts,
    StartsDagRun,
    StartsJob,
)
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.plaintext import refuse_plaintext

#: All that a reference can name.
ROOT = "event"
#: The whole event, where nothing else is said.
WHOLE = '{"$ref":"event"}'


def projected(template: str | None, event: Mapping[str, Any], field: str) -> Any:  # noqa: ANN401
    """Return the JSON that a template makes of an event; ``None``: the event as it is.

    Raises ``InvalidInput`` for references that find nothing or take too much.
    """
    try:
        return json.loads(resolve(template or WHOLE, {ROOT: event}, Budget()))
    except InputError as error:
        raise _refusals(field, error.detail)[error.code] from error


def projected_object(template: str | None, event: Mapping[str, Any], field: str) -> dict[str, Any]:
    """Return the JSON object that a template makes of an event; raises ``InvalidInput``."""
    value = projected(template, event, field)
    if not isinstance(value, dict):
        raise InvalidInput(field, "wrong_type", "The event gives something that is no JSON object.")
    return value


def sent_on(starts: Starts, event: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON
    """Return the data that an event gives the work that it starts.

    Raises ``InvalidInput`` for data that cannot be sent on, and ``PlaintextSecret``.
    """
    if isinstance(starts, StartsDagRun):
        name, data = "parameters", projected_object(starts.parameters, event, "starts.parameters")
    elif starts.payload_patch is not None:
        patch = projected_object(starts.payload_patch, event, "starts.payload_patch")
        name, data = "payload_patch", patch
    else:
        name, data = "payload", projected(starts.payload, event, "starts.payload")
    refuse_plaintext(data, name)
    return data


def _refusals(field: str, detail: str) -> dict[str, InvalidInput]:
    """Return the refusal of a request for each fault of a reference."""
    refusals = (
        InvalidInput(field, "reference_missing", detail),
        InvalidInput(field, "reference_invalid", detail),
        InvalidInput(field, "reference_too_complex", detail),
    )
    return {each.code: each for each in refusals}


def check_templates(starts: Starts) -> None:
    """Refuse references that no event answers; raises ``InvalidInput`` naming the field."""
    for field, template in _templates(starts):
        size = len(template.encode())
        if size > MAX_TEMPLATE_BYTES:
            detail = f"It has {size} bytes as JSON; the limit is {MAX_TEMPLATE_BYTES}."
            raise InvalidInput(field, "too_long", detail)
        for expression in expressions(template):
            try:
                check_expression(expression, roots=frozenset({ROOT}))
            except InvalidInput as error:
                detail = f"{expression!r}: {error.detail}"
                raise InvalidInput(field, error.code, detail) from error


def _templates(starts: Starts) -> Iterator[tuple[str, str]]:
    if isinstance(starts, StartsJob):
        templates = {"payload": starts.payload, "payload_patch": starts.payload_patch}
    else:
        templates = {"parameters": starts.parameters}
    for name, template in templates.items():
        if template is not None:
            yield f"starts.{name}", template
