"""Plaintext credentials are refused: every reader of a job, a DAG or a note would see them."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from timegate.domain.values.credential_rules import CREDENTIALS, found_by
from timegate.domain.values.errors import InvalidInput, TimegateError
from timegate.domain.values.redaction import is_reference, without_credentials
from timegate.domain.values.secret_names import is_placeholder, is_secret_name

#: Same as for other errors of fields: a body of a thousand passwords gets an answer of ordinary
#: size.
MAX_TOLD = 20
_MAX_PART = 100
_MAX_PLACE = 1_000
_MAY_HOLD_TEXT = (str, list, Mapping)
#: Members of a pair, as containers' environments, and tags and headers of AWS, write them.
_NAMES = ("name", "key", "Name", "Key")
_VALUES = frozenset({"value", "Value"})
#: A name or an index, and the place that it is in.
_Place: TypeAlias = tuple[str | int, "_Place | None"]
_REMEDY = "keep it in Secrets Manager or Parameter Store, and name that"


class PlaintextSecret(TimegateError):
    """The request has credentials in it: every place is named, without its text."""

    code = "plaintext_secret"

    def __init__(self, problems: list[InvalidInput]) -> None:
        super().__init__(f"Credentials stand in {len(problems)} places.")
        self.problems = tuple(problems)


def refuse_plaintext(value: object, field: str = "") -> None:
    """Refuse JSON in which a credential stands, by its looks or under a name that says secret.

    ``field``: where ``value`` itself stands. There is no way around it: a text that is mistaken for
    a credential can be split, and a secret can be named. Raises ``PlaintextSecret``.
    """
    problems: list[InvalidInput] = []
    for place, kind in _found(value, field):
        if len(problems) == MAX_TOLD:
            break
        problems.append(InvalidInput(place, "plaintext_secret", f"Here is {kind}: {_REMEDY}."))
    if problems:
        raise PlaintextSecret(problems)


def _found(value: object, field: str) -> Iterator[tuple[str, str]]:
    """Find credentials by place and kind, without recursion: JSON may be deeply nested."""
    waiting: list[tuple[_Place, object, bool]] = [((field, None), value, False)]
    while waiting:
        place, each, named_secret = waiting.pop()
        if isinstance(each, str):
            kinds = _kinds(each)
            if not kinds and named_secret and _may_be_secret(each):
                kinds = ["a secret, as its name says"]
            yield from ((_written(place), kind) for kind in kinds[:1])
        elif isinstance(each, Mapping):
            yield from ((_written(place), kind) for name in each for kind in _kinds(name))
            paired = _names_a_secret(each)
            members = [
                ((name, place), inner, is_secret_name(name) or (paired and name in _VALUES))
                for name, inner in each.items()
                if isinstance(inner, _MAY_HOLD_TEXT)
            ]
            waiting += reversed(members)
        elif isinstance(each, list):
            items = [
                ((index, place), item, named_secret)
                for index, item in enumerate(each)
                if isinstance(item, _MAY_HOLD_TEXT)
            ]
            waiting += reversed(items)


def _names_a_secret(pair: Mapping[str, object]) -> bool:
    """Tell if a mapping is a pair of a name that says secret, and a value.

    Containers' environments and tags are lists of such pairs.
    """
    if _VALUES.isdisjoint(pair):
        return False
    return any(isinstance(name := pair.get(each), str) and is_secret_name(name) for each in _NAMES)


def _written(place: _Place) -> str:
    """Write a place out as ``action.headers.X-Trace``."""
    parts: list[str] = []
    step: _Place | None = place
    while step is not None:
        name, step = step
        parts.append(without_credentials(str(name))[:_MAX_PART])
    return ".".join(parts[::-1]).removeprefix(".")[:_MAX_PLACE] or "body"


def _kinds(text: str) -> list[str]:
    return [found.kind for found in found_by(CREDENTIALS, text)]


def _may_be_secret(text: str) -> bool:
    return not is_reference(text) and not is_placeholder(text)
