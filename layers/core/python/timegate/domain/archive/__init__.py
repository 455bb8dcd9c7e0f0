"""The archive: what ended runs, gaps and changes leave when their records expire."""
