"""The process of ``worker run --dev``, made again after each change of a file.

A change may come while it imports what it needs, so this module imports nothing of that.
"""

import pickle


def serve_again(order: bytes) -> None:
    """Serve as ``serve_in_dev`` does with the pickled arguments; an early end leaves no trace."""
    try:
        from timegate.cli.code_first.serving import serve_in_dev  # noqa: PLC0415 - see above

        # The process that watches the files has pickled it.
        serve_in_dev(*pickle.loads(order))  # noqa: S301
    except KeyboardInterrupt:
        return
