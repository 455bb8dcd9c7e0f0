"""Write the description of events, AsyncAPI 3, and their tables.

    python -m infra.pages.async_api

Both are derived from the register of event types (``timegate.domain.cloud_events``).
"""

import json
import re
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, NotRequired, get_args, get_origin, get_type_hints

from infra.pages.event_examples import examples
from timegate.domain.cloud_events.cloud_event import (
    CONTENT_TYPE,
    DATA_VERSION,
    SPEC_VERSION,
    data_schema,
)
from timegate.domain.cloud_events.event_data import Instant
from timegate.domain.cloud_events.event_types import EVENT_TYPES, EventType

_REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"
DOCUMENT = _REFERENCE / "asyncapi.json"
PAGE = _REFERENCE / "events.md"
_GENERATED = re.compile(r"(?<=<!-- events -->\n).*(?=<!-- end of events -->)", re.DOTALL)
_SIMPLE: dict[object, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    Instant: {"type": "string", "format": "date-time"},
    list[str]: {"type": "array", "items": {"type": "string"}},
}
_DESCRIPTION = (
    "Every transition of runs, DAG runs and jobs, as CloudEvents 1.0 in structured mode, in the "
    "field `detail` of EventBridge's own envelope. Delivery is at least once and in no order: a "
    "consumer drops an `id` that it has seen from the same `source`."
)

Schema = dict[str, Any]


def document() -> Schema:
    """The whole description; the same for the same code."""
    keys = {each.name: _key(each) for each in EVENT_TYPES.values()}
    kinds = dict.fromkeys(each.data for each in EVENT_TYPES.values())
    channel = "#/channels/transitions"
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Events of Timegate",
            "version": f"{DATA_VERSION}.0.0",
            "description": _DESCRIPTION,
        },
        "defaultContentType": CONTENT_TYPE,
        "channels": {
            "transitions": {
                "address": "timegate-{stage}-events",
                "description": "The EventBridge bus of a stage.",
                "parameters": {"stage": {"description": "Name of the stage.", "default": "prod"}},
                "messages": {
                    key: {"$ref": f"#/components/messages/{key}"} for key in keys.values()
                },
            }
        },
        "operations": {
            "tell": {
                "action": "send",
                "channel": {"$ref": channel},
                "messages": [{"$ref": f"{channel}/messages/{key}"} for key in keys.values()],
            }
        },
        "components": {
            "messages": {keys[each.name]: _message(each) for each in EVENT_TYPES.values()},
            "schemas": {
                "CloudEvent": _envelope(),
                **{kind.__name__: data_of(kind) for kind in kinds},
            },
        },
    }


def rendered() -> str:
    """The description as it is kept in ``docs/reference/asyncapi.json``."""
    return json.dumps(document(), indent=2) + "\n"


def page(text: str) -> str:
    """The page, its tables written anew."""
    return _GENERATED.sub(lambda _: _tables(), text)


def data_of(kind: type) -> Schema:
    """Return the schema of a type of data."""
    hints = get_type_hints(kind, include_extras=True)
    first, *_ = (kind.__doc__ or "").split("\n")
    return {
        "type": "object",
        "description": first,
        "properties": {name: _field(hint) for name, hint in hints.items()},
        "required": [name for name in hints if get_origin(hints[name]) is not NotRequired],
    }


def _field(hint: object) -> Schema:
    if get_origin(hint) is NotRequired:
        (hint,) = get_args(hint)
    if get_origin(hint) is Annotated:
        kind, meaning = get_args(hint)
        return {**_of(kind), "description": meaning}
    return _of(hint)


def _of(kind: Any) -> Schema:  # noqa: ANN401 - any type of a field
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"type": "string", "enum": [each.value for each in kind]}
    return dict(_SIMPLE[kind])


def _key(each: EventType) -> str:
    return each.name.removeprefix("io.timegate.").replace(".", "_")


def _message(each: EventType) -> Schema:
    name = each.data.__name__
    return {
        "name": each.name,
        "title": each.name,
        "summary": each.meaning,
        "contentType": CONTENT_TYPE,
        "payload": {
            "allOf": [
                {"$ref": "#/components/schemas/CloudEvent"},
                {
                    "type": "object",
                    "properties": {
                        "type": {"const": each.name},
                        "dataschema": {"const": data_schema(name)},
                        "data": {"$ref": f"#/components/schemas/{name}"},
                    },
                },
            ]
        },
        "examples": [{"name": _key(each), "payload": examples()[each.name]}],
    }


def _envelope() -> Schema:
    text = {"type": "string", "minLength": 1}
    properties: Schema = {
        "specversion": {"const": SPEC_VERSION},
        "id": {"type": "string", "pattern": "^[0-9a-f]{32}$", "description": "Computed."},
        "source": {**text, "format": "uri-reference", "description": "Stage and tenant."},
        "type": {**text, "description": "Name of the transition."},
        "subject": {**text, "description": "The thing that changed."},
        "time": {"type": "string", "format": "date-time", "description": "Instant of the change."},
        "datacontenttype": {"const": CONTENT_TYPE},
        "dataschema": {**text, "format": "uri", "description": "Schema of the data."},
        "tenant": {**text, "description": "Extension: the tenant."},
        "traceparent": {
            "type": "string",
            "pattern": "^00-[0-9a-f]{32}-[0-9a-f]{16}-01$",
            "description": "Extension of distributed tracing: the trace of the run.",
        },
        "data": {"type": "object"},
    }
    optional = {"traceparent"}
    return {
        "type": "object",
        "description": "Attributes of every event.",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
    }


def _tables() -> str:
    lines = ["\n| type | data | meaning |", "|---|---|---|"]
    for each in EVENT_TYPES.values():
        name = each.data.__name__
        lines.append(f"| `{each.name}` | [{name}](#{name.lower()}) | {each.meaning} |")
    for kind in dict.fromkeys(each.data for each in EVENT_TYPES.values()):
        schema = data_of(kind)
        lines += [f"\n### {kind.__name__}\n", schema["description"]]
        lines += ["\n| field | always | meaning |", "|---|---|---|"]
        lines += [
            f"| `{name}` | {'yes' if name in schema['required'] else ''} | {field['description']} |"
            for name, field in schema["properties"].items()
        ]
    return "\n".join(lines) + "\n\n"


if __name__ == "__main__":
    DOCUMENT.write_text(rendered())
    PAGE.write_text(page(PAGE.read_text()))
