"""``RuleStore``: names of deleted rules, which a tenant may leave for a while."""

import pytest

from tests.contract.rules.test_rules import put
from tests.support.factories import NOW, TENANT
from tests.support.ruling import rule_factory
from tests.support.stores.contract_stores import Stores
from timegate.adapters.dynamo.tenants.rules import rule_store
from timegate.domain.rules.errors import TooManyRules
from timegate.domain.rules.rule import RuleName


@pytest.mark.parametrize(("most", "name"), [(1, "b"), (2, "c")])
def test_a_tenant_leaves_so_many_names_of_deleted_rules_and_no_more(
    stores: Stores, monkeypatch: pytest.MonkeyPatch, most: int, name: str
) -> None:
    """Each look reads them with the rules. A name that was used before can be used again."""
    monkeypatch.setattr(rule_store, "MAX_DELETED_RULES", most)
    for used in "ab"[:most]:
        put(stores, rule_factory(name=RuleName(used)))
        stores.rules.delete_rule(TENANT, used, expected_version=None, now=NOW)
    with pytest.raises(TooManyRules, match=f"{most} deleted"):
        put(stores, rule_factory(name=RuleName(name)))
    again = put(stores, rule_factory(name=RuleName("a")))

    assert again.version == 2
    assert put(stores, rule_factory(name=RuleName(name))).version == 1
