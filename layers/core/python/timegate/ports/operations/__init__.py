"""Operations and dead letters, as the use cases see them."""
