"""Two regions whose functions are those of production: one dies or is fenced at any call."""
