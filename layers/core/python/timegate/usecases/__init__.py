"""What Timegate does: one function per file, written against the ports."""
