"""YAML and JSON that people write, read without surprises."""

import json
import re
from collections.abc import Hashable
from typing import Any

import yaml

from timegate.domain.values.errors import InvalidInput


class _Loader(yaml.SafeLoader):
    """YAML without surprises: no dates read by YAML's own rules, and no field twice.

    Truth values are those of YAML 1.2: ``on`` and ``no`` are a field's name and a country.
    """

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """Build a mapping, and refuse keys that the parent would silently drop."""
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    detail = f"It is written again in line {key.start_mark.line + 1}."
                    raise InvalidInput(key.value, "there_twice", detail)
                seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object of JSON as ``_Loader`` builds a mapping."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidInput(twice, "there_twice", "It is written again in the same object.")
    return fields


#: Every other word, such as ``on``, is text.
_TRUTH = re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z")


def _plainly(tag: str, pattern: re.Pattern[str]) -> tuple[str, re.Pattern[str]]:
    """Numbers without colons: 18:00 is a time of day, and not 1080. Truth values of YAML 1.2."""
    if tag.endswith(":bool"):
        return tag, _TRUTH
    if not tag.endswith((":int", ":float")):
        return tag, pattern
    return tag, re.compile(f"(?!.*:)(?:{pattern.pattern})", pattern.flags)


_Loader.yaml_implicit_resolvers = {
    first: [_plainly(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def load(text: str, what: str) -> object:
    """One document of JSON, or else YAML; raises ``InvalidInput``."""
    if text.lstrip().startswith("{"):
        try:
            return json.loads(text, object_pairs_hook=_once)
        except (ValueError, RecursionError):
            pass  # YAML can begin with a brace, too; what is neither is refused below.
    documents = load_all(text, what)
    if len(documents) > 1:
        raise InvalidInput(what, "invalid_yaml", "It has more than one document.")
    return documents[0] if documents else None


def load_all(text: str, what: str) -> list[Any]:
    """Every document of YAML, of which JSON is a part; raises ``InvalidInput``."""
    try:
        documents = list(yaml.load_all(text, Loader=_Loader))
        # YAML can write values that no request can carry.
        json.dumps(documents, allow_nan=False)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        why = " ".join(str(error).split())
        raise InvalidInput(what, "invalid_yaml", f"It cannot be read: {why}") from error
    return documents


def item_lines(text: str) -> list[list[int]]:
    """Find the line of each document, and of each element of its ``items``; from 1.

    The text is one that ``load_all`` has read.
    """
    return [_lines_of(node) for node in yaml.compose_all(text, Loader=_Loader) if node is not None]


def _lines_of(node: yaml.Node) -> list[int]:
    lines = [node.start_mark.line + 1]
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == "items" and isinstance(value, yaml.SequenceNode):
                lines += [each.start_mark.line + 1 for each in value.value]
    return lines
