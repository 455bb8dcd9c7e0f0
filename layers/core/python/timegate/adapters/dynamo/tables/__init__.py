"""The two tables: keys, values, conditional writes, and the engine that carries them out."""
