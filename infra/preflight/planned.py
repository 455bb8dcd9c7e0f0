"""The stage that a cloud assembly would deploy."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.stage.given.choices import CHOICES_OUTPUT, read_choices

#: A template, or part of one.
Json = Any


@dataclass(frozen=True, kw_only=True)
class Planned:
    """The state that a deployment would leave behind."""

    #: In the order in which they are deployed.
    stacks: tuple[str, ...]
    choices: Mapping[str, str]
    exports: frozenset[str]
    #: The stacks that would import each export.
    imports: Mapping[str, frozenset[str]]
    #: Environments that each function would have to itself.
    reserved: Mapping[str, int]
    #: Keys of the stacks' outputs.
    outputs: frozenset[str] = frozenset()
    #: The Region that the stacks name, as those of a pair do; ``None``: that of the credentials.
    region: str | None = None


def read_planned(assembly: Path) -> Planned:
    """Read the assembly; raises ``FileNotFoundError`` where nothing was synthesised."""
    templates = dict(_templates(assembly))
    outputs = [each for t in templates.values() for each in t.get("Outputs", {}).items()]
    recorded = [body["Value"] for name, body in outputs if name == CHOICES_OUTPUT]
    return Planned(
        stacks=tuple(templates),
        choices=read_choices(recorded[0]) if recorded else {},
        exports=frozenset(body["Export"]["Name"] for _, body in outputs if "Export" in body),
        imports=_importers(templates),
        reserved=dict(_reserved(templates)),
        outputs=frozenset(name for name, _ in outputs),
        region=_region(assembly),
    )


def _region(assembly: Path) -> str | None:
    """Read where stacks are deployed: ``aws://ACCOUNT/REGION``, with words for what is unknown."""
    named = {said["environment"].rpartition("/")[2] for _, said in _stacks(assembly)}
    return next(iter(sorted(named - {"unknown-region"})), None)


def _templates(assembly: Path) -> Iterator[tuple[str, Json]]:
    for name, artifact in _stacks(assembly):
        said = artifact["properties"]
        stack = said.get("stackName", name)
        yield stack, json.loads((assembly / said["templateFile"]).read_text())


def _stacks(assembly: Path) -> Iterator[tuple[str, Json]]:
    manifest = json.loads((assembly / "manifest.json").read_text())
    for name, artifact in manifest["artifacts"].items():
        if artifact["type"] == "aws:cloudformation:stack":
            yield name, artifact


def _importers(templates: Mapping[str, Json]) -> dict[str, frozenset[str]]:
    pairs = [(name, stack) for stack, t in templates.items() for name in imported(t)]
    return {name: frozenset(stack for each, stack in pairs if each == name) for name, _ in pairs}


def imported(value: Json) -> Iterator[str]:
    """The name of every export that a template imports."""
    if isinstance(value, list):
        for each in value:
            yield from imported(each)
    elif isinstance(value, dict):
        if isinstance(value.get("Fn::ImportValue"), str):
            yield value["Fn::ImportValue"]
        for each in value.values():
            yield from imported(each)


def _reserved(templates: Mapping[str, Json]) -> Iterator[tuple[str, int]]:
    for template in templates.values():
        for resource in template["Resources"].values():
            properties = resource.get("Properties", {})
            if "ReservedConcurrentExecutions" in properties:
                yield properties["FunctionName"], properties["ReservedConcurrentExecutions"]
