"""Answers of the release before, which lack what this command line knows.

People bring their command line up to date before their stage, and a stage may be taken back.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, placeholder
from tests.functional.cli.showing.test_presentation import DRAWN, NOT_ALONE
from tests.functional.cli.terminal.test_every_operation import COMMANDS, DOCUMENT, described
from tests.support.releases.earlier_release import NOT_IN_HISTORY, commit_before, earlier_text

Timegate = Callable[..., Outcome]
EARLIER = json.loads(earlier_text("docs/reference/openapi.json") or '{"paths": {}}')
#: Values of scalar types; other texts than dates may be instants.
_INSTANT = "2026-11-21T07:00:00.000Z"
_SCALARS = {"string": _INSTANT, "boolean": True, "integer": 1, "number": 1}
#: Answers to each operation: they differ in the members of their unions.
_CHOICES = 3


def filled(schema: dict[str, Any], document: dict[str, Any], choice: int) -> Any:  # noqa: ANN401 - any JSON
    """Return a value that has every property; ``choice`` says which member of each union."""
    schema = _chosen(schema, document, choice)
    if "properties" in schema:
        named = schema["properties"]
        return {name: filled(each, document, choice) for name, each in named.items()}
    if "items" in schema:
        return [filled(schema["items"], document, choice)]
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    kind = schema.get("type", "object")
    return "2026-11-21" if schema.get("format") == "date" else _SCALARS.get(kind, {})


def _chosen(schema: dict[str, Any], document: dict[str, Any], choice: int) -> dict[str, Any]:
    """Follow references, and choose members of unions."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return _chosen(document["components"]["schemas"][name], document, choice)
    union = schema.get("oneOf", schema.get("anyOf", []))
    members = [each for each in union if each.get("type") != "null"]
    return _chosen(members[choice % len(members)], document, choice) if members else schema


def answers(name: str, document: dict[str, Any]) -> dict[tuple[int, int], Any]:
    """Return answers that a release may give to an operation, by status and choice."""
    method, path = described()[name]
    operation = document["paths"].get(path, {}).get(method.lower(), {})
    found: dict[tuple[int, int], Any] = {}
    for status, response in operation.get("responses", {}).items():
        schema = response.get("content", {}).get("application/json", {}).get("schema")
        if status.startswith("2") and schema is not None:
            each = ((choice, filled(schema, document, choice)) for choice in range(_CHOICES))
            found |= {(int(status), choice): answer for choice, answer in each}
    return found


#: Operations whose answers have changed.
CHANGED = [
    name
    for name in sorted(COMMANDS.keys() - DRAWN - NOT_ALONE)
    if answers(name, EARLIER) and answers(name, EARLIER) != answers(name, DOCUMENT)
]


@pytest.mark.parametrize("name", CHANGED or ["getJob"])
def test_an_earlier_answer_is_shown(
    api: FakeApi, timegate: Timegate, tmp_path: Path, name: str
) -> None:
    """A change was made: a command that misses a field would say that it failed."""
    if commit_before() is None:
        pytest.skip(NOT_IN_HISTORY)
    (tmp_path / "list.json").write_text("[{}]")
    words = COMMANDS[name].replace("LIST", str(tmp_path / "list.json")).split()
    present = answers(name, DOCUMENT)
    for place, earlier in answers(name, EARLIER).items():
        said = []
        for answer in (earlier, present[place]):
            api.will(placeholder(answer, place[0]))
            said.append("lacks" in timegate(*words, stdin="{}").err)

        # A member of a union may answer another command than this one.
        assert said[0] <= said[1]
