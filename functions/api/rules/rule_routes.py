"""Routes under ``/v1/notification-rules``."""

from api.http.exchange import Exchange, Reply
from api.http.headers import etag, expected_version
from api.http.route import Scope, route
from api.rules import rule_answers
from api.rules.rule_message_views import held_view, message_view
from api.rules.rule_views import defined_rule_view, rule_view
from api.values.validations import problems_of, validation_view
from api.values.views import page_view
from timegate.contracts.rules import RuleBody, RuleMessagesQuery, RulesQuery
from timegate.domain.rules.rule import Rule
from timegate.usecases.rules.delete_rule import delete_rule
from timegate.usecases.rules.put_rule import check_new_rule, put_rule
from timegate.usecases.rules.read_messages import read_messages
from timegate.usecases.rules.send_trial import send_trial


@route(
    "GET",
    "/v1/notification-rules",
    operation="listRules",
    query=RulesQuery,
    answer=rule_answers.RuleList,
    success={200: "Every notification rule of the tenant, by name."},
)
def list_page(exchange: Exchange) -> Reply:
    """List notification rules.

    By name, each as a whole.
    """
    query = exchange.query(RulesQuery)
    page = exchange.services.rules.list_rules(exchange.tenant, **query.paging)
    return Reply(body=page_view(query.leading_on(page), rule_view))


@route(
    "PUT",
    "/v1/notification-rules/<rule>",
    operation="putRule",
    body=RuleBody,
    answer=rule_answers.NotificationRule,
    success={200: "The rule as it is now."},
    refusals=(409, 412),
    request_headers=("If-Match", "If-None-Match"),
    answer_headers=("ETag",),
)
def put(exchange: Exchange) -> Reply:
    """Create a notification rule, or replace it.

    The body is the whole rule. Earlier events are not reported; a streak that was reported is not
    reported again.
    """
    body = exchange.body().parse(RuleBody)
    rule = body.to_domain(exchange.tenant, exchange.path["rule"], now=exchange.now)
    version = expected_version(exchange)
    return _reply(put_rule(rule, exchange.services, expected_version=version, now=exchange.now))


@route(
    "POST",
    "/v1/notification-rules/<rule>/validate",
    operation="validateRule",
    asks=Scope.READ,
    body=RuleBody,
    answer=rule_answers.RuleValidation,
    success={200: "What is wrong with it; nothing is stored."},
)
def validate(exchange: Exchange) -> Reply:
    """Say what is wrong with a notification rule.

    The problems are those of putRule; nothing is stored and no quota is used.
    """
    body = exchange.body().parse(RuleBody)
    rule = body.to_domain(exchange.tenant, exchange.path["rule"], now=exchange.now)
    problems = problems_of(lambda: check_new_rule(rule, exchange.services))
    return Reply(body=validation_view(defined_rule_view(rule), problems))


@route(
    "GET",
    "/v1/notification-rules/<rule>",
    operation="getRule",
    answer=rule_answers.NotificationRule,
    success={200: "The rule."},
    refusals=(404,),
    answer_headers=("ETag",),
)
def get(exchange: Exchange) -> Reply:
    """Read a notification rule.

    The answer is its present version.
    """
    return _reply(exchange.services.rules.get_rule(exchange.tenant, exchange.path["rule"]))


@route(
    "GET",
    "/v1/notification-rules/<rule>/messages",
    operation="listRuleMessages",
    query=RuleMessagesQuery,
    answer=rule_answers.RuleMessageList,
    success={200: "Messages of the rule, the last one first, and events that it holds back."},
    refusals=(404,),
)
def messages(exchange: Exchange) -> Reply:
    """List what a notification rule told.

    Each message with its channel and how far its delivery came, and the events that wait for the
    end of quiet hours.
    """
    query = exchange.query(RuleMessagesQuery)
    told = read_messages(
        exchange.tenant,
        exchange.path["rule"],
        exchange.services,
        within=query.within,
        **query.paging,
    )
    shown = page_view(query.leading_on(told.page), message_view)
    return Reply(body={**shown, "held": held_view(told.held)})


@route(
    "POST",
    "/v1/notification-rules/<rule>/test",
    operation="testRule",
    asks=Scope.OPERATE,
    weight=4,
    answer=rule_answers.RuleTest,
    success={200: "The messages that are on their way."},
    refusals=(404,),
)
def send_test(exchange: Exchange) -> Reply:
    """Send a test message to each channel of a notification rule.

    Also if the rule is disabled, and in its quiet hours. Its only event has the type test, and no
    job. Requests of one ten seconds send one message.
    """
    name = exchange.path["rule"]
    sent = send_trial(exchange.tenant, name, exchange.services, now=exchange.now)
    return Reply(body={"messages": [message_view(each) for each in sent]})


@route(
    "DELETE",
    "/v1/notification-rules/<rule>",
    operation="deleteRule",
    answer=rule_answers.NotificationRule,
    success={200: "The rule as it was."},
    refusals=(404, 412),
    request_headers=("If-Match",),
)
def delete(exchange: Exchange) -> Reply:
    """Delete a notification rule.

    Messages of its that are on their way are not delivered any more.
    """
    deleted = delete_rule(
        exchange.tenant,
        exchange.path["rule"],
        exchange.services,
        expected_version=expected_version(exchange),
        now=exchange.now,
    )
    return Reply(body=rule_view(deleted))


def _reply(rule: Rule) -> Reply:
    return Reply(body=rule_view(rule), headers={"ETag": etag(rule.version)})
