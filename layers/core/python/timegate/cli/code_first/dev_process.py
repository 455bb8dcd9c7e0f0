"""The process of ``worker run --dev``, made again after each change of a file.

A change may come while it imports what it needs, so this module imports nothing of that.
"""

import pickle


def call_again(order: bytes) -> None:
    """Call a pickled function with its arguments; an early end leaves no trace.

    Reading the order imports the function's module.
    """
    try:
        # The process that watches the files has pickled it.
        function, arguments = pickle.loads(order)  # noqa: S301
        function(*arguments)
    except KeyboardInterrupt:
        return
