"""Jobs: the definition of what runs, when, and how."""
