"""Tags of operations, and the headers of requests and answers."""

from collections.abc import Mapping
from types import MappingProxyType

#: Headings of operations whose paths begin so, in the order in which they are shown.
TAGS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "overview": ("Overview", "A tenant at a glance, and what waits for a decision."),
        "decisions": ("Overview", "A tenant at a glance, and what waits for a decision."),
        "cost": ("Costs", "What runs cost, by tenant and job."),
        "jobs": ("Jobs", "What runs, when, and how."),
        "runs": ("Runs", "Occurrences of jobs, every attempt at them, and what they left behind."),
        "archive": (
            "Runs",
            "Occurrences of jobs, every attempt at them, and what they left behind.",
        ),
        "schedules": ("Schedules", "What a schedule means, before anything uses it."),
        "simulate": ("Schedules", "What a schedule means, before anything uses it."),
        "forecast": ("Schedules", "What a schedule means, before anything uses it."),
        "calendars": ("Calendars", "Days and periods that jobs keep to, or keep away from."),
        "freezes": ("Freezes", "Stopping a tenant, a tag or a job for a while."),
        "notification-rules": ("Notification rules", "Being told of many jobs at once."),
        "operations": ("Operations", "Long work on many jobs or runs, and how far it is."),
        "pools": ("Workers", "Programs that claim runs, and say how they end."),
        "callbacks": ("Callbacks", "Targets that work on by themselves, known by their lease."),
        "dead-letters": ("Dead letters", "Runs that were given up and wait for a decision."),
        "dags": ("DAGs", "Tasks that wait for one another: definitions, and their versions."),
        "dag-runs": ("DAG runs", "Runs of DAGs, and what operators do with their tasks."),
        "events": ("Events", "What happens elsewhere, and what here waits for it."),
        "event-triggers": ("Event triggers", "Patterns over events, and what they start."),
        "hooks": ("Web hooks", "Addresses at which others send signed messages."),
        "approval": ("Approvals", "What waits for a person, and what she decides by a link."),
        "approvals": ("Approvals", "What waits for a person, and what she decides by a link."),
        "tenants": ("Tenants", "Settings of tenants, and what they may use."),
        "tenant": ("Tenants", "Settings of tenants, and what they may use."),
        "keys": ("API keys", "Credentials of programs, of one tenant each."),
        "health": ("Stage", "The stage as a whole, for its administration."),
        "stage": ("Stage", "The stage as a whole, for its administration."),
        "audit": ("Audit", "Who changed what."),
    }
)

REQUEST_HEADERS = MappingProxyType(
    {
        "Idempotency-Key": (
            "The same key with the same body gives what the first request made, while it exists.",
            r"^[\x21-\x7e]{1,255}$",
        ),
        "If-Match": (
            "The ETag of the version to change, or *; any other version is refused with 412.",
            r'^(\*|(W/)?"[0-9]{1,9}")$',
        ),
        "If-None-Match": ("*: create it; if it exists, it is refused with 412.", r"^\*$"),
        "traceparent": (
            "Of W3C Trace Context: the trace to which the run shall belong; ignored if not valid.",
            r"^[\x20-\x7e]{0,512}$",
        ),
        "webhook-id": ("Of Standard Webhooks: the message.", r"^[\x21-\x2d\x2f-\x7e]{1,256}$"),
        "webhook-timestamp": ("The second at which it was signed.", r"^[1-9][0-9]{0,11}$"),
        "webhook-signature": (
            "v1, and the signature; several are parted by blanks.",
            r"^v1[a-z]?,[^ ]{1,200}( v1[a-z]?,[^ ]{1,200}){0,9}$",
        ),
        "X-GitHub-Delivery": ("Of GitHub: the message.", r"^[\x21-\x2d\x2f-\x7e]{1,256}$"),
        "X-GitHub-Event": ("Kind of message.", r"^[a-z0-9_.-]{1,64}$"),
        "X-Hub-Signature-256": ("The signature of the body.", r"^sha256=[0-9a-f]{64}$"),
    }
)
#: Header of reads whose ETag is a digest.
CONDITION = "ETags of answers that the caller has; if it is one of them, 304 without a body."
#: Headers of a 429, unless the gateway says it.
RATE_HEADERS = ("Retry-After", "RateLimit-Policy", "RateLimit")
ANSWER_HEADERS = MappingProxyType(
    {
        "ETag": "The version of what is shown, quoted; of other reads a digest of the answer, W/.",
        "Location": "Path of what was created.",
        "Idempotency-Replayed": "true on a replay; absent otherwise.",
        "Content-Security-Policy": "Forbids scripts, and all styles but that of the picture.",
        "X-Content-Type-Options": "nosniff: it is nothing but a picture.",
        "X-Request-Id": "Finds the request in the logs.",
        "Retry-After": "Seconds to wait before the same request makes sense.",
        "RateLimit-Policy": "How many requests the tenant may make in how many seconds.",
        "RateLimit": "How many are left, and in how many seconds there are more.",
    }
)
