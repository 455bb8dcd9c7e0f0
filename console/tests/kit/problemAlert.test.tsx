import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { ApiProblem, ProblemAlert } from "../../src/kit";
import { unreachable } from "../../src/kit/problems/problem";

const REST = { type: "", title: "", detail: "It was refused.", errors: [], instance: "", request_id: "", quota: null, archived_in: null };
const refused = (status: number, code: string): ApiProblem => new ApiProblem({ ...REST, status, code });

test.each([
  [refused(409, "job_changed"), /Another caller changed it meanwhile/],
  [refused(412, "version_mismatch"), /Another caller changed it meanwhile/],
  [refused(409, "idempotency_conflict"), /sent before with other contents/],
  [refused(403, "insufficient_role"), /for the role that it takes/],
  [refused(429, "rate_exceeded"), /wait a moment/],
  [refused(429, "quota_exceeded"), /a larger quota/],
  [unreachable(new Error("away")), /reads it again by itself/],
])("advises what helps against %s", (problem, advice) => {
  render(<ProblemAlert problem={problem} />);

  expect(screen.getByText(advice)).toBeTruthy();
});

test.each([
  refused(409, "run_finished"),
  refused(409, "dag_deleted"),
  refused(403, "tenant_erased"),
])("gives no advice that does not help: $problem.code", (problem) => {
  render(<ProblemAlert problem={problem} />);

  expect(screen.queryByText(/Another caller|for the role/)).toBeNull();
  expect(screen.getByText("It was refused.")).toBeTruthy();
});

test.each(["job_damaged", "run_damaged", "dag_run_damaged"])("sends a person to the operator, of an action as of a reading: %s", (code) => {
  for (const isOfAction of [false, true]) {
    const { unmount } = render(<ProblemAlert problem={refused(500, code)} isOfAction={isOfAction} />);

    expect(screen.getByText(/until they have repaired it/)).toBeTruthy();
    expect(screen.queryByText(/done all the same/)).toBeNull();
    unmount();
  }
});

test("says of an action without an answer that it may have been done", () => {
  render(<ProblemAlert problem={unreachable(new Error("away"))} isOfAction />);

  expect(screen.getByText(/It may have been done all the same/)).toBeTruthy();
  expect(screen.queryByText(/by itself/)).toBeNull();
});

test("names each refusal of a field, also where two have the same code", () => {
  const errors = ["No scheme.", "No host."].map((detail) => ({ field: "action.url", code: "invalid", detail }));
  render(<ProblemAlert problem={new ApiProblem({ ...REST, status: 422, code: "invalid_request", errors })} />);

  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "action.url: No scheme.",
    "action.url: No host.",
  ]);
});

test.each([
  ["a refusal that names no fields", { code: "blocked", detail: "The proxy refused it." }, "The proxy refused it.", /^blocked$/],
  ["a refusal without its words", { code: 7, detail: null }, "The API answered 400.", /^unexpected_answer$/],
  ["no refusal of the API", { message: "Forbidden" }, "The API answered 400.", /^unexpected_answer$/],
])("shows %s", (_, body, detail, code) => {
  render(<ProblemAlert problem={ApiProblem.of(body, 400)} />);

  expect(screen.getByText(detail)).toBeTruthy();
  expect(screen.getByText(code)).toBeTruthy();
});
