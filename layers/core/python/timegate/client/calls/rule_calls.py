"""The client's operations on notification rules."""

from timegate.client.calling import ApiCall, PageCall, ask, change, get, page, segment
from timegate.client.operation import listing, operation
from timegate.client.schemas import (
    NotificationRule,
    RuleBody,
    RuleList,
    RuleMessage,
    RuleMessageList,
    RuleTest,
    RuleValidation,
)
from timegate.client.sending import Calls


class RuleCalls(Calls):
    """Operations on notification rules."""

    @listing
    def list_rules(
        self, *, limit: int | None = None, cursor: str | None = None
    ) -> PageCall[RuleList, NotificationRule]:
        """A page of the tenant's notification rules, by name."""
        return page("/v1/notification-rules", {"limit": limit, "cursor": cursor})

    @operation
    def get_rule(self, rule: str) -> ApiCall[NotificationRule]:
        """A notification rule, by its name."""
        return get(_rule(rule))

    @listing
    def list_rule_messages(
        self,
        rule: str,
        *,
        start: str | None = None,
        end: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PageCall[RuleMessageList, RuleMessage]:
        """A page of what a rule told, the last message first; ``start`` and ``end`` as RFC 3339."""
        which = {"from": start, "to": end, "limit": limit, "cursor": cursor}
        return page(f"{_rule(rule)}/messages", which)

    @operation
    def put_rule(
        self, rule: str, body: RuleBody, *, version: int | None = None
    ) -> ApiCall[NotificationRule]:
        """Create a notification rule or replace it.

        ``version``: replace only that one; 0: create it only if there is none.
        """
        return change("PUT", _rule(rule), body=body, version=version, creates=True)

    @operation
    def validate_rule(self, rule: str, body: RuleBody) -> ApiCall[RuleValidation]:
        """Say what putting a notification rule would: what is wrong with it, and its defaults."""
        return ask(f"{_rule(rule)}/validate", body)

    @operation
    def test_rule(self, rule: str) -> ApiCall[RuleTest]:
        """Send a test message to each channel of a notification rule."""
        return change("POST", f"{_rule(rule)}/test")

    @operation
    def delete_rule(self, rule: str, *, version: int | None = None) -> ApiCall[NotificationRule]:
        """Delete a notification rule: it tells of nothing any more."""
        return change("DELETE", _rule(rule), version=version)


def _rule(name: str) -> str:
    return f"/v1/notification-rules/{segment(name)}"
