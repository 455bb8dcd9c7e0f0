"""The container of a CronJob that a run stands for, and what it gives to a target.

Source: the reference of ``Container`` (core/v1).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from timegate.cli.migrating.entries import Note, part_of, told
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.plaintext import PlaintextSecret, refuse_plaintext
from timegate.value_classes import dataclass

#: Kubernetes writes the variable's value in place of this; a doubled dollar is one.
_EXPANSION = re.compile(r"(?<!\$)\$\([A-Za-z_.-][\w.-]*+\)")


@dataclass(frozen=True, kw_only=True, slots=True)
class Container:
    """Parts of a container that a target can get."""

    name: str
    image: str
    command: tuple[str, ...]
    args: tuple[str, ...]
    environment: Mapping[str, str]

    @property
    def payload(self) -> dict[str, Any]:
        """Return the parts that it has, for a worker that runs it."""
        parts: dict[str, Any] = {
            "image": self.image,
            "command": list(self.command),
            "args": list(self.args),
            "environment": dict(self.environment),
        }
        return {name: value for name, value in parts.items() if value}


def container_of(pod: Mapping[str, Any]) -> tuple[Container, tuple[Note, ...]]:
    """Return the first container of a pod, with what it leaves out.

    Raises ``InvalidInput`` for a pod without one, and for a container of another shape.
    """
    every = list_of(pod, "containers")
    if not every:
        detail = "Its jobTemplate has no container, so nothing runs."
        raise InvalidInput("containers", "no_container", detail)
    first = every[0]
    given, left_out, secrets = _environment(first)
    found = Container(
        name=str(first.get("name") or "container"),
        image=str(first.get("image") or ""),
        command=_texts(first, "command"),
        args=_texts(first, "args"),
        environment=given,
    )
    return found, tuple(_notes(every, found, left_out, secrets))


def list_of(given: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """Return a list of objects; an absent one is empty. Raises ``InvalidInput``."""
    found = given.get(name)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise InvalidInput(name, "wrong_type", f"{name} must be a list of objects.")
    return found


def _texts(given: Mapping[str, Any], name: str) -> tuple[str, ...]:
    found = given.get(name)
    if found is None:
        return ()
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        detail = f"{name} must be a list of texts: Kubernetes takes no number there."
        raise InvalidInput(name, "wrong_type", detail)
    return tuple(found)


def _environment(given: Mapping[str, Any]) -> tuple[dict[str, str], list[str], list[str]]:
    """Return variables, those whose values are elsewhere, and those that hold credentials."""
    values: dict[str, str] = {}
    elsewhere = [
        f"all of {_place(each, 'secretRef', 'configMapRef')}" for each in list_of(given, "envFrom")
    ]
    secrets: list[str] = []
    for each in list_of(given, "env"):
        name, value = str(each.get("name")), each.get("value")
        if each.get("valueFrom") is not None:
            source = part_of(each, "valueFrom")
            place = _place(source, "secretKeyRef", "configMapKeyRef", "fieldRef")
            elsewhere.append(f"{name} from {place}")
        elif value is not None and not isinstance(value, str):
            detail = f"The variable {name} must be a text: Kubernetes takes no other value."
            raise InvalidInput("env", "wrong_type", detail)
        elif _is_secret(name, value or ""):
            secrets.append(name)
        else:
            values[name] = value or ""
    return values, elsewhere, secrets


def _place(source: Mapping[str, Any], *kinds: str) -> str:
    """Name the object that a reference means: ``secret db, key url``."""
    for kind in kinds:
        if kind in source:
            ref = part_of(source, kind)
            word = "secret" if kind.startswith("secret") else "config map"
            key = f", key {ref['key']}" if ref.get("key") else ""
            return str(ref.get("fieldPath") or f"{word} {ref.get('name')}{key}")
    return " ".join(sorted(map(str, source))) or "elsewhere"


def _is_secret(name: str, value: str) -> bool:
    try:
        refuse_plaintext({name: value})
    except PlaintextSecret:
        return True
    return False


def _notes(
    every: Sequence[Mapping[str, Any]], found: Container, elsewhere: list[str], secrets: list[str]
) -> Iterator[Note]:
    if len(every) > 1:
        others = told([str(each.get("name")) for each in every[1:]])
        detail = f"A run is one container, {found.name}: its pod has {others} beside it."
        yield Note(code="containers", detail=detail)
    if elsewhere:
        detail = f"Variables of the cluster are left out: {told(elsewhere)}."
        yield Note(code="env_from", detail=detail)
    if secrets:
        detail = f"Variables with credentials are left out: {told(secrets)}. Name secrets instead."
        yield Note(code="env_secrets", detail=detail)
    texts = (*found.command, *found.args, *found.environment.values())
    if expanded := sorted({name for text in texts for name in _EXPANSION.findall(text)}):
        detail = f"Kubernetes replaces {told(expanded)} by a variable's value; here it stays."
        yield Note(code="expansions", detail=detail)
