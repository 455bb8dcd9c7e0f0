"""The evaluator decides as IAM does, both sides of every rule."""

from typing import Any

import pytest

from tests.iam.evaluator import Decision, Request, Unmodelled, decide

ALLOWED, DENIED, REFUSED = Decision.ALLOWED, Decision.IMPLICIT_DENY, Decision.EXPLICIT_DENY
KEYS = "dynamodb:LeadingKeys"


def statement(effect: str = "Allow", **elements: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return {"Effect": effect, "Action": "db:Get", "Resource": "table", **elements}


def asked(
    *keys: str, action: str = "db:Get", resource: str = "table", absent: bool = False
) -> Request:
    context = () if absent else ((KEYS, keys),)
    return Request(action=action, resource=resource, context=context)


def bound(operator: str, *patterns: str, effect: str = "Allow") -> dict[str, Any]:
    return statement(effect, Condition={operator: {KEYS: list(patterns)}})


def test_nothing_is_allowed_that_no_statement_allows() -> None:
    """No statement, another action, another resource."""
    assert decide([], asked()) is DENIED
    assert decide([statement(Action="db:Put")], asked()) is DENIED
    assert decide([statement(Resource="table/index/due")], asked()) is DENIED
    assert decide([statement()], asked()) is ALLOWED


def test_a_denial_wins_in_any_order() -> None:
    """Also over an allowance of more."""
    for statements in ([statement("Deny"), statement()], [statement(), statement("Deny")]):
        assert decide(statements, asked()) is REFUSED


def test_a_denial_of_something_else_changes_nothing() -> None:
    """It has to match as a whole."""
    assert decide([statement(), statement("Deny", Action="db:Put")], asked()) is ALLOWED
    assert decide([statement(), statement("Deny", Resource="other")], asked()) is ALLOWED
    assert decide([statement("Deny", Action="db:Put")], asked()) is DENIED


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("a*", "a", True),
        ("a*", "a/b:c", True),
        ("a*", "ba", False),
        ("a?", "ab", True),
        ("a?", "a", False),
        ("a.c", "abc", False),
        ("table", "table/index/due", False),
        ("table/index/*", "table/index/due", True),
        ("*:timegate-target-*", "arn:aws:sqs:r:1:timegate-target-x", True),
        ("A", "a", False),
    ],
)
def test_wildcards_of_resources(pattern: str, text: str, fits: bool) -> None:
    """``*`` and ``?`` alone are special, and letters have a case."""
    found = decide([statement(Resource=pattern)], asked(resource=text))

    assert found is (ALLOWED if fits else DENIED)


def test_actions_have_no_case() -> None:
    """AWS compares them without."""
    assert decide([statement(Action="DB:get*")], asked(action="db:GetItem")) is ALLOWED


def test_not_action_and_not_resource_match_the_rest() -> None:
    """An element and its negation exclude each other."""
    rest = {"Effect": "Allow", "NotAction": "db:Put", "Resource": "*"}
    assert decide([rest], asked()) is ALLOWED
    assert decide([rest], asked(action="db:Put")) is DENIED

    elsewhere = {"Effect": "Allow", "Action": "db:Get", "NotResource": ["table"]}
    assert decide([elsewhere], asked()) is DENIED
    assert decide([elsewhere], asked(resource="other")) is ALLOWED


def test_for_all_values_holds_for_none() -> None:
    """An absent key, and an empty one, satisfy it: it binds nothing that tells no keys."""
    policy = [bound("ForAllValues:StringLike", "a#*", "b")]

    assert decide(policy, asked("a#1", "b")) is ALLOWED
    assert decide(policy, asked("a#1", "c")) is DENIED
    assert decide(policy, asked()) is ALLOWED
    assert decide(policy, asked(absent=True)) is ALLOWED


def test_for_any_value_fails_for_none() -> None:
    """A denial by it does not meet a request without the key."""
    policy = [statement(), bound("ForAnyValue:StringLike", "tenants", effect="Deny")]

    assert decide(policy, asked("a", "tenants")) is REFUSED
    assert decide(policy, asked("a")) is ALLOWED
    assert decide(policy, asked()) is ALLOWED
    assert decide(policy, asked(absent=True)) is ALLOWED


