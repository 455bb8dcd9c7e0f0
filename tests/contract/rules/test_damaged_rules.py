"""A rule whose record cannot be read: its owner is told so, and its other rules go on."""

import pytest

from tests.support.factories import JOB_ID, NOW, TENANT
from tests.support.ruling import rule_factory
from tests.support.stores.contract_stores import Stores
from tests.support.stores.corrupt_record import write
from timegate.adapters.dynamo.tables.keys import Key, rule_key, watch_key
from timegate.domain.rules.rule import RuleName
from timegate.domain.values.errors import Malformed

RULE = rule_factory()
OTHER = rule_factory(name=RuleName("other"))
DAMAGE = {
    "the rule": (rule_key(TENANT, RULE.rule_id), "channels"),
    "the watch": (watch_key(TENANT), "seen_until"),
}


@pytest.mark.parametrize(("key", "attribute"), DAMAGE.values(), ids=DAMAGE)
def test_a_change_of_what_cannot_be_read_is_refused(
    stores: Stores, key: Key, attribute: str
) -> None:
    """It is neither missing nor fought over: an operator repairs it."""
    for rule in (RULE, OTHER):
        stores.rules.put_rule(rule, expected_version=None, now=NOW)
    write(stores, key, JOB_ID, attribute, "x")

    with pytest.raises(Malformed, match=attribute):
        stores.rules.put_rule(RULE, expected_version=None, now=NOW)
    with pytest.raises(Malformed, match=attribute):
        stores.rules.delete_rule(TENANT, RULE.name, expected_version=None, now=NOW)
    assert stores.rules.get_rule(TENANT, OTHER.name).version == 1


def test_a_rule_beside_one_that_cannot_be_read_is_changed(stores: Stores) -> None:
    for rule in (RULE, OTHER):
        stores.rules.put_rule(rule, expected_version=None, now=NOW)
    key, attribute = DAMAGE["the rule"]
    write(stores, key, JOB_ID, attribute, "x")

    assert stores.rules.put_rule(OTHER, expected_version=1, now=NOW).version == 2
