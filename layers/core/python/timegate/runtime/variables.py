"""Variables of a function, by name and type."""

import json
from collections.abc import Callable, Mapping
from dataclasses import field, fields
from datetime import timedelta
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from timegate.domain.limits.quotas import Quotas
from timegate.domain.values.errors import MissingSetting

_Value = TypeVar("_Value")
_Named = ParamSpec("_Named")


class Environment:
    """Typed access to a function's variables."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def text(self, name: str) -> str:
        """A variable that must be there; raises ``MissingSetting``."""
        value = self._variables.get(name, "")
        if not value:
            raise MissingSetting(name)
        return value

    def optional(self, name: str) -> str:
        """A variable that may be missing; an empty text then."""
        return self._variables.get(name, "")

    def number(self, name: str) -> int:
        """A whole number."""
        return int(self.text(name))

    def percent(self, name: str) -> float:
        """A share of a hundred, which may have decimals."""
        return float(self.text(name))

    def seconds(self, name: str) -> timedelta:
        """A duration given in seconds."""
        return timedelta(seconds=float(self.text(name)))

    def number_of_seconds(self, name: str) -> float:
        """A duration in seconds, as a number."""
        return float(self.text(name))

    def days(self, name: str) -> timedelta:
        """A duration given in days."""
        return timedelta(days=self.number(name))

    def url(self, name: str) -> str:
        """An address, without a slash in the end; a mere path is one of the local cloud's."""
        text = self.text(name)
        base = self.text("AWS_ENDPOINT_URL") if text.startswith("/") else ""
        return f"{base.rstrip('/')}{text.rstrip('/')}"

    def texts(self, name: str) -> tuple[str, ...]:
        """A JSON list; an unset variable is an empty one, which allows nothing."""
        return tuple(json.loads(self._variables.get(name) or "[]"))

    def words(self, name: str) -> tuple[str, ...]:
        """Words between commas, in which no word has one; none in an unset variable.

        A list in JSON takes two characters more for each, and all variables share 4 KB.
        """
        return tuple(filter(None, self._variables.get(name, "").split(",")))

    def lists(self, name: str) -> dict[str, tuple[str, ...]]:
        """A JSON object of lists; an unset variable is an empty one, which allows nothing."""
        given: dict[str, list[str]] = json.loads(self._variables.get(name) or "{}")
        return {each: tuple(texts) for each, texts in given.items()}

    def mapping(self, name: str) -> dict[str, Any]:
        """A JSON object; an unset variable is an empty one."""
        given: dict[str, Any] = json.loads(self._variables.get(name) or "{}")
        return given

    def quotas(self, name: str, *, unset: str = "") -> Quotas:
        """A JSON object of quotas; those that it leaves out, or has ``null``, have no limit."""
        return Quotas.of(json.loads(self._variables.get(name) or unset or self.text(name)))

    def queue_urls(self) -> dict[str, str]:
        """The run queues: ``<priority>-<class>`` to URL."""
        urls: dict[str, str] = json.loads(self.text("QUEUE_URLS"))
        return urls


class Settings:
    """Settings of a function: a dataclass in which each field is a ``setting``."""

    __slots__ = ()

    @classmethod
    def read(cls, env: Environment) -> Self:
        """Read from the environment; raises ``MissingSetting``."""
        own: tuple[Any, ...] = fields(cls)  # type: ignore[arg-type]
        return cls(**{each.name: each.metadata["read"](env) for each in own})


def setting(
    read: Callable[Concatenate[Environment, _Named], _Value],
    *named: _Named.args,
    **further: _Named.kwargs,
) -> _Value:
    """Declare a field that ``Settings.read`` reads so: ``setting(Environment.text, "STAGE")``."""
    value: Any = field(metadata={"read": lambda env: read(env, *named, **further)})
    return value  # type: ignore[no-any-return]
