"""Routes at ``/v1/approval``: what a person sees and decides by a link, without a token."""

from urllib.parse import parse_qsl

from pydantic import ValidationError

from api.dag_runs import approval_answers
from api.dag_runs.approval_views import approval_page, approval_view
from api.http.exchange import Exchange, Reply
from api.http.field_errors import field_errors
from api.http.refusals import BodyTooLarge, FieldError, InvalidFields
from api.http.route import route
from api.values.proven import keep_rate, stamp
from timegate.contracts.approvals import LinkQuery
from timegate.contracts.dag_runs import LinkDecision
from timegate.domain.tenants.standing import refuse_suspended
from timegate.domain.values.plaintext import refuse_plaintext
from timegate.usecases.approvals.approval_links import LinkedApproval, check_link
from timegate.usecases.approvals.decide_by_link import decide_by_link

#: A decision and a comment of 500 characters, each of them escaped.
MAX_FORM_BYTES = 16 * 1024
_FORM = "application/x-www-form-urlencoded"
#: Reading a DAG run, its definition, a task and a secret, and deciding the task.
_WEIGHT = 2


@route(
    "GET",
    "/v1/approval",
    operation="readApproval",
    by_link=True,
    weight=_WEIGHT,
    query=LinkQuery,
    page=approval_page,
    answer=approval_answers.Approval,
    success={200: "Who asks for what, and the decision if there is one."},
    refusals=(404, 409, 429),
)
def read(exchange: Exchange) -> Reply:
    """Read an approval by its link.

    The link takes the place of a token. A browser is shown a page with a form. Reading decides
    nothing: programs that scan mail open links.
    """
    return Reply(body=approval_view(_approval(exchange)))


@route(
    "POST",
    "/v1/approval",
    operation="decideApproval",
    by_link=True,
    weight=_WEIGHT,
    query=LinkQuery,
    body=LinkDecision,
    text=_FORM,
    page=approval_page,
    answer=approval_answers.Approval,
    success={200: "The approval as it is now; decided_now: by this request."},
    refusals=(404, 409, 429),
)
def decide(exchange: Exchange) -> Reply:
    """Decide an approval by its link.

    The body is JSON, or the form of the page. An approval that was decided stays so, and the
    answer says by whom. The audit trail has the name that the link was made for.
    """
    if exchange.body_bytes > MAX_FORM_BYTES:
        raise BodyTooLarge(MAX_FORM_BYTES)
    approval = _approval(exchange)
    services, tenant = exchange.services, approval.link.tenant
    refuse_suspended(services.tenants_at_hand.settings(tenant, now=exchange.now))
    asked = _decision(exchange)
    actor = approval.link.actor
    with services.trail.on_behalf_of(stamp(exchange, actor, "decideApproval")):
        after, is_new = decide_by_link(
            approval, asked.decision, asked.note, services, now=exchange.now
        )
    return Reply(body=approval_view(after, decided_now=is_new))


def _approval(exchange: Exchange) -> LinkedApproval:
    """Check the link, and count the request as one of the tenant's from then on."""
    text = exchange.query(LinkQuery).link
    approval = check_link(text, exchange.services, now=exchange.now)
    keep_rate(exchange, approval.link.tenant, weight=_WEIGHT)
    return approval


def _decision(exchange: Exchange) -> LinkDecision:
    form = exchange.text(_FORM)
    if form is None:
        return exchange.body().parse(LinkDecision)
    try:
        pairs = parse_qsl(form, keep_blank_values=True, max_num_fields=8, errors="strict")
    except ValueError as error:
        wrong = FieldError(field="body", code="invalid_format", detail="It is no form of the page.")
        raise InvalidFields([wrong]) from error
    # A field that was left blank is sent all the same, and a comment has one line.
    fields = {name: line for name, text in pairs if (line := " ".join(text.split()))}
    refuse_plaintext(fields)
    try:
        return LinkDecision.model_validate(fields)
    except ValidationError as error:
        raise InvalidFields(field_errors(error, LinkDecision)) from error
