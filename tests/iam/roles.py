"""The roles of a synthesised stage, and what they deny."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.iam.api_calls import ACCOUNT, REGION, TARGETS_ROLE
from tests.iam.evaluator import (
    Decision,
    Request,
    Statement,
    decide,
    is_covered,
    is_like,
    listed,
)
from tests.iam.recording import TARGETS
from tests.infra.stage_template import StageTemplate

_PLACE = {
    "<AWS::Partition>": "aws",
    "<AWS::Region>": REGION,
    "<AWS::AccountId>": ACCOUNT,
}


@dataclass(frozen=True, kw_only=True, order=True)
class Right:
    """One action on one resource that a statement allows."""

    action: str
    resource: str
    #: Tells two statements apart that allow the same under other conditions.
    condition: str = ""

    def covers(self, request: Request) -> bool:
        """Tell if it may allow a request: taking it away changes the decision about no other."""
        return is_like(self.action.lower(), request.action.lower()) and is_covered(
            self.resource, request
        )

    def __str__(self) -> str:
        return f"{self.action} on {self.resource}{self.condition}"


#: Actions whose condition keys the Service Authorization Reference lists: ``kms:ViaService``, the
#: encryption context, ``ecs:cluster``, ``iam:PassedToService``.
_RELIED_ON = ("kms:", "ecs:", "iam:PassRole")


def decision(statements: Iterable[Statement], request: Request) -> Decision:
    """Decide as IAM does, once with the service's keys and once without: the stricter answer.

    Rights that are granted under a key of ``_RELIED_ON`` need the key.
    """
    told = list(statements)
    if request.action.startswith(_RELIED_ON):
        return decide(told, request)
    found = {decide(told, request), decide(told, request.without_context())}
    worst = (Decision.EXPLICIT_DENY, Decision.IMPLICIT_DENY, Decision.ALLOWED)
    return next(each for each in worst if each in found)


class Roles:
    """Each function's statements, with placeholders filled in."""

    def __init__(self, template: StageTemplate) -> None:
        self._template = template
        self.of = cache(self._of)

    def _of(self, function: str) -> tuple[Statement, ...]:
        if function == TARGETS:
            return self.of_role(TARGETS_ROLE.removesuffix(".Arn"))
        return tuple(_filled(each) for each in self._template.statements(function))

    def of_role(self, path: str) -> tuple[Statement, ...]:
        """Return the statements of a role that belongs to no function of ours, by its path."""
        return tuple(_filled(each) for each in self._template.statements_of_role(path))

    def denials(self, function: str, requests: Iterable[Request]) -> list[str]:
        """Every request that is not allowed, in words."""
        return denials(function, self.of(function), requests)


def denials(name: str, statements: Iterable[Statement], requests: Iterable[Request]) -> list[str]:
    """Return the requests that a role does not allow."""
    told = list(statements)
    decided = ((request, decision(told, request)) for request in requests)
    return sorted(
        f"{name}: {found}: {request}" for request, found in decided if found != Decision.ALLOWED
    )


def rights(statements: Iterable[Statement]) -> Iterator[Right]:
    """Everything that is allowed, action by action and resource by resource."""
    for each in statements:
        if each["Effect"] == "Allow":
            for action in listed(each["Action"]):
                for resource in listed(each["Resource"]):
                    yield Right(action=action, resource=resource, condition=_bound(each))


def without(statements: Iterable[Statement], right: Right) -> list[Statement]:
    """A copy of the statements that lacks one right."""
    return [part for each in statements for part in _parts(each, right)]


def _parts(statement: Statement, right: Right) -> Iterator[Statement]:
    """A statement, taken apart where it allows the right."""
    actions = listed(statement.get("Action", []))
    resources = listed(statement.get("Resource", []))
    if (
        statement["Effect"] != "Allow"
        or right.action not in actions
        or right.resource not in resources
        or right.condition != _bound(statement)
    ):
        yield statement
        return
    others = [each for each in actions if each != right.action]
    elsewhere = [each for each in resources if each != right.resource]
    if others:
        yield {**statement, "Action": others}
    if elsewhere:
        yield {**statement, "Action": right.action, "Resource": elsewhere}


def _bound(statement: Statement) -> str:
    conditions = statement.get("Condition", {})
    return "".join(
        f" if {', '.join(listed(wanted))}"
        for keys in conditions.values()
        for wanted in keys.values()
    )


def _filled(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, str):
        for placeholder, text in _PLACE.items():
            value = value.replace(placeholder, text)
        return value
    if isinstance(value, Mapping):
        return {key: _filled(each) for key, each in value.items()}
    return [_filled(each) for each in value] if isinstance(value, list) else value
