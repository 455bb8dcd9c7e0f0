"""Every command of the root, in the order of its help."""

from timegate.cli.terminal.lazy_commands import RootCommand

ENTRIES = (
    RootCommand(
        name="simulate",
        place="timegate.cli.simulation.simulate:simulate_command",
        help="Show what would become of every instant of a job."
        " A file needs no stage and no profile.",
    ),
    RootCommand(
        name="apply",
        place="timegate.cli.apply.commands:apply",
        help="Make calendars, jobs, DAGs, rules and event triggers what files declare.",
    ),
    RootCommand(
        name="diff",
        place="timegate.cli.apply.commands:diff",
        help="Show what apply would do; exits with 0 if nothing, with 5 if something.",
    ),
    RootCommand(
        name="deploy",
        place="timegate.cli.code_first.deploying:deploy",
        help="Make the stage's jobs those of a program's @job functions,"
        " after showing the differences.",
    ),
    RootCommand(
        name="overview",
        place="timegate.cli.operations.overviews:overview",
        help="Show what fails, what is held back, and what is used of the quotas.",
    ),
    RootCommand(
        name="health",
        place="timegate.cli.doctor.health:health",
        help="Show ticks, audits, queues and alarms of the stage; takes the scope timegate/admin.",
    ),
    RootCommand(
        name="doctor",
        place="timegate.cli.doctor.commands:doctor",
        help="Check a deployment end to end with a job of one run, and say what is wrong.",
    ),
    RootCommand(
        name="decisions",
        place="timegate.cli.operations.overviews:decisions",
        help="Show what waits for a decision: what failed for good, by cause, and approvals.",
    ),
    RootCommand(
        name="forecast",
        place="timegate.cli.previews.forecast:forecast",
        help="Show how many runs fall due in each hour of the next days, from the schedules alone.",
    ),
    RootCommand(
        name="cost",
        place="timegate.cli.costs.commands:cost",
        help="See what runs cost, by job and by tenant.",
    ),
    RootCommand(
        name="login",
        place="timegate.cli.signing_in.commands:login",
        help="Sign in as a person, in the browser of this machine.",
    ),
    RootCommand(
        name="logout",
        place="timegate.cli.signing_in.commands:logout",
        help="End a person's session here and at the issuer;"
        " the profile stays for the next sign-in.",
    ),
    RootCommand(
        name="whoami",
        place="timegate.cli.tenants.commands:whoami",
        help="Show which tenant the profile speaks for, what it may do, and its quotas.",
    ),
    RootCommand(
        name="audit",
        place="timegate.cli.tenants.audit:audit_command",
        help="Show who changed what, latest first.",
    ),
    RootCommand(
        name="ledger",
        place="timegate.cli.ledger.commands:ledger",
        help="Export sealed months of the archive, to be verified offline.",
    ),
    RootCommand(
        name="jobs",
        place="timegate.cli.jobs.commands:jobs",
        help="Create jobs, look at them, change them, end them.",
    ),
    RootCommand(
        name="runs",
        place="timegate.cli.runs.commands:runs",
        help="See what became of jobs, and stop it.",
    ),
    RootCommand(
        name="bulk",
        place="timegate.cli.jobs.bulk:bulk",
        help="Pause, resume or cancel every job that matches.",
    ),
    RootCommand(
        name="operations",
        place="timegate.cli.operations.commands:operations",
        help="See how far long work came, and stop it.",
    ),
    RootCommand(
        name="dags",
        place="timegate.cli.dag_runs.dag_pictures:dags",
        help="Run jobs in an order: define, check and draw DAGs.",
        also=("dag-runs",),
    ),
    RootCommand(
        name="events",
        place="timegate.cli.events.commands:events",
        help="Tell the stage what happened elsewhere.",
    ),
    RootCommand(
        name="dead-letters",
        place="timegate.cli.operations.dead_letters:dead_letters",
        help="See which runs were given up, try them again, or let them rest.",
    ),
    RootCommand(
        name="schedule",
        place="timegate.cli.previews.schedule:schedules",
        help="See what a schedule would do.",
    ),
    RootCommand(
        name="import",
        place="timegate.cli.migrating.importing.imports:imports",
        help="Write manifests for timegate apply from other programs' files.",
    ),
    RootCommand(
        name="calendars",
        place="timegate.cli.restrictions.calendars:calendars",
        help="Say when jobs are not to run.",
    ),
    RootCommand(
        name="freezes",
        place="timegate.cli.restrictions.freezes:freezes",
        help="Let nothing start for a while.",
    ),
    RootCommand(
        name="rules",
        place="timegate.cli.rules.commands:rules",
        help="Say of which jobs you are told what: failures in a row, absence, recovery.",
    ),
    RootCommand(
        name="event-triggers",
        place="timegate.cli.event_triggers.commands:event_triggers",
        help="Let events start jobs and DAGs.",
    ),
    RootCommand(
        name="pools",
        place="timegate.cli.pools.commands:pools",
        help="See what waits for workers, and who comes for it; pause pools.",
    ),
    RootCommand(
        name="worker",
        place="timegate.cli.code_first.serving:workers",
        help="Work on the runs that a pool offers.",
    ),
    RootCommand(
        name="mcp",
        place="timegate.cli.agents.serving:mcp",
        help="Serve tools for agents on standard input and output; they read only,"
        " unless told otherwise.",
    ),
    RootCommand(
        name="tenants",
        place="timegate.cli.tenants.commands:tenants",
        help="Administer a stage's tenants; takes the scope timegate/admin.",
    ),
    RootCommand(
        name="stage-freezes",
        place="timegate.cli.restrictions.stage_freezes:stage_freezes",
        help="Hold every tenant back for a while; takes the scope timegate/admin.",
    ),
    RootCommand(
        name="admin",
        place="timegate.cli.admin.commands:admin",
        help="Look after a deployed stage with credentials for AWS, from its checkout.",
    ),
    RootCommand(
        name="keys",
        place="timegate.cli.tenants.keys:keys",
        help="Make, list and revoke API keys, for programs.",
    ),
    RootCommand(
        name="profiles",
        place="timegate.cli.tenants.profiles:profiles",
        help="Say which stages there are, and as whom.",
    ),
)
