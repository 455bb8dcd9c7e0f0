"""Whole event triggers, as the stage would show them."""

from collections.abc import Mapping
from typing import Any

_TRIGGER: Mapping[str, Any] = {
    "pattern": {},
    "starts": {},
    "hook": None,
    "description": "",
    "tags": {},
}
_EVENT = {"$ref": "event"}
_SECRET = {"secret_arn": None, "ssm_parameter": None, "json_key": None}


def whole_trigger(spec: Mapping[str, Any]) -> dict[str, Any]:
    """An event trigger as the stage would show it, without what the stage gives it."""
    whole = {**_TRIGGER, **spec}
    return whole | {"starts": _starts(whole["starts"]), "hook": _hook(whole["hook"])}


def declared_of_trigger(shown: Mapping[str, Any]) -> dict[str, Any]:
    """Everything of a stored event trigger that its owner has said."""
    said = {name: shown[name] for name in _TRIGGER}
    hook = shown["hook"]
    if hook is not None:
        said["hook"] = {name: value for name, value in hook.items() if name != "path"}
    return said


def _starts(starts: object) -> object:
    if not isinstance(starts, dict):
        return starts
    if starts.get("type") == "dag_run":
        return _with(starts, parameters=_EVENT)
    patch = starts.get("payload_patch")
    payload = _EVENT if patch is None else None
    return _with(starts, payload=payload, payload_patch=None, priority=None, tags={})


def _hook(hook: object) -> object:
    if not isinstance(hook, dict):
        return hook
    whole = {"scheme": "standard", **hook}
    return whole | {"secret": _with(hook.get("secret"), **_SECRET)}


def _with(entry: object, **defaults: object) -> object:
    return defaults | entry if isinstance(entry, dict) else entry
