"""A tenant's pattern never opens another tenant's resources."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timegate.domain.actions.kinds.sqs import SqsAction
from timegate.domain.actions.target_names import MAX_FORM, matches, name_form
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TENANT_NAME, TenantId

PLACE = "eu-central-1:111122223333"
RULES = TargetRules(
    allowed={
        "lambda": (f"arn:aws:lambda:{PLACE}:function:timegate-target-{{tenant}}-*",),
        "sqs": (f"arn:aws:sqs:{PLACE}:timegate-target-{{tenant}}-*",),
        "sns": (f"arn:aws:sns:{PLACE}:timegate-target-{{tenant}}-*",),
        "eventbridge": (f"arn:aws:events:{PLACE}:event-bus/timegate-target-{{tenant}}-*",),
        "stepfunctions": (f"arn:aws:states:{PLACE}:stateMachine:timegate-target-{{tenant}}-*",),
    },
    allowed_secrets=(
        f"arn:aws:secretsmanager:{PLACE}:secret:timegate-target/{{tenant}}/*",
        f"arn:aws:ssm:{PLACE}:parameter/timegate-target/{{tenant}}/*",
    ),
)
#: Chosen to be taken for one another; the last three no token can carry.
HOSTILE = [
    *("a", "a-b", "a-", "a_b", "a_2db", "a.b", "a|b", "a:b", "a@b", "A", "ab", "a--b", "a_"),
    *("target", "x" * 128, "x" * 127, "-".join("x" * 60), f"_h{'0' * 32}", "*", "?", "[a-z]"),
]


def allowed(caller: str, owner: str) -> list[bool]:
    """Return for each kind whether one tenant may name another's resource."""
    tenant, mine = TenantId(caller), f"timegate-target-{name_form(TenantId(owner))}-x"
    kept = f"timegate-target/{name_form(TenantId(owner))}/x"
    secret = SecretRef(secret_arn=f"arn:aws:secretsmanager:{PLACE}:secret:{kept}")
    return [
        RULES.allows("lambda", tenant, f"arn:aws:lambda:{PLACE}:function:{mine}"),
        SqsAction(
            queue_url=f"https://sqs.eu-central-1.amazonaws.com/111122223333/{mine}"
        ).is_allowed(RULES, tenant),
        RULES.allows("sns", tenant, f"arn:aws:sns:{PLACE}:{mine}"),
        RULES.allows("eventbridge", tenant, f"arn:aws:events:{PLACE}:event-bus/{mine}"),
        RULES.allows("stepfunctions", tenant, f"arn:aws:states:{PLACE}:stateMachine:{mine}"),
        RULES.allows_secret(tenant, secret),
        RULES.allows_secret(tenant, SecretRef(ssm_parameter=f"/{kept}")),
    ]


@pytest.mark.parametrize("tenant", HOSTILE, ids=lambda name: name[:20])
def test_a_tenant_may_name_its_own(tenant: str) -> None:
    """A tenant of any name may name its resources of every kind."""
    assert allowed(tenant, tenant) == [True] * 7


@pytest.mark.parametrize(("caller", "owner"), list(permutations(HOSTILE, 2)), ids=repr)
def test_no_tenant_may_name_anothers(caller: str, owner: str) -> None:
    """Beginnings, spelled-out escapes and wildcards open nothing."""
    assert allowed(caller, owner) == [False] * 7


def test_a_target_without_a_tenant_in_its_pattern_is_shared() -> None:
    """Both may name it, and nothing beside it."""
    shared = f"arn:aws:lambda:{PLACE}:function:rates"
    rules = TargetRules(allowed={"lambda": (shared,)})

    for tenant in ("a", "a-b"):
        assert rules.allows("lambda", TenantId(tenant), shared)
        assert not rules.allows("lambda", TenantId(tenant), f"{shared}-2")


def test_nothing_is_allowed_by_default() -> None:
    """Without a pattern there is no target."""
    assert not TargetRules().allows("lambda", TenantId("a"), f"arn:aws:lambda:{PLACE}:function:a")


@given(
    one=st.from_regex(TENANT_NAME, fullmatch=True), other=st.from_regex(TENANT_NAME, fullmatch=True)
)
def test_forms_are_as_different_as_names(one: str, other: str) -> None:
    """And consist of what every kind of resource may be called."""
    forms = name_form(TenantId(one)), name_form(TenantId(other))

    assert (forms[0] == forms[1]) == (one == other)
    assert all(form.replace("_", "").isalnum() and len(form) <= MAX_FORM for form in forms)


@pytest.mark.parametrize(
    ("tenant", "form"),
    [
        ("acme", "acme"),
        ("Acme-Corp", "Acme_2dCorp"),
        ("a_b", "a_5fb"),
        ("auth0|5f7c", "auth0_7c5f7c"),
        ("x" * 64, "x" * 64),
    ],
)
def test_a_form_is_written_so(tenant: str, form: str) -> None:
    """docs/operations/tenants.md shows users the same form."""
    assert name_form(TenantId(tenant)) == form


def test_a_long_name_becomes_a_hash() -> None:
    """Beyond 64 characters."""
    form = name_form(TenantId("x" * 65))

    assert form.startswith("_h")
    assert len(form) == 34


@pytest.mark.parametrize(
    ("name", "pattern", "expected"),
    [
        ("ab", "a*", True),
        ("ab", "a?", True),
        ("abc", "a?", False),
        ("a", "[a]", False),
        ("[a]", "[a]", True),
        ("A", "a", False),
    ],
)
def test_patterns_match_as_those_of_iam(name: str, pattern: str, *, expected: bool) -> None:
    """A bracket is a bracket."""
    assert matches(name, pattern) == expected
