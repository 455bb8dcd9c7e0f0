"""Operations and dead letters as items."""
