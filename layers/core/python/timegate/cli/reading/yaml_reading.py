"""YAML and JSON that people write, read without surprises."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from timegate.cli.reading.json_lines import lines_of_elements
from timegate.declaring.json_reading import check_portable, read_json
from timegate.domain.values.errors import InvalidInput

_JSON_BEGINS = frozenset("{[")
#: Characters that aliases may add to those of a file.
_MAX_REPEATED = 10_000_000
#: Name of a text in the parser's errors, and a tab in front of a line.
_UNNAMED = 'in "<unicode string>", '
_TAB = r"character '\t' that cannot start"


class _Loader(yaml.SafeLoader):
    """YAML without surprises: no dates read by YAML's own rules, and no field twice.

    Truth values are those of YAML 1.2: ``on`` and ``no`` are a field's name and a country. Numbers
    that mean another one, or none, in YAML 1.2 are texts, as they are written.
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


#: Numbers of YAML 1.1 that are other ones in YAML 1.2, or none: ``18:00`` is a time of day and not
#: 1080, ``01067`` a postcode and not 567, ``1_000`` and ``0b11`` are words.
_UNLIKE = r"(?!.*[:_])(?![-+]?0[0-9b])"


def _plainly(tag: str, pattern: re.Pattern[str]) -> tuple[str, re.Pattern[str]]:
    """Read numbers on which the versions of YAML agree, and truth values of YAML 1.2."""
    if tag.endswith(":bool"):
        return tag, _TRUTH
    if not tag.endswith((":int", ":float")):
        return tag, pattern
    return tag, re.compile(f"{_UNLIKE}(?:{pattern.pattern})", pattern.flags)


_Loader.yaml_implicit_resolvers = {
    first: [_plainly(tag, pattern) for tag, pattern in resolvers if not tag.endswith(_TEXT)]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


#: A document, its line, and that of each element of a list in it; from 1.
Placed = tuple[Any, list[int]]


def load(text: str, what: str) -> object:
    """One document of JSON, or else YAML; raises ``InvalidInput``."""
    documents = load_all(text, what)
    _check_single(documents, what)
    return documents[0] if documents else None


def load_with_lines(text: str, what: str, *path: str) -> Placed:
    """Load one document, as ``load``, with the lines of the list at ``path``."""
    documents = load_all_with_lines(text, what, *path)
    _check_single(documents, what)
    return documents[0] if documents else (None, [1])


def load_all(text: str, what: str) -> list[Any]:
    """Every document of YAML, or the one of JSON; raises ``InvalidInput``.

    YAML reads some texts of JSON differently: ``1e5`` is no number, half a surrogate pair a
    character, and a tab no white space.
    """
    found = _json_of(text)
    return [document for document, _ in _yaml_of(text, what, ())] if found is None else [found]


def load_all_with_lines(text: str, what: str, *path: str) -> list[Placed]:
    """Load every document, as ``load_all``, with the lines of the list at ``path``.

    The text is parsed once: parsing YAML takes nearly all of the time of an import.
    """
    found = _json_of(text)
    if found is None:
        return _yaml_of(text, what, path)
    return [(found, lines_of_elements(text, *path))]


def _check_single(documents: Sequence[object], what: str) -> None:
    if len(documents) > 1:
        raise InvalidInput(what, "invalid_yaml", "It has more than one document.")


def _json_of(text: str) -> object:
    """Read an object or a list of JSON; ``None``: it is none."""
    if text.lstrip()[:1] not in _JSON_BEGINS:
        return None
    try:
        return read_json(text)
    except (ValueError, RecursionError):
        return None  # YAML can begin with a bracket, too; text that is neither is refused as YAML.


def _yaml_of(text: str, what: str, path: Sequence[str]) -> list[Placed]:
    try:
        placed = list(_constructed(text, path))
        documents = [document for document, _ in placed]
        if sum(_size(each, {}) for each in documents) > len(text) + _MAX_REPEATED:
            detail = f"Its aliases repeat more than {_MAX_REPEATED} characters."
            raise InvalidInput(what, "invalid_yaml", detail)
        # YAML can write values that no request can carry.
        check_portable(documents)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise InvalidInput(what, "invalid_yaml", f"It cannot be read: {_why(error)}") from error
    return placed


def _constructed(text: str, path: Sequence[str]) -> Iterator[Placed]:
    loader = _Loader(text)
    try:
        while loader.check_node():
            node: Any = loader.get_node()
            # Construction merges mappings into the nodes: lines are those that are written.
            lines = _lines_of(node, path)
            yield loader.construct_document(node), lines
    finally:
        loader.dispose()


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


def _lines_of(document: yaml.Node, path: Sequence[str]) -> list[int]:
    node: yaml.Node | None = document
    for name in path:
        members = node.value if isinstance(node, yaml.MappingNode) else []
        node = next((value for key, value in members if key.value == name), None)
    elements = node.value if isinstance(node, yaml.SequenceNode) else []
    return [each.start_mark.line + 1 for each in (document, *elements)]
