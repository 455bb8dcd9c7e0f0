"""Writes that belong together, and transactions that meet others at a shared record."""

import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain

from timegate.adapters.dynamo.tables.engine import MAX_MEMBERS, TRANSIENT, Engine, Refusal
from timegate.adapters.dynamo.tables.writes import Put, Write
from timegate.domain.values.errors import Throttled

#: Tries at a transaction that meets others: one of those who meet always gets through.
TRIES = 12
_FIRST_PAUSE_SECONDS = 0.01
_LONGEST_PAUSE_SECONDS = 0.3


def write_with(engine: Engine, write: Write, beside: Sequence[Write | Put]) -> bool:
    """Store a write and what goes with it, or neither; alone it costs half."""
    if not beside:
        return engine.write(write).done
    return not write_or_refuse(engine, [write, *beside])


def write_apart(
    engine: Engine, groups: Sequence[tuple[Write, Sequence[Write | Put]]]
) -> list[bool]:
    """Store each write with what goes with it, many by one transaction; ``False``: refused.

    Where one of a transaction is refused, each of its groups is tried by itself.
    """
    packs: list[list[tuple[Write, Sequence[Write | Put]]]] = []
    room = 0
    for group in groups:
        size = 1 + len(group[1])
        if size > room:
            packs.append([])
            room = MAX_MEMBERS
        packs[-1].append(group)
        room -= size
    return list(chain.from_iterable(engine.side_by_side(partial(_write_pack, engine), packs)))


def _write_pack(engine: Engine, pack: Sequence[tuple[Write, Sequence[Write | Put]]]) -> list[bool]:
    members = [each for write, beside in pack for each in (write, *beside)]
    if len(pack) > 1 and not write_or_refuse(engine, members):
        return [True] * len(pack)
    return [write_with(engine, write, beside) for write, beside in pack]


def write_together(engine: Engine, writes: Sequence[Write | Put]) -> bool:
    """Try once to store all or none: whether every condition held; raises ``Throttled``."""
    codes = {refusal.code for refusal in engine.transact(writes)}
    if codes & TRANSIENT:
        raise Throttled(f"A transaction was refused: {sorted(codes & TRANSIENT)}.")
    return not codes


def write_or_refuse(
    engine: Engine,
    writes: Sequence[Write | Put],
    *,
    pause: Callable[[float], None] = time.sleep,
) -> list[str]:
    """Return nothing when written, else why each member was refused, in order.

    A transaction that meets others is tried again; raises ``Throttled`` in the end.
    """
    return [refusal.code for refusal in write_or_tell(engine, writes, pause=pause)]


def write_or_tell(
    engine: Engine,
    writes: Sequence[Write | Put],
    *,
    pause: Callable[[float], None] = time.sleep,
) -> list[Refusal]:
    """Do as ``write_or_refuse`` does, and return the items that conditions met."""
    for attempt in range(TRIES):
        refusals = engine.transact(writes)
        codes = {refusal.code for refusal in refusals}
        if not TRANSIENT & codes:
            return refusals
        longest = min(_FIRST_PAUSE_SECONDS * 2**attempt, _LONGEST_PAUSE_SECONDS)
        pause(random.uniform(longest / 4, longest))  # noqa: S311 - spreads contenders
    raise Throttled(f"A transaction stayed refused: {sorted(TRANSIENT & codes)}.")
