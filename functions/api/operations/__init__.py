"""Operations on many jobs and runs in the API."""
