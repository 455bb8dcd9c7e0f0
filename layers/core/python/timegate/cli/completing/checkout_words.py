"""Words that a checkout knows: its stages, profiles of concurrency, and keys of the context.

Stages of other names are known to AWS alone.
"""

from collections.abc import Iterable

from timegate.cli.admin.reaching import reach_checkout
from timegate.cli.completing.reading import Offers, beginning


def complete_stages(incomplete: str) -> Offers:
    """Stages that have settings of their own."""
    if not reach_checkout():
        return []
    from infra.stage.settings import STAGES  # noqa: PLC0415 - of the checkout

    return _plain(incomplete, STAGES)


def complete_capacities(incomplete: str) -> Offers:
    """Profiles of concurrency."""
    if not reach_checkout():
        return []
    from infra.stage.capacity import CAPACITIES  # noqa: PLC0415 - of the checkout

    return _plain(incomplete, CAPACITIES)


def complete_choices(incomplete: str) -> Offers:
    """Keys of the context that change a stage."""
    return _plain(incomplete, _choices())


def complete_context(incomplete: str) -> Offers:
    """The same keys, before their values."""
    return _plain(incomplete, [f"{name}=" for name in _choices()])


def _choices() -> tuple[str, ...]:
    if not reach_checkout():
        return ()
    from infra.stage.given.choices import CHOICES  # noqa: PLC0415 - of the checkout

    return CHOICES


def _plain(incomplete: str, words: Iterable[str]) -> Offers:
    return beginning(incomplete, [(word, "") for word in words])
