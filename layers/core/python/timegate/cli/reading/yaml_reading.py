"""YAML and JSON that people write, read without surprises."""

import re
from collections.abc import Iterable
from typing import Any

import yaml

from timegate.cli.reading.json_lines import lines_of_elements
from timegate.cli.reading.json_reading import check_portable, read_json
from timegate.domain.values.errors import InvalidInput

_JSON_BEGINS = frozenset("{[")
#: Characters that aliases may add to those of a file.
_MAX_REPEATED = 10_000_000
#: Name of a text in the parser's errors, and a tab in front of a line.
_UNNAMED = 'in "<unicode string>", '
_TAB = r"character '\t' that cannot start"


class _Loader(yaml.SafeLoader):
    """YAML without surprises: no dates read by YAML's own rules, and no field twice.

    Truth values are those of YAML 1.2: ``on`` and ``no`` are a field's name and a country.
    """

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:  # noqa: ANN401 - its stub
        """Read a mapping, and refuse keys that its construction would silently drop.

        A merge may bring a key that is written beside it: construction meets both.
        """
        node: yaml.MappingNode = super().compose_mapping_node(anchor)
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    detail = f"It is written again in line {key.start_mark.line + 1}."
                    raise InvalidInput(key.value, "there_twice", detail)
                seen.add(key.value)
        return node

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Merge, and keep the last value of each key: merges of merges would multiply them."""
        super().flatten_mapping(node)
        kept = {
            key.value if isinstance(key, yaml.ScalarNode) else key: (key, value)
            for key, value in node.value
        }
        node.value = list(kept.values())


#: Every other word, such as ``on``, is text.
_TRUTH = re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z")


#: Dates, and ``=``, are text.
_TEXT = (":timestamp", ":value")


def _plainly(tag: str, pattern: re.Pattern[str]) -> tuple[str, re.Pattern[str]]:
    """Numbers without colons: 18:00 is a time of day, and not 1080. Truth values of YAML 1.2."""
    if tag.endswith(":bool"):
        return tag, _TRUTH
    if not tag.endswith((":int", ":float")):
        return tag, pattern
    return tag, re.compile(f"(?!.*:)(?:{pattern.pattern})", pattern.flags)


_Loader.yaml_implicit_resolvers = {
    first: [_plainly(tag, pattern) for tag, pattern in resolvers if not tag.endswith(_TEXT)]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def load(text: str, what: str) -> object:
    """One document of JSON, or else YAML; raises ``InvalidInput``."""
    documents = load_all(text, what)
    if len(documents) > 1:
        raise InvalidInput(what, "invalid_yaml", "It has more than one document.")
    return documents[0] if documents else None


def load_all(text: str, what: str) -> list[Any]:
    """Every document of YAML, or the one of JSON; raises ``InvalidInput``.

    YAML reads some texts of JSON differently: ``1e5`` is no number, half a surrogate pair a
    character, and a tab no white space.
    """
    if text.lstrip()[:1] in _JSON_BEGINS:
        try:
            return [read_json(text)]
        except (ValueError, RecursionError):
            pass  # YAML can begin with a bracket, too; what is neither is refused below.
    try:
        documents = list(yaml.load_all(text, Loader=_Loader))
        if sum(_size(each, {}) for each in documents) > len(text) + _MAX_REPEATED:
            detail = f"Its aliases repeat more than {_MAX_REPEATED} characters."
            raise InvalidInput(what, "invalid_yaml", detail)
        # YAML can write values that no request can carry.
        check_portable(documents)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise InvalidInput(what, "invalid_yaml", f"It cannot be read: {_why(error)}") from error
    return documents


def _why(error: Exception) -> str:
    """Return a parser's words in a line, without the name that it gives to a text in memory."""
    why = " ".join(str(error).split()).replace(_UNNAMED, "in ")
    return f"{why} Indent by blanks: YAML takes no tabs." if _TAB in why else why


def _size(value: object, known: dict[int, int]) -> int:
    """Count the characters of a value, and one for each inner value; aliases count again.

    Raises ``ValueError`` for a value that holds itself.
    """
    if isinstance(value, str):
        return len(value)
    inner = [*value, *value.values()] if isinstance(value, dict) else value
    if not isinstance(inner, list | tuple):
        return 1
    if id(value) not in known:
        known[id(value)] = 0
        known[id(value)] = sum((_size(each, known) for each in inner), len(inner) + 1)
    if not known[id(value)]:
        message = "an anchor holds itself"
        raise ValueError(message)
    return known[id(value)]


def item_lines(text: str, *path: str) -> list[list[int]]:
    """Find the line of each document, and of each element of the list at ``path``; from 1.

    The text is one that ``load_all`` has read.
    """
    if text.lstrip()[:1] in _JSON_BEGINS:
        try:
            return [lines_of_elements(text, *path)]
        except (ValueError, RecursionError):
            pass  # It is YAML that begins with a bracket.
    return [_lines_of(node, path) for node in yaml.compose_all(text, Loader=_Loader)]


def _lines_of(document: yaml.Node, path: Iterable[str]) -> list[int]:
    node: yaml.Node | None = document
    for name in path:
        members = node.value if isinstance(node, yaml.MappingNode) else []
        node = next((value for key, value in members if key.value == name), None)
    elements = node.value if isinstance(node, yaml.SequenceNode) else []
    return [each.start_mark.line + 1 for each in (document, *elements)]
