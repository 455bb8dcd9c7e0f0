import { act, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import RunPage from "../../../src/pages/runs/RunPage";
import { attempt, LOG, run, RUN_ID } from "../../support/answers";
import { renderPage } from "../../support/renderPage";

const counted = vi.hoisted(() => ({ renders: 0 }));

vi.mock("../../../src/pages/runs/log/RunLog", () => ({
  RunLog: () => {
    counted.renders += 1;
    return <p>The log</p>;
  },
}));

it.each([
  ["running", null],
  ["failed", attempt().ended_at],
] as const)("draws no log anew for each second of a run that is %s", async (state, ended_at) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const whole = run({ state, attempts: [attempt({ state, ended_at })] });
  renderPage({
    Page: RunPage,
    route: "/runs/:run_id",
    url: `/runs/${RUN_ID}`,
    answers: { [`GET /v1/runs/${RUN_ID}`]: whole, [`GET /v1/runs/${RUN_ID}/logs`]: LOG },
  });
  await screen.findByText("The log");
  const before = counted.renders;
  await act(() => vi.advanceTimersByTimeAsync(2_500));

  expect(counted.renders).toBe(before);
});
