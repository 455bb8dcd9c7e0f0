"""Places that functions have rights on, by name."""

from infra.constructs.runtime.description import Given, Place


def jobs(given: Given) -> list[str]:
    """Return the table of jobs."""
    return [given.stores.jobs.arn]


def runs(given: Given) -> list[str]:
    """Return the table of runs."""
    return [given.stores.runs.arn]


def jobs_by(index: str) -> Place:
    """Return an index of the table of jobs."""
    return lambda given: [given.stores.jobs.index_arn(index)]


def runs_by(index: str) -> Place:
    """Return an index of the table of runs."""
    return lambda given: [given.stores.runs.index_arn(index)]


def dead_letters(given: Given) -> list[str]:
    """Return the indexes of dead letters."""
    return given.stores.runs.dead_letter_arns


def run_queues(given: Given) -> list[str]:
    """Return the run queues, without their dead letters."""
    return given.stores.queues.arns


def rejected(given: Given) -> list[str]:
    """Return the queue of messages and records that cannot be read."""
    return [given.rejects().queue_arn]


def payloads(given: Given) -> list[str]:
    """Return every payload object."""
    return [given.stores.blobs.payloads_arn]


def results(given: Given) -> list[str]:
    """Return every result object."""
    return [given.stores.blobs.results_arn]


def checkpoints(given: Given) -> list[str]:
    """Return every checkpoint object."""
    return [given.stores.blobs.checkpoints_arn]


def archived(given: Given) -> list[str]:
    """Return every file of the archive, its seals, and the plans and lists of its rounds."""
    return given.stores.archive.file_arns


def seal_key(given: Given) -> list[str]:
    """Return the key that signs seals; none where the stage seals nothing."""
    return [given.seal_key_arn] if given.seal_key_arn is not None else []


def everything(_: Given) -> list[str]:
    """Return what actions that take no resource ask for."""
    return ["*"]


def machine(given: Given) -> list[str]:
    """Return the state machine of DAG runs."""
    return [given.machine()]
