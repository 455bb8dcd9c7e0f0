"""Every code that a refusal can carry: what it means, and what to do about it."""
