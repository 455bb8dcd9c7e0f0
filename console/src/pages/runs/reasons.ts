/** Reasons by which failed runs and dead letters are found. */
export const REASONS = [
  "permanent",
  "retries_exhausted",
  "breaker_opened",
  "retry_window_closed",
  "kills_workers",
  "worker_died",
  "duration_exceeded",
  "slices_exhausted",
  "poison_message",
  "region_lost",
  "at_most_once",
  "late",
  "overlap",
  "expired",
  "quota",
  "cancel_requested",
  "replaced",
  "chain_too_long",
  "no_business_day",
] as const;

/** Reasons for which a run is given up. */
export const LETTER_REASONS = [
  "retries_exhausted",
  "breaker_opened",
  "retry_window_closed",
  "kills_workers",
  "duration_exceeded",
  "slices_exhausted",
  "poison_message",
  "region_lost",
] as const;
