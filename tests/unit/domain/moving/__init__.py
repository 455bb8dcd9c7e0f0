"""Files of what moves."""
