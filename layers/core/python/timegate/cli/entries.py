"""Every command of the root, in the order of its help."""

from timegate.cli.terminal.lazy_commands import Entry

ENTRIES = (
    Entry(
        name="simulate",
        place="timegate.cli.simulation.simulate:simulate_command",
        help="Show what would become of every instant of a job."
        " A file needs no stage and no profile.",
    ),
    Entry(
        name="apply",
        place="timegate.cli.apply.commands:apply",
        help="Make calendars, jobs, DAGs, rules and event triggers what files declare.",
    ),
    Entry(
        name="diff",
        place="timegate.cli.apply.commands:diff",
        help="Show what apply would do; exits with 0 if nothing, with 5 if something.",
    ),
    Entry(
        name="deploy",
        place="timegate.cli.code_first.deploying:deploy",
        help="Make the stage's jobs those of a program's @job functions,"
        " after showing the differences.",
    ),
    Entry(
        name="overview",
        place="timegate.cli.operations.overviews:overview",
        help="Show what fails, what is held back, and what is used of the quotas.",
    ),
    Entry(
        name="decisions",
        place="timegate.cli.operations.overviews:decisions",
        help="Show what failed for good and waits for a decision, by cause.",
    ),
    Entry(
        name="forecast",
        place="timegate.cli.previews.forecast:forecast",
        help="Show how many runs fall due in each hour of the next days, from the schedules alone.",
    ),
    Entry(
        name="whoami",
        place="timegate.cli.tenants.commands:whoami",
        help="Show which tenant the profile speaks for, what it may do, and its quotas.",
    ),
    Entry(
        name="audit",
        place="timegate.cli.tenants.audit:audit_command",
        help="Show who changed what, latest first.",
    ),
    Entry(
        name="jobs",
        place="timegate.cli.jobs.commands:jobs",
        help="Create jobs, look at them, change them, end them.",
    ),
    Entry(
        name="runs",
        place="timegate.cli.runs.commands:runs",
        help="See what became of jobs, and stop it.",
    ),
    Entry(
        name="bulk",
        place="timegate.cli.jobs.bulk:bulk",
        help="Pause, resume or cancel every job that matches.",
    ),
    Entry(
        name="operations",
        place="timegate.cli.operations.commands:operations",
        help="See how far long work came, and stop it.",
    ),
    Entry(
        name="dags",
        place="timegate.cli.dag_runs.dag_pictures:dags",
        help="Run jobs in an order: define, check and draw DAGs.",
    ),
    Entry(
        name="events",
        place="timegate.cli.events.commands:events",
        help="Tell the stage what happened elsewhere.",
    ),
    Entry(
        name="dead-letters",
        place="timegate.cli.operations.dead_letters:dead_letters",
        help="See which runs were given up, try them again, or let them rest.",
    ),
    Entry(
        name="schedule",
        place="timegate.cli.previews.schedule:schedules",
        help="See what a schedule would do.",
    ),
    Entry(
        name="import",
        place="timegate.cli.migrating.importing:imports",
        help="Write manifests for timegate apply from other programs' files.",
    ),
    Entry(
        name="calendars",
        place="timegate.cli.restrictions.calendars:calendars",
        help="Say when jobs are not to run.",
    ),
    Entry(
        name="freezes",
        place="timegate.cli.restrictions.freezes:freezes",
        help="Let nothing start for a while.",
    ),
    Entry(
        name="rules",
        place="timegate.cli.rules.commands:rules",
        help="Say of which jobs you are told what: failures in a row, absence, recovery.",
    ),
    Entry(
        name="event-triggers",
        place="timegate.cli.event_triggers.commands:event_triggers",
        help="Let events start jobs and DAGs.",
    ),
    Entry(
        name="pools",
        place="timegate.cli.pools.commands:pools",
        help="See what waits for workers, and who comes for it.",
    ),
    Entry(
        name="worker",
        place="timegate.cli.code_first.serving:workers",
        help="Work on the runs that a pool offers.",
    ),
    Entry(
        name="mcp",
        place="timegate.cli.agents.serving:mcp",
        help="Serve tools for agents on standard input and output; they read only,"
        " unless told otherwise.",
    ),
    Entry(
        name="tenants",
        place="timegate.cli.tenants.commands:tenants",
        help="Administer a stage's tenants; takes the scope timegate/admin.",
    ),
    Entry(
        name="profiles",
        place="timegate.cli.tenants.profiles:profiles",
        help="Say which stages there are, and as whom.",
    ),
)
