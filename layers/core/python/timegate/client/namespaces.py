"""Resources of a client: ``client.jobs.get``; ``python -m api.openapi`` writes them."""

from timegate.client.groups import (
    AuditOperations,
    CalendarsOperations,
    DagRunsOperations,
    DagsOperations,
    DeadLettersOperations,
    EventsOperations,
    EventTriggersOperations,
    FreezesOperations,
    JobsOperations,
    KeysOperations,
    OperationsOperations,
    OverviewsOperations,
    PoolsOperations,
    RulesOperations,
    RunsOperations,
    SealsOperations,
    TenantsOperations,
)
from timegate.client.operation import Namespace
from timegate.client.sending import AsyncCalls, Calls, SyncCalls


class Audit(AuditOperations, SyncCalls):
    """Operations on audit."""


class AsyncAudit(AuditOperations, AsyncCalls):
    """Operations on audit, awaited."""


class Calendars(CalendarsOperations, SyncCalls):
    """Operations on calendars."""


class AsyncCalendars(CalendarsOperations, AsyncCalls):
    """Operations on calendars, awaited."""


class Dags(DagsOperations, SyncCalls):
    """Operations on dags."""


class AsyncDags(DagsOperations, AsyncCalls):
    """Operations on dags, awaited."""


class DagRuns(DagRunsOperations, SyncCalls):
    """Operations on dag runs."""


class AsyncDagRuns(DagRunsOperations, AsyncCalls):
    """Operations on dag runs, awaited."""


class DeadLetters(DeadLettersOperations, SyncCalls):
    """Operations on dead letters."""


class AsyncDeadLetters(DeadLettersOperations, AsyncCalls):
    """Operations on dead letters, awaited."""


class Events(EventsOperations, SyncCalls):
    """Operations on events."""


class AsyncEvents(EventsOperations, AsyncCalls):
    """Operations on events, awaited."""


class EventTriggers(EventTriggersOperations, SyncCalls):
    """Operations on event triggers."""


class AsyncEventTriggers(EventTriggersOperations, AsyncCalls):
    """Operations on event triggers, awaited."""


class Freezes(FreezesOperations, SyncCalls):
    """Operations on freezes."""


class AsyncFreezes(FreezesOperations, AsyncCalls):
    """Operations on freezes, awaited."""


class Jobs(JobsOperations, SyncCalls):
    """Operations on jobs."""


class AsyncJobs(JobsOperations, AsyncCalls):
    """Operations on jobs, awaited."""


class Keys(KeysOperations, SyncCalls):
    """Operations on keys."""


class AsyncKeys(KeysOperations, AsyncCalls):
    """Operations on keys, awaited."""


class Operations(OperationsOperations, SyncCalls):
    """Operations on operations."""


class AsyncOperations(OperationsOperations, AsyncCalls):
    """Operations on operations, awaited."""


class Overviews(OverviewsOperations, SyncCalls):
    """Operations on overviews."""


class AsyncOverviews(OverviewsOperations, AsyncCalls):
    """Operations on overviews, awaited."""


class Pools(PoolsOperations, SyncCalls):
    """Operations on pools."""


class AsyncPools(PoolsOperations, AsyncCalls):
    """Operations on pools, awaited."""


class Rules(RulesOperations, SyncCalls):
    """Operations on rules."""


class AsyncRules(RulesOperations, AsyncCalls):
    """Operations on rules, awaited."""


class Runs(RunsOperations, SyncCalls):
    """Operations on runs."""


class AsyncRuns(RunsOperations, AsyncCalls):
    """Operations on runs, awaited."""


class Seals(SealsOperations, SyncCalls):
    """Operations on seals."""


class AsyncSeals(SealsOperations, AsyncCalls):
    """Operations on seals, awaited."""


class Tenants(TenantsOperations, SyncCalls):
    """Operations on tenants."""


class AsyncTenants(TenantsOperations, AsyncCalls):
    """Operations on tenants, awaited."""


class Namespaces(Calls):
    """Operations of a client, by resource."""

    audit = Namespace(Audit, AsyncAudit)
    calendars = Namespace(Calendars, AsyncCalendars)
    dags = Namespace(Dags, AsyncDags)
    dag_runs = Namespace(DagRuns, AsyncDagRuns)
    dead_letters = Namespace(DeadLetters, AsyncDeadLetters)
    events = Namespace(Events, AsyncEvents)
    event_triggers = Namespace(EventTriggers, AsyncEventTriggers)
    freezes = Namespace(Freezes, AsyncFreezes)
    jobs = Namespace(Jobs, AsyncJobs)
    keys = Namespace(Keys, AsyncKeys)
    operations = Namespace(Operations, AsyncOperations)
    overviews = Namespace(Overviews, AsyncOverviews)
    pools = Namespace(Pools, AsyncPools)
    rules = Namespace(Rules, AsyncRules)
    runs = Namespace(Runs, AsyncRuns)
    seals = Namespace(Seals, AsyncSeals)
    tenants = Namespace(Tenants, AsyncTenants)
