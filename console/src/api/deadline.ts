/** The gateway answers within 30 seconds, or says that it cannot. */
const LONGEST_MS = 60_000;

/** Ends a request without an answer: a connection that is lost while a machine sleeps tells its browser nothing. */
export const deadline = (): AbortSignal => AbortSignal.timeout(LONGEST_MS);
