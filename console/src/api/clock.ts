import type { Middleware } from "openapi-fetch";

/** Milliseconds by which the API's clock is ahead of this machine's; 0 while both agree. */
let ahead = 0;

/** An answer is at most so old as it is read, and says its second: a clock that differs by less is right. */
const LEAST_MS = 60_000;

/** Returns the present in milliseconds since 1970, on the API's clock: this machine's may be hours off. */
export const present = (): number => Date.now() + ahead;

/** Compares this machine's clock with that of each answer. One that took longer tells nothing: the machine may have slept. */
export function clockOfAnswers(): Middleware {
  const begun = new Map<string, number>();
  return {
    onRequest: ({ id }) => {
      begun.set(id, Date.now());
    },
    onResponse: ({ id, response }) => {
      const now = Date.now();
      const took = now - (begun.get(id) ?? 0);
      begun.delete(id);
      const difference = Date.parse(response.headers.get("Date") ?? "") - now;
      if (Number.isNaN(difference) || took < 0 || took > LEAST_MS) return;
      ahead = Math.abs(difference) < LEAST_MS ? 0 : difference;
    },
    onError: ({ id }) => {
      begun.delete(id);
    },
  };
}
