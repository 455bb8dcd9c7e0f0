import { expect, test } from "vitest";

import { ApiProblem, unreachable } from "../../src/kit/problems/problem";
import { periodAfter } from "../../src/kit/reading";

const refused = (status: number, code: string): ApiProblem => {
  const rest = { type: "", title: "", detail: "", errors: [], instance: "", request_id: "", quota: null, archived_in: null };
  return new ApiProblem({ ...rest, status, code });
};

test.each([
  ["run_expired", refused(404, "run_expired"), false],
  ["a role that may not", refused(403, "insufficient_role"), false],
  ["a token that is refused", refused(401, "unauthenticated"), 8_000],
  ["a rate that is used up", refused(429, "rate_exceeded"), 8_000],
  ["a failure of the API", refused(500, "internal_error"), 8_000],
  ["a gateway without the API's word", refused(404, "unexpected_answer"), 8_000],
  ["a stack that is away", unreachable(new Error("refused")), 8_000],
])("an answer that is kept fresh is read again after %s: %s", (_, problem, period) => {
  expect(periodAfter(problem, 1_000)).toBe(period);
});

test.each([
  ["a stack that is away", unreachable(new Error("refused")), 30_000],
  ["a rate that is used up", refused(429, "rate_exceeded"), false],
  ["an answer that there is not", refused(404, "run_not_found"), false],
])("an answer that is read once is read again after %s: %s", (_, problem, period) => {
  expect(periodAfter(problem, null)).toBe(period);
});
