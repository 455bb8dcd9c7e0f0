import { QueryClient } from "@tanstack/react-query";

/** An answer is read anew by another part of the page once it is so old. */
const STALE_MS = 2_000;

/**
 * Makes the store of what is read. Nothing waits for a network: a read says at once that there is none, and an action is
 * refused, where it would be sent unasked hours later.
 */
export function newQueries(staleTime = STALE_MS): QueryClient {
  const networkMode = "always";
  return new QueryClient({ defaultOptions: { queries: { retry: false, networkMode, staleTime }, mutations: { networkMode } } });
}
