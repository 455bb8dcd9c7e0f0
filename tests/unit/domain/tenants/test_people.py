"""People: names, tenants and roles as tokens tell them."""

import pytest

from timegate.domain.tenants.people import PeopleRules, Role

POOL = PeopleRules(client="5h0console", tenants={"red": "5h0red"})
OWN = PeopleRules(client="spa", roles_claim="roles", tenant_claim="org")
ADA = {
    "client_id": "5h0console",
    "username": "red/ada",
    "sub": "b4f8",
    "cognito:groups": "[viewer]",
}
EVE = {"azp": "spa", "sub": "7", "email": "eve@example.com", "org": "acme", "roles": "[editor]"}
ALL = frozenset(f"timegate/{each}" for each in ("read", "write", "operate", "worker", "admin"))


def test_a_person_of_the_pool_has_the_tenant_before_her_name() -> None:
    """Names of tenants stand for the clients that are their ids."""
    person = POOL.person(ADA)

    assert person is not None
    assert (person.name, person.tenant, person.roles) == ("red/ada", "5h0red", (Role.VIEWER,))


@pytest.mark.parametrize(
    ("username", "tenant"),
    [
        pytest.param("5h0blue/ada", "5h0blue", id="a tenant that the stage does not name"),
        pytest.param("red/ada/5h0blue", "5h0red", id="the first part"),
        pytest.param("/ada", "", id="an empty one, which is refused"),
        pytest.param("red", None, id="none"),
    ],
)
def test_only_the_part_before_the_first_slash_counts(username: str, tenant: object) -> None:
    """No tenant has one in its name."""
    person = POOL.person({**ADA, "username": username})

    assert person is not None
    assert person.tenant == tenant


def test_other_names_of_a_person_give_no_tenant() -> None:
    """Issuers may let people choose those."""
    person = POOL.person({**ADA, "username": "ada", "email": "red/ada", "org": "red"})

    assert person is not None
    assert person.tenant is None


def test_a_pool_without_clients_of_tenants_has_people_all_the_same() -> None:
    """Tenants that are made at run time have none, and their people have names like any other."""
    rules = PeopleRules.of({"client": "c", "tenants": []}, ["c"], tenant_claim="client_id")
    person = rules.person({"client_id": "c", "username": "acme/ada", "cognito:groups": "[viewer]"})

    assert person is not None
    assert (person.tenant, person.roles) == ("acme", (Role.VIEWER,))


def test_at_another_issuer_the_tenant_is_a_claim() -> None:
    """And a name is no more than that."""
    person = OWN.person({**EVE, "username": "victim/eve"})

    assert person is not None
    assert (person.tenant, person.roles) == ("acme", (Role.EDITOR,))


def test_a_client_is_no_person_s_tenant() -> None:
    """All people share theirs."""
    person = PeopleRules(client="spa").person({**EVE, "client_id": "spa"})

    assert person is not None
    assert person.tenant is None


@pytest.mark.parametrize("claim", ["client_id", "azp", "cid"])
def test_tokens_of_the_console_s_client_are_people_s(claim: str) -> None:
    """Also without any role: then they allow nothing."""
    person = POOL.person({claim: "5h0console", "username": "red/ada"})

    assert person is not None
    assert person.limits(ALL, "timegate") == frozenset()


def test_whatever_has_roles_is_a_person() -> None:
    """A stage that is told of no client of people gives no person more than her roles."""
    person = PeopleRules().person({"client_id": "any", "cognito:groups": "[viewer]"})

    assert person is not None
    assert person.limits(ALL, "timegate") == {"timegate/read"}


def test_programs_are_no_people() -> None:
    """Their scopes alone count."""
    assert POOL.person({"client_id": "5h0red", "sub": "5h0red"}) is None
    assert PeopleRules().person({"client_id": "", "sub": "5h0red"}) is None


@pytest.mark.parametrize(
    ("groups", "scopes"),
    [
        ("[viewer]", {"read"}),
        ("[operator]", {"read", "operate"}),
        ("[editor]", {"read", "write", "operate"}),
        ("[admin]", {"read", "write", "operate", "admin"}),
        ("[viewer operator]", {"read", "operate"}),
        ("viewer, editor", {"read", "write", "operate"}),
        ("[VIEWER]", set()),
        ("[viewers]", set()),
        ("[]", set()),
    ],
)
def test_roles_allow_scopes(groups: str, scopes: set[str]) -> None:
    """Several add up; none includes the worker's, and only whole words count."""
    person = POOL.person({**ADA, "cognito:groups": groups})

    assert person is not None
    assert person.limits(ALL, "timegate") == {f"timegate/{each}" for each in scopes}


def test_a_role_adds_nothing_to_the_token() -> None:
    """A role allows nothing beyond the token's scopes."""
    person = POOL.person({**ADA, "cognito:groups": "[admin]"})

    assert person is not None
    assert person.limits(frozenset({"openid", "timegate/read"}), "timegate") == {"timegate/read"}


def test_names_of_tenants_stand_in_the_order_of_the_audience() -> None:
    """The stack writes the audience in this order."""
    rules = PeopleRules.of(
        {"client": "c", "tenants": ["red", "blue"]}, ["r", "b", "c"], tenant_claim="client_id"
    )

    assert rules == PeopleRules(client="c", tenants={"red": "r", "blue": "b"})
    assert PeopleRules.of({}, [], tenant_claim="org") == PeopleRules(tenant_claim="org")
