"""What a token may allow; each operation asks for one of these."""

from enum import StrEnum


class Scope(StrEnum):
    """A part of what can be done; none includes another."""

    #: See everything of the tenant; ask what would happen.
    READ = "read"
    #: Define: create, change and cancel jobs, DAGs and calendars.
    WRITE = "write"
    #: Intervene in what is defined: pause, trigger, freeze, backfill, settle dead letters.
    OPERATE = "operate"
    #: Claim runs, and say how they end.
    WORKER = "worker"
    #: Administer the stage: its tenants' settings. No tenant's client can be given it.
    ADMIN = "admin"
