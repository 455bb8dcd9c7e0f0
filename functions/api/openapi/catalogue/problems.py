"""Codes of problems. One that is raised and is not here fails a test, and so does the reverse."""

from collections.abc import Mapping
from types import MappingProxyType

from api.openapi.catalogue.advice import LOOK, READ_AGAIN, CatalogueEntry
from api.openapi.catalogue.tenant_problems import OF_TENANTS

_REPORT = "Tell the stage's operator, with the `request_id`; repeating it does not help."

PROBLEMS: Mapping[str, CatalogueEntry] = MappingProxyType(
    {
        **OF_TENANTS,
        "invalid_request": CatalogueEntry(
            "`errors` names every invalid field, parameter or header.",
            "Repair what `errors` names; the codes of fields are below.",
        ),
        "malformed_json": CatalogueEntry(
            "The body is not JSON in UTF-8, or could not be kept as it is.",
            "Send JSON, each field once, without NaN, half surrogate pairs or numbers too large.",
        ),
        "missing_body": CatalogueEntry("The operation needs a body.", "Send one, as JSON."),
        "unauthenticated": CatalogueEntry(
            "No token was checked; of a callback: the body has no lease token of a target.",
            "Send one as `Authorization: Bearer`; of a callback: send the token of its run.",
        ),
        "invalid_tenant": CatalogueEntry(
            "The token names no tenant.",
            "Have the issuer put the tenant into the claim that the stage reads.",
        ),
        "insufficient_scope": CatalogueEntry(
            "The token does not allow this; `WWW-Authenticate` names the scope that does.",
            "Ask for a token with that scope.",
        ),
        "insufficient_role": CatalogueEntry(
            "The roles of the person who signed in do not allow this.",
            "Ask an administrator for one of the roles that the answer names.",
        ),
        "job_not_found": CatalogueEntry("The tenant has no such job.", LOOK),
        "run_not_found": CatalogueEntry("The tenant has no such run.", LOOK),
        "run_expired": CatalogueEntry(
            "The tenant has no such run any more; `archived_in` is the partition of its instant.",
            "Read it from the archive: `GET /v1/archive/runs/{run_id}`.",
        ),
        "seal_not_found": CatalogueEntry(
            "The tenant has no signed seal of this month.",
            "List the sealed months; one is sealed one to eight days after its end.",
        ),
        "dead_letter_not_found": CatalogueEntry(
            "The run is no dead letter, or has been settled.",
            "Read the run: it says what became of it.",
        ),
        "operation_not_found": CatalogueEntry("The tenant has no such operation.", LOOK),
        "calendar_not_found": CatalogueEntry(
            "The tenant has no such calendar.", "Check the name, or create it."
        ),
        "rule_not_found": CatalogueEntry(
            "The tenant has no such notification rule.", "Check the name, or create it."
        ),
        "event_trigger_not_found": CatalogueEntry(
            "The tenant has no such event trigger.", "Check the name, or create it."
        ),
        "too_many_event_triggers": CatalogueEntry(
            "A tenant may have 100 event triggers.", "Delete one, or let one pattern do for two."
        ),
        "hook_refused": CatalogueEntry(
            "The address of the web hook is unknown, or the signature is wrong or older than five "
            "minutes: the answer does not say which.",
            "Check path, key and clock; sign the bytes that are sent.",
        ),
        "hook_unavailable": CatalogueEntry(
            "The secret of the web hook cannot be read or used now.",
            "Send the message again later. The tenant checks that the secret exists, and its form.",
        ),
        "freeze_not_found": CatalogueEntry("The tenant has no such freeze.", LOOK),
        "dag_not_found": CatalogueEntry("The tenant has no such DAG.", LOOK),
        "dag_version_not_found": CatalogueEntry(
            "The DAG never had that version.",
            "List its versions: `GET /v1/dags/{dag_id}/versions`.",
        ),
        "task_not_found": CatalogueEntry(
            "The DAG, in the version that the run keeps to, has no such task.",
            "Read the DAG run: it lists its tasks.",
        ),
        "dag_run_not_found": CatalogueEntry("The tenant has no such DAG run.", LOOK),
        "route_not_found": CatalogueEntry(
            "There is nothing at this path.", "Check the path against the description."
        ),
        "method_not_allowed": CatalogueEntry(
            "The path does not take this method.", "Use one that `Allow` names."
        ),
        "idempotency_conflict": CatalogueEntry(
            "The `Idempotency-Key` was used with another body.",
            "Use a new key for a new request; repeat an old one with the very same body.",
        ),
        "event_conflict": CatalogueEntry(
            "Another event was sent with this source and id.",
            "Give each event an id of its own; repeat one with the very same content.",
        ),
        "job_cancelled": CatalogueEntry(
            "A cancelled job can only be read.", "Create a new job with its definition."
        ),
        "job_key_taken": CatalogueEntry(
            "Another job of the tenant has this `key`; `detail` names it.",
            "Choose another key, change that job's, or cancel it.",
        ),
        "job_completed": CatalogueEntry(
            "Nothing is left to pause or resume.", "Give the job a new schedule: that revives it."
        ),
        "job_paused": CatalogueEntry("A paused job runs nothing of the past.", "Resume it first."),
        "timezone_withdrawn": CatalogueEntry(
            "The job's time zone is no longer in the database of time zones.",
            "Give the job a schedule in another zone, or cancel it.",
        ),
        "job_changed": CatalogueEntry("Other callers kept changing the job.", READ_AGAIN),
        "run_finished": CatalogueEntry(
            "A run that has ended cannot be cancelled.", "Nothing: it has ended."
        ),
        "continue_not_allowed": CatalogueEntry(
            "The run is to go on in slices, and its job has no `long_run`.",
            "Give the job `long_run`, or end the run.",
        ),
        "checkpoint_outdated": CatalogueEntry(
            "The run has this checkpoint already, or a later one.",
            "Nothing, if it was sent twice; else go on counting from the run's checkpoint.",
        ),
        "run_unfinished": CatalogueEntry(
            "A run that has not ended cannot be opened again.", "Wait for its end, or cancel it."
        ),
        "not_dead_lettered": CatalogueEntry(
            "The run is no dead letter, or has been settled: there is nothing to decide.",
            "Read the run: it says who settled it, and how.",
        ),
        "not_redrivable": CatalogueEntry(
            "The run did not begin, did not fail, or is tried again already.",
            "Trigger its job with like_run_id for a run like it, or rerun the task of its DAG run.",
        ),
        "not_reschedulable": CatalogueEntry(
            "The run is at work, was asked to stop, or is a task or a notification.",
            "Read the run. A run at work can be cancelled; a DAG run says when its tasks are due.",
        ),
        "operation_finished": CatalogueEntry(
            "An operation that has ended cannot be cancelled.", "Nothing: it has ended."
        ),
        "too_many_calendars": CatalogueEntry(
            "A tenant may have 100 calendars.", "Delete one that no job names."
        ),
        "too_many_rules": CatalogueEntry(
            "A tenant may have 50 notification rules, and leave 1,000 names of deleted ones.",
            "Delete one that is not needed, or use a name again; deleted ones are forgotten later.",
        ),
        "too_many_freezes": CatalogueEntry(
            "A tenant may have 50 freezes that have not ended.", "Lift one, or wait for an end."
        ),
        "quota_exceeded": CatalogueEntry(
            "The tenant has as many jobs, or DAGs, as it may have, or has begun as many runs today"
            " (429): `quota` says of what, and how many.",
            "Cancel or delete what is not needed, or ask the stage's operator for more; of runs:"
            " try again after `Retry-After` seconds, when the next day has begun.",
        ),
        "rate_exceeded": CatalogueEntry(
            "The tenant asks more often than it may; `RateLimit-Policy` says how often that is.",
            "Try again after `Retry-After` seconds, and spread requests.",
        ),
        "dag_deleted": CatalogueEntry("A deleted DAG can only be read.", "Create it anew."),
        "dag_changed": CatalogueEntry("Other callers kept changing the DAG.", READ_AGAIN),
        "dag_run_finished": CatalogueEntry(
            "The DAG run has ended; there is nothing to stop.", "Nothing: it has ended."
        ),
        "dag_run_unfinished": CatalogueEntry(
            "The DAG run goes on.", "Wait for its end: what failed is tried again then."
        ),
        "dag_run_busy": CatalogueEntry(
            "The DAG run is being opened, put back or stopped.", "Send it again in a moment."
        ),
        "not_an_approval": CatalogueEntry(
            "The task waits for no person.", "Name the task of the approval; the DAG run lists it."
        ),
        "approval_expired": CatalogueEntry(
            "The end of the approval has come.",
            "Run the task again with `rerun`: the approval is asked for anew.",
        ),
        "not_an_event_task": CatalogueEntry(
            "The task waits for no event.", "Name the task that does; the DAG run lists it."
        ),
        "event_expired": CatalogueEntry(
            "The end of the wait for an event has come.",
            "Run the task again with `rerun`: it waits anew.",
        ),
        "task_was_put_back": CatalogueEntry(
            "The task is in another round than the one that the link was made for.",
            "Use the link of the round in which it waits now.",
        ),
        "link_not_valid": CatalogueEntry(
            "The link is none, was signed with another key, or what it speaks for is gone: the "
            "answer does not say which.",
            "Copy the whole link; ask for a new one after its secret was changed.",
        ),
        "link_expired": CatalogueEntry(
            "The wait that the link speaks for has come to its end.",
            "Nothing can be decided any more; the task ended as its `on_expiry` says.",
        ),
        "links_not_allowed": CatalogueEntry(
            "The task has no `link_secret`, so that no link decides it.",
            "Give the approval a `link_secret`; DAG runs that start after that have links.",
        ),
        "link_unavailable": CatalogueEntry(
            "The secret of the approval's links cannot be read or used now.",
            "Try again in a minute. The tenant checks that the secret exists, and its form.",
        ),
        "not_an_approver": CatalogueEntry(
            "The approval names its approvers, and the caller is none of them.",
            "Have one of them decide; the task's `wait` lists them.",
        ),
        "task_ended": CatalogueEntry(
            "The task has ended in a way that this would not change.",
            "Read the DAG run; a task that has succeeded can be run again.",
        ),
        "task_not_started": CatalogueEntry(
            "The task is pending: there is nothing to run again.",
            "Nothing: it runs when its edges hold; `complete` or `skip` decide it before.",
        ),
        "not_a_fan_out": CatalogueEntry(
            "The task has no members.", "Leave `members` out: it is done with the whole task."
        ),
        "member_not_found": CatalogueEntry(
            "The fan-out is not as wide.", "Members are numbered from 0; `detail` says how many."
        ),
        "member_ended": CatalogueEntry(
            "A member has ended in a way that this would not change.",
            "Leave it out; one that has succeeded can be run again.",
        ),
        "no_failed_members": CatalogueEntry(
            "No member of the fan-out has failed.", "Nothing, or name members by number."
        ),
        "members_incomplete": CatalogueEntry(
            "The runs of the members are not all on record.",
            "Send it again in a moment; where they were forgotten, run the whole task again.",
        ),
        "too_many_rounds": CatalogueEntry(
            "The DAG run has been repeated 999 times.", "Start a new run of the DAG."
        ),
        "nothing_to_repeat": CatalogueEntry(
            "No task of the DAG run would be run again.", "Start a new run of the DAG."
        ),
        "lease_lost": CatalogueEntry(
            "The run is not, or no longer, held under this `lease_token`.",
            "Stop working on it; another worker has it, or it has ended.",
        ),
        "conflict": CatalogueEntry("The run kept changing.", "Send it again."),
        "version_mismatch": CatalogueEntry(
            "The job, the calendar, the DAG or the tenant is not at the version of `If-Match`.",
            READ_AGAIN,
        ),
        "body_too_large": CatalogueEntry(
            "The body has more than 1 MB.", "Keep large data elsewhere and send a reference to it."
        ),
        "unsupported_media_type": CatalogueEntry(
            "The body says that it is not JSON in UTF-8.",
            "Send `Content-Type: application/json`.",
        ),
        "invalid_dag": CatalogueEntry(
            "The DAG could not run as it says; `errors` names "
            "[every problem](../guides/dags.md#problems).",
            "Repair them; `POST /v1/dags/validate` checks without storing.",
        ),
        "payload_mismatch": CatalogueEntry(
            "The payload, or a DAG's parameters, do not fit "
            "[the schema of the job](../concepts/payload-schemas.md); `errors` names each place "
            "by a JSON pointer.",
            "Correct those places, or change the job's `payload_schema`.",
        ),
        "payload_lost": CatalogueEntry(
            "A stored payload that this needs, of the job or an earlier run, is lost or expired.",
            "Give the payload anew: whole in this request, or by a `PATCH` of the job.",
        ),
        "plaintext_secret": CatalogueEntry(
            "Credentials stand in what was sent: `errors` names every place and kind, up to 20.",
            "Keep them in Secrets Manager or Parameter Store, and "
            "[name them](../operations/secrets.md).",
        ),
        **{
            code: CatalogueEntry(
                f"{thing} cannot be read until an operator has repaired it.", _REPORT
            )
            for code, thing in (
                ("job_damaged", "The job is there, but its record"),
                ("run_damaged", "The run is there, but an attempt of it"),
                ("dag_run_damaged", "The DAG run is there, but its record or a task's"),
            )
        },
        "internal_error": CatalogueEntry(
            "Something broke on our side.",
            "Try again once; if it stays, tell the stage's operator, with the `request_id`.",
        ),
        "throttled": CatalogueEntry(
            "Too much is going on at once.", "Try again after `Retry-After` seconds."
        ),
    }
)
