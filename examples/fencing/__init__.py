"""How a target enforces fences, where its data is: copy what you need."""
