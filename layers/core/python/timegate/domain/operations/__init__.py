"""Operations: long work on many jobs or runs, and dead letters."""
