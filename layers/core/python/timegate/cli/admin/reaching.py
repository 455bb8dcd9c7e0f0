"""The checkout around this program, if there is one."""

import sys
from pathlib import Path

import timegate


def reach_checkout() -> bool:
    """Let the operators' tools be imported; ``False``: this program is no checkout's."""
    root = Path(timegate.__file__).resolve().parents[4]
    if not (root / "infra" / "admin").is_dir():
        return False
    if str(root) not in sys.path:
        sys.path.append(str(root))
    return True
