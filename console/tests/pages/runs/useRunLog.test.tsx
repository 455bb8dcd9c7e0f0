import { act, renderHook, waitFor } from "@testing-library/react";
import createClient from "openapi-fetch";
import type { ReactNode } from "react";
import { expect, it, vi } from "vitest";

import type { paths } from "../../../src/api/schema";
import { ApiContext } from "../../../src/kit";
import { useRunLog } from "../../../src/pages/runs/log/useRunLog";
import { refusal } from "../../support/page";

it("reads the last lines of a run that ended while its log was being read", async () => {
  const answers: ((lines: string[]) => void)[] = [];
  const fetch = () =>
    new Promise<Response>((resolve) => {
      answers.push((lines) => {
        resolve(Response.json({ items: lines.map((text) => ({ text })), next_cursor: null }));
      });
    });
  const api = createClient<paths>({ baseUrl: "https://api.example.com", fetch });
  const wrapper = ({ children }: { children: ReactNode }) => <ApiContext value={api}>{children}</ApiContext>;
  const log = renderHook(({ hasEnded }) => useRunLog("r", hasEnded), { wrapper, initialProps: { hasEnded: false } });
  await waitFor(() => {
    expect(answers.length).toBe(1);
  });
  log.rerender({ hasEnded: true });
  act(() => answers[0]?.(["begins"]));
  await waitFor(() => {
    expect(answers.length).toBe(2);
  });
  act(() => answers[1]?.(["begins", "ends"]));

  await waitFor(() => {
    expect(log.result.current.lines.map(({ text }) => text)).toEqual(["begins", "ends"]);
  });
});

it.each([
  ["for good", 404, "run_not_found", 0],
  ["for now", 503, "throttled", 1],
])("asks no more, or eight times as seldom, for a log that is refused %s", async (_, status, code, more) => {
  vi.useFakeTimers();
  const asked: string[] = [];
  const fetch = (request: Request) => {
    asked.push(request.url);
    return Promise.resolve(refusal(status, code));
  };
  const api = createClient<paths>({ baseUrl: "https://api.example.com", fetch });
  const wrapper = ({ children }: { children: ReactNode }) => <ApiContext value={api}>{children}</ApiContext>;
  const log = renderHook(() => useRunLog("r", false), { wrapper });
  await act(() => vi.advanceTimersByTimeAsync(23_000));
  const soon = asked.length;
  await act(() => vi.advanceTimersByTimeAsync(10_000));

  expect([soon, asked.length]).toEqual([1, 1 + more]);
  act(() => {
    log.result.current.reread();
  });
  await act(() => vi.advanceTimersByTimeAsync(10));
  expect(asked.length).toBe(2 + more);
});

it("reads no further page of a log whose page has gone", async () => {
  const asked: string[] = [];
  const fetch = async (request: Request) => {
    asked.push(request.url);
    await new Promise((resolve) => setTimeout(resolve, 10));
    return Response.json({ items: [{ text: "goes on" }], next_cursor: `page-${asked.length}` });
  };
  const api = createClient<paths>({ baseUrl: "https://api.example.com", fetch });
  const wrapper = ({ children }: { children: ReactNode }) => <ApiContext value={api}>{children}</ApiContext>;
  const log = renderHook(() => useRunLog("r", false), { wrapper });
  await waitFor(() => {
    expect(asked.length).toBeGreaterThan(0);
  });
  log.unmount();
  const atLeaving = asked.length;
  await new Promise((resolve) => setTimeout(resolve, 200));

  expect(asked.length).toBeLessThanOrEqual(atLeaving + 1);
});
