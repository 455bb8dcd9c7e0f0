"""Events that rules hold back: changed by one write each, and gone with their rule."""

import pytest

from tests.support.factories import NOW, TENANT, after
from tests.support.ruling import rule_factory
from tests.support.stores.contract_stores import Stores
from timegate.domain.rules.held_events import HeldEvents
from timegate.domain.rules.quiet_hours import QuietHours, QuietWindow
from timegate.domain.rules.rule import Rule

NIGHT = QuietHours(windows=(QuietWindow(opens="22:00", closes="06:00"),))


def given(stores: Stores, **fields: object) -> Rule:
    """Store a rule."""
    return stores.rules.put_rule(rule_factory(**fields), expected_version=None, now=NOW)


def held_of(stores: Stores, rule: Rule) -> HeldEvents:
    """Return the held events of a rule, as a look reads them."""
    at_hand = stores.rules.rules_at_hand(TENANT)
    assert at_hand is not None
    return at_hand.held.get(rule.rule_id, HeldEvents(rule_id=rule.rule_id))


def test_held_events_change_by_one_write(stores: Stores) -> None:
    """They are at hand until they are told."""
    rule = given(stores)
    held = HeldEvents(rule_id=rule.rule_id).with_events([{"text": "one"}])

    assert stores.rule_messages.tell(TENANT, held=held)
    assert not stores.rule_messages.tell(TENANT, held=held)

    at_hand = stores.rules.rules_at_hand(TENANT)

    assert at_hand is not None
    assert at_hand.held == {rule.rule_id: held}
    assert stores.rule_messages.tell(TENANT, held=held.told())


@pytest.mark.parametrize("read_before", [True, False], ids=["told late", "told before"])
def test_a_deleted_rule_leaves_nothing_to_a_later_one_of_its_name(
    stores: Stores, *, read_before: bool
) -> None:
    """Neither what it held back, nor what a look stores that read it before."""
    rule = given(stores, quiet_hours=NIGHT)
    read = held_of(stores, rule)
    late = read.with_events([{"text": "one"}])
    if not read_before:
        assert stores.rule_messages.tell(TENANT, held=late)
        late = held_of(stores, rule).with_events([{"text": "two"}])
    stores.rules.delete_rule(TENANT, rule.name, expected_version=None, now=after(1))
    again = given(stores, quiet_hours=NIGHT, created_at=after(2))

    assert not stores.rule_messages.tell(TENANT, held=late)
    assert held_of(stores, again).events == ()
    own = held_of(stores, again).with_events([{"text": "three"}])
    assert stores.rule_messages.tell(TENANT, held=own)
    assert held_of(stores, again) == own


def test_a_rule_without_quiet_hours_is_deleted_by_as_few_writes(stores: Stores) -> None:
    """It never held anything back, so nothing is written of it."""
    rule = given(stores)
    stores.rules.delete_rule(TENANT, rule.name, expected_version=None, now=after(1))

    assert held_of(stores, rule).revision == 0
