"""The ``timegate`` command: everything the API does, from a terminal. It talks HTTP only."""
