"""The route of approvals that wait, of all DAG runs of a tenant."""

from api.dag_runs import approval_answers
from api.dag_runs.approval_rows import approval_row
from api.http.exchange import Exchange, Reply
from api.http.route import route
from api.values.views import page_view
from timegate.contracts.approvals import ApprovalsQuery
from timegate.usecases.approvals.list_approvals import ApprovalFilter, list_approvals


@route(
    "GET",
    "/v1/approvals",
    operation="listApprovals",
    weight=4,
    query=ApprovalsQuery,
    answer=approval_answers.ApprovalPage,
    success={200: "A page of approvals that can be decided now."},
)
def list_page(exchange: Exchange) -> Reply:
    """List approvals that wait.

    Tasks of the latest DAG runs come first. decideDagTask decides each; one that has ended, has
    expired, or is about to be cancelled is left out.
    """
    query = exchange.query(ApprovalsQuery)
    page = list_approvals(
        exchange.tenant,
        ApprovalFilter(dag_id=query.dag_id, task=query.task_key),
        exchange.services,
        now=exchange.now,
        **query.paging,
    )
    return Reply(
        body=page_view(
            query.leading_on(page), lambda row: approval_row(row.waiting, dag_name=row.dag_name)
        )
    )