def test_a_condition_of_one_value_needs_the_key() -> None:
    """Its negation does not, and neither does ``IfExists``."""
    assert decide([bound("StringEquals", "a")], asked("a")) is ALLOWED
    assert decide([bound("StringEquals", "a")], asked("a*")) is DENIED
    assert decide([bound("StringEquals", "a")], asked(absent=True)) is DENIED
    assert decide([bound("StringEqualsIfExists", "a")], asked(absent=True)) is ALLOWED
    assert decide([bound("StringEqualsIfExists", "a")], asked("b")) is DENIED
    assert decide([bound("StringNotEquals", "a")], asked(absent=True)) is ALLOWED
    assert decide([bound("StringNotEquals", "a", "b")], asked("b")) is DENIED
    assert decide([bound("StringNotLike", "a*")], asked("b")) is ALLOWED


def test_null_asks_for_the_absence_of_a_key() -> None:
    """``true``: absent; ``false``: present."""
    assert decide([bound("Null", "true")], asked(absent=True)) is ALLOWED
    assert decide([bound("Null", "true")], asked("a")) is DENIED
    assert decide([bound("Null", "false")], asked("a")) is ALLOWED


def test_all_conditions_have_to_hold() -> None:
    """Operators and keys are joined by and, values by or."""
    both = {"StringLike": {KEYS: ["a*", "b*"]}, "StringNotEquals": {KEYS: ["ab"]}}
    policy = [statement(Condition=both)]

    assert decide(policy, asked("ac")) is ALLOWED
    assert decide(policy, asked("b")) is ALLOWED
    assert decide(policy, asked("ab")) is DENIED


@pytest.mark.parametrize(
    "unknown",
    [
        statement(Principal="*"),
        statement("Maybe"),
        statement(NotAction="db:Put"),
        statement(Resource="${aws:username}"),
        statement(Condition={"IpAddress": {KEYS: ["10.0.0.0/8"]}}),
        statement(Condition={"ForSomeValues:StringLike": {KEYS: ["a"]}}),
        statement(Condition={"StringEquals": {KEYS: ["a"]}}),
    ],
)
def test_what_is_not_modelled_is_refused(unknown: dict[str, Any]) -> None:
    """A model that skips what it does not know is kinder than AWS."""
    with pytest.raises(Unmodelled):
        decide([unknown], asked("a", "b"))


@pytest.mark.parametrize(
    ("tag", "resource", "expected"),
    [("a", "q-a-x", ALLOWED), ("b", "q-a-x", DENIED), (None, "q-a-x", DENIED)],
)
def test_a_tag_of_the_session_is_put_into_resources(
    tag: str | None, resource: str, expected: Decision
) -> None:
    """One that is missing matches nothing."""
    policy = [statement(Resource="q-${aws:PrincipalTag/tenant}-*")]
    context = (("aws:PrincipalTag/tenant", (tag,)),) if tag else ()
    request = Request(action="db:Get", resource=resource, context=context)

    assert decide(policy, request) is expected


@pytest.mark.parametrize(
    ("tag", "cluster", "expected"),
    [("a", "c-a-x", ALLOWED), ("b", "c-a-x", DENIED), (None, "c-a-x", DENIED)],
)
def test_a_tag_of_the_session_is_put_into_conditions(
    tag: str | None, cluster: str, expected: Decision
) -> None:
    """One that is missing matches nothing, and is refused where that would hold."""
    tags = (("aws:PrincipalTag/tenant", (tag,)),) if tag else ()
    context = (*tags, ("ecs:cluster", (cluster,)))
    request = Request(action="db:Get", resource="table", context=context)

    def policy(operator: str) -> list[dict[str, Any]]:
        wanted = {operator: {"ecs:cluster": "c-${aws:PrincipalTag/tenant}-*"}}
        return [statement(Condition=wanted)]

    assert decide(policy("ArnLike"), request) is expected
    if tag is None:
        with pytest.raises(Unmodelled):
            decide(policy("ArnNotLike"), request)
