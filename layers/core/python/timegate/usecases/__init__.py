"""Use cases: one function per file, written against the ports."""
