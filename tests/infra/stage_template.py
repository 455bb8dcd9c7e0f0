"""Reads a synthesised stage the way a reviewer would: by names and meanings, not logical ids."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

Properties = Mapping[str, Any]


@dataclass(frozen=True)
class Resource:
    """One resource, its references resolved to construct paths (``Jobs/Table.Arn``)."""

    #: The construct path below the stack, without CDK's final ``Resource``.
    path: str
    type: str
    properties: Properties
    deletion_policy: str
    stack: str
    #: Paths of what it waits for at creation, and what waits for it at deletion.
    depends_on: frozenset[str]


@dataclass(frozen=True)
class Grant:
    """One action a role may perform on one resource."""

    action: str
    resource: str


class StageTemplate:
    """All the stacks of one stage, read together."""

    def __init__(self, assembly: Path) -> None:
        self.assembly = assembly
        self._artifacts: dict[str, Any] = {
            artifact["properties"].get("stackName", name): {**artifact, "id": name}
            for name, artifact in _artifacts(assembly).items()
            if artifact["type"] == "aws:cloudformation:stack"
        }
        by_stack = {
            stack: assembly / artifact["properties"]["templateFile"]
            for stack, artifact in sorted(self._artifacts.items())
        }
        self.files = list(by_stack.values())
        self._stacks: dict[str, Any] = {
            stack: json.loads(path.read_text()) for stack, path in by_stack.items()
        }

    def text(self, stack: str) -> str:
        """The template of a stack, in an order of its own."""
        return json.dumps(self._stacks[stack], sort_keys=True)

    def of_type(self, resource_type: str) -> list[Resource]:
        """Every resource of a CloudFormation type."""
        return [each for each in self.resources if each.type == resource_type]

    def one(self, path: str) -> Resource:
        """The resource at a construct path."""
        (found,) = [each for each in self.resources if each.path == path]
        return found

    def function(self, name: str) -> Resource:
        """A function by its name without prefix: ``planner``, ``executor-low-long``."""
        (found,) = [
            each
            for each in self.of_type("AWS::Lambda::Function")
            if each.properties["FunctionName"].split("-", 2)[2] == name
        ]
        return found

    def behind(self, reference: str) -> str:
        """The path of the function whose alias is referred to."""
        (alias,) = [
            each
            for each in self.of_type("AWS::Lambda::Alias")
            if each.path == reference.removesuffix(".Arn")
        ]
        path: str = alias.properties["FunctionName"]
        return path

    def update_policies(self, resource_type: str) -> dict[str, Any]:
        """The update policies of a type's resources, by construct path; those without are none."""
        return {
            self._path(stack, logical_id): self._resolve(stack, body["UpdatePolicy"])
            for stack, template in self._stacks.items()
            for logical_id, body in template["Resources"].items()
            if body["Type"] == resource_type and "UpdatePolicy" in body
        }

    def grants(self, function: str) -> set[Grant]:
        """Return the grants of a function's role."""
        return self.grants_of_role(self._role(function))

    def statements(self, function: str) -> list[dict[str, Any]]:
        """The statements of a function's role, conditions included."""
        return self.statements_of_role(self._role(function))

    def statements_of_role(self, role: str) -> list[dict[str, Any]]:
        """The statements of the role at a construct path."""
        return self._statements(role)

    def grants_of_role(self, role: str) -> set[Grant]:
        """Return the grants of the role at a construct path."""
        return {
            Grant(action, resource)
            for statement in self._statements(role)
            if statement["Effect"] == "Allow"
            for action in listed(statement["Action"])
            for resource in listed(statement["Resource"])
        }

    def _role(self, function: str) -> str:
        role: str = self.function(function).properties["Role"]
        return role.removesuffix(".Arn")

    def _statements(self, role: str) -> list[dict[str, Any]]:
        return [
            statement
            for policy in self.of_type("AWS::IAM::Policy")
            if role in policy.properties["Roles"]
            for statement in policy.properties["PolicyDocument"]["Statement"]
        ]

    @cached_property
    def roles(self) -> list[str]:
        """Every role's path."""
        return [role.path for role in self.of_type("AWS::IAM::Role")]

    @cached_property
    def stack_dependencies(self) -> Mapping[str, frozenset[str]]:
        """The stacks that are deployed before each stack, and deleted after it."""
        names = {artifact["id"]: stack for stack, artifact in self._artifacts.items()}
        return {
            stack: frozenset(
                names[each] for each in artifact.get("dependencies", []) if each in names
            )
            for stack, artifact in self._artifacts.items()
        }

    @property
    def stacks(self) -> list[str]:
        """The names of the stacks, as CloudFormation knows them."""
        return [*self._stacks]

    @cached_property
    def outputs(self) -> dict[str, Any]:
        """The outputs made for people, by name."""
        return {
            name: self._resolve(stack, output["Value"])
            for stack, template in self._stacks.items()
            for name, output in template.get("Outputs", {}).items()
            if "Export" not in output
        }

    @cached_property
    def resources(self) -> list[Resource]:
        """Every resource of every stack."""
        return list(self._read())

    def _read(self) -> Iterator[Resource]:
        for stack, template in self._stacks.items():
            for logical_id, body in template["Resources"].items():
                yield Resource(
                    path=self._path(stack, logical_id),
                    type=body["Type"],
                    properties=self._resolve(stack, body.get("Properties", {})),
                    deletion_policy=body.get("DeletionPolicy", "Delete"),
                    stack=stack,
                    depends_on=frozenset(
                        self._path(stack, each) for each in listed(body.get("DependsOn", []))
                    ),
                )

    def _path(self, stack: str, logical_id: str) -> str:
        metadata = self._stacks[stack]["Resources"][logical_id].get("Metadata", {})
        path: str = metadata.get("aws:cdk:path", logical_id)
        around = self._artifacts[stack].get("displayName", stack)
        return path.removeprefix(f"{around}/").removesuffix("/Resource")

    def _resolve(self, stack: str, value: object) -> Any:  # noqa: ANN401 - any JSON value
        if isinstance(value, list):
            return [self._resolve(stack, each) for each in value]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            ((function, argument),) = value.items()
            if function in _INTRINSICS:
                return self._intrinsic(stack, function, argument)
        return {key: self._resolve(stack, each) for key, each in value.items()}

    def _intrinsic(self, stack: str, function: str, argument: Any) -> str:  # noqa: ANN401
        if function == "Ref":
            pseudo = argument.startswith("AWS::")
            return f"<{argument}>" if pseudo else self._path(stack, argument)
        if function == "Fn::GetAtt":
            return f"{self._path(stack, argument[0])}.{argument[1]}"
        if function == "Fn::Join":
            glue, parts = argument
            return str(glue.join(str(self._resolve(stack, part)) for part in parts))
        exporter, value = self._exports[argument]
        return str(self._resolve(exporter, value))

    @cached_property
    def _exports(self) -> dict[str, tuple[str, Any]]:
        return {
            output["Export"]["Name"]: (stack, output["Value"])
            for stack, template in self._stacks.items()
            for output in template.get("Outputs", {}).values()
            if "Export" in output
        }


def _artifacts(assembly: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((assembly / "manifest.json").read_text())["artifacts"]
    return found


_INTRINSICS = frozenset({"Ref", "Fn::GetAtt", "Fn::Join", "Fn::ImportValue"})


def listed(value: Any) -> list[str]:  # noqa: ANN401 - a string or a list of them
    """Return a policy's list, which may leave the brackets out."""
    return value if isinstance(value, list) else [value]
