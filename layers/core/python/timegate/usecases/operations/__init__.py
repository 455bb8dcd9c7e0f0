"""Operations on many jobs or runs, and dead letters."""
