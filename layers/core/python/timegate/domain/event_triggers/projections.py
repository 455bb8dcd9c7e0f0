"""Data that an event gives the work that it starts: JSON with references to ``event``."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from timegate.domain.dags.evaluation import MAX_STEPS, Budget
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
#: Steps of all triggers of an event together: a hundred may send on all of a large event. With as
#: many for each, one event would take half a minute.
MAX_EVENT_STEPS = 2 * MAX_STEPS
_TOGETHER = f"All triggers of an event take {MAX_EVENT_STEPS:,} steps at most."


def budget_of_event() -> Budget:
    """Return the steps that all triggers of an event may take to look up what they send on."""
    return Budget(steps=MAX_EVENT_STEPS)


def projected(template: str | None, event: Mapping[str, Any], field: str, budget: Budget) -> Any:  # noqa: ANN401 - any JSON
    """Return the JSON that a template makes of an event; ``None``: the event as it is.

    ``budget``: of all triggers of the event. Raises ``InvalidInput`` for references that find
    nothing or take too much.
    """
    own = Budget(steps=max(0, min(MAX_STEPS, budget.steps)))
    given = own.steps
    try:
        return json.loads(resolve(template or WHOLE, {ROOT: event}, own))
    except InputError as error:
        raise _refusals(field, error.detail)[error.code] from error
    finally:
        budget.steps -= given - own.steps


def projected_object(
    template: str | None, event: Mapping[str, Any], field: str, budget: Budget
) -> dict[str, Any]:
    """Return the JSON object that a template makes of an event; raises ``InvalidInput``."""
    value = projected(template, event, field, budget)
    if not isinstance(value, dict):
        raise InvalidInput(field, "wrong_type", "The event gives something that is no JSON object.")
    return value


def sent_on(starts: Starts, event: Mapping[str, Any], budget: Budget) -> Any:  # noqa: ANN401 - any JSON
    """Return the data that an event gives the work that it starts.

    ``budget``: of all triggers of the event. Raises ``InvalidInput`` for data that cannot be sent
    on, and ``PlaintextSecret``.
    """
    if isinstance(starts, StartsDagRun):
        name, template = "parameters", starts.parameters
        data = projected_object(template, event, "starts.parameters", budget)
    elif starts.payload_patch is not None:
        name, template = "payload_patch", starts.payload_patch
        data = projected_object(template, event, "starts.payload_patch", budget)
    else:
        name, data = "payload", projected(starts.payload, event, "starts.payload", budget)
    refuse_plaintext(data, name)
    return data


def _refusals(field: str, detail: str) -> dict[str, InvalidInput]:
    """Return the refusal of a request for each fault of a reference."""
    refusals = (
        InvalidInput(field, "reference_missing", detail),
        InvalidInput(field, "reference_invalid", detail),
        InvalidInput(field, "reference_too_complex", f"{detail} {_TOGETHER}"),
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
