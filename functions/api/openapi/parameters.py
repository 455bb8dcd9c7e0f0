"""Parameters of paths, queries and headers: their form, what they mean, and one of each."""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from api.dags.dag_answers import DAG_ID
from api.http.conditional import MOST_OF_CONDITION
from api.http.route import Route
from api.openapi.headings import CONDITION, REQUEST_HEADERS
from api.operations.operation_answers import OPERATION_ID
from api.values.ids import RUN_ID
from timegate.domain.actions.pool import POOL_NAME
from timegate.domain.archive.months import MONTH
from timegate.domain.calendars.calendar import CALENDAR_NAME
from timegate.domain.event_triggers.event_trigger import EVENT_TRIGGER_NAME
from timegate.domain.rules.rule import RULE_NAME
from timegate.domain.tenants.api_key import KEY_ID
from timegate.domain.values.identity import JOB_REFERENCE, TASK_KEY
from timegate.domain.values.tenant import TENANT_NAME

Schema = dict[str, Any]

#: Each with what it has to look like, and what it is.
_OF_PATHS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "job_id": (
            JOB_REFERENCE,
            "From the answer to its creation; or key:<key>, or dag:<dag_id> (its own job).",
        ),
        "dag_id": (DAG_ID, "As the answer to its creation has it."),
        "dag_run_id": (DAG_ID, "As the answer to its start has it."),
        "task_key": (f"^{TASK_KEY.pattern}$", "Its key in the definition of the DAG."),
        "version": ("^[0-9]{1,9}$", "Versions count from 1."),
        "run_id": (RUN_ID, "The job's id, what began the run, and its nominal instant."),
        "operation_id": (OPERATION_ID, "As the answer that started it has it."),
        "calendar": (f"^{CALENDAR_NAME.pattern}$", "The tenant's own name for it."),
        "rule": (f"^{RULE_NAME.pattern}$", "The tenant's own name for it."),
        "event_trigger": (f"^{EVENT_TRIGGER_NAME.pattern}$", "The tenant's own name for it."),
        "hook_id": ("^[a-z2-7]{26}$", "The end of the path that its event trigger shows."),
        "month": (f"^{MONTH}$", "A month of UTC."),
        "pool": (f"^{POOL_NAME.pattern}$", "The tenant's own name for it."),
        "tenant": (f"^{TENANT_NAME.pattern}$", "As the claim of its tokens has it."),
        "key_id": (f"^{KEY_ID.pattern}$", "As the answer to its creation has it."),
        "freeze_id": (
            "^[0-9]{8}T[0-9]{9}Z-[0-9a-f]{12}$",
            "As the answer to its creation has it.",
        ),
    }
)
#: Examples of parameters that no sample sets.
_EXAMPLES: Mapping[str, object] = MappingProxyType(
    {
        "Idempotency-Key": "nightly-report",
        "If-Match": '"1"',
        "If-None-Match": "*",
        "X-GitHub-Delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958",
        "X-GitHub-Event": "push",
        "X-Hub-Signature-256": f"sha256={'0' * 64}",
        "actor": "ops",
        "month": "2026-11",
        "cursor": "NjE2YjQ1ODQxZmI3MjAyNjExMjFUMDcwMDAwMDAwWg",
        "dag_run_id": "7pqy4zjm5wdqmixlyomvjlzcpe",
        "error_code": "http_410",
        "late_seconds": 60,
        "event_trigger": "large-orders",
        "from": "2026-11-21T00:00:00Z",
        "job_id": "f45yzns2tqd44elwkoh3t4kpiq",
        "name": "nightly*",
        "resource": "job/f45yzns2tqd44elwkoh3t4kpiq",
        "since": "2026-11-21T00:00:00Z",
        "tag": ["team:ops"],
        "timezone": "Europe/Berlin",
        "tz": "Europe/Berlin",
        "to": "2026-11-22T00:00:00Z",
        "until": "2026-11-22T00:00:00Z",
        "version": 1,
    }
)


def parameters(
    route: Route, definitions: Mapping[str, Schema], sent: Mapping[str, Any]
) -> Iterator[Schema]:
    """Yield the parameters of a route; ``sent``: the values of its example, by name."""
    for parameter in _parameters(route, definitions):
        name, schema = parameter["name"], parameter["schema"]
        known = parameter.get("example", _EXAMPLES.get(name, _first_of(schema, definitions)))
        example = sent.get(name, known)
        if schema.get("type") == "array" and not isinstance(example, list):
            # A list is sent value by value.
            example = [example]
        yield parameter | ({} if example is None else {"example": example})


def _parameters(route: Route, definitions: Mapping[str, Schema]) -> Iterator[Schema]:
    for name in path_names(route):
        pattern, meaning = _OF_PATHS[name]
        schema = {"type": "string", "pattern": pattern}
        yield {
            "name": name,
            "in": "path",
            "required": True,
            "description": meaning,
            "schema": schema,
        }
    if route.query is not None:
        model = definitions[route.query.__name__]
        for name, field in model["properties"].items():
            schema = _without_null(field)
            description = schema.pop("description", None)
            parameter = {"name": name, "in": "query", "schema": schema}
            if name in model.get("required", []):
                parameter["required"] = True
            yield parameter | ({"description": description} if description else {})
    for name in route.request_headers:
        description, pattern = REQUEST_HEADERS[name]
        schema = {"type": "string", "pattern": pattern}
        yield {"name": name, "in": "header", "description": description, "schema": schema}
    if route.is_conditional:
        condition: Schema = {"type": "string", "maxLength": MOST_OF_CONDITION}
        name, example = "If-None-Match", 'W/"9f86d081884c7d659a2feaa0c55ad015"'
        yield {
            "name": name,
            "in": "header",
            "description": CONDITION,
            "schema": condition,
            "example": example,
        }


def path_names(route: Route) -> list[str]:
    """The parameters of its path, in order."""
    return re.findall(r"<(\w+)>", route.path)


def _without_null(field: Schema) -> Schema:
    """A parameter is absent; it cannot be null."""
    choices = [each for each in field.get("anyOf", []) if each != {"type": "null"}]
    kept = {k: v for k, v in field.items() if k != "anyOf" and (k, v) != ("default", None)}
    return kept | (choices[0] if choices else {})


def _first_of(schema: Schema, definitions: Mapping[str, Schema]) -> object:
    """A default, or the first choice there is; ``None``: neither."""
    named = definitions.get(str(schema.get("$ref", "")).rpartition("/")[2], {})
    choices: Sequence[object] = schema.get("enum") or named.get("enum") or ()
    return schema.get("default", choices[0] if choices else None)
