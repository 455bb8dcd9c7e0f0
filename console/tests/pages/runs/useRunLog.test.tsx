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

/** Answers a log of pages of one line; a page is answered once it is let go. */
function pagedLog(count: number) {
  const begun: (() => void)[] = [];
  const fetch = async (request: Request) => {
    const page = Number(new URL(request.url).searchParams.get("cursor") ?? "0");
    await new Promise<void>((resolve) => begun.push(resolve));
    return Response.json({ items: [{ text: `line ${page}` }], next_cursor: page + 1 < count ? String(page + 1) : null });
  };
  const api = createClient<paths>({ baseUrl: "https://api.example.com", fetch });
  const wrapper = ({ children }: { children: ReactNode }) => <ApiContext value={api}>{children}</ApiContext>;
  const next = async (): Promise<void> => {
    await waitFor(() => {
      expect(begun.length).toBeGreaterThan(0);
    });
    await act(async () => {
      begun.shift()?.();
      await Promise.resolve();
    });
  };
  return { wrapper, next };
}

it("has the first page of a log while the second is on its way, and adds each that comes", async () => {
  const { wrapper, next } = pagedLog(3);
  const log = renderHook(() => useRunLog("r", true), { wrapper });
  const texts = () => log.result.current.lines.map(({ text }) => text);
  await next();
  await waitFor(() => {
    expect(texts()).toEqual(["line 0"]);
  });

  expect([log.result.current.isLoading, log.result.current.isReadingOn]).toEqual([false, true]);
  await next();
  await waitFor(() => {
    expect(texts()).toEqual(["line 0", "line 1"]);
  });
  await next();
  await waitFor(() => {
    expect(log.result.current.isReadingOn).toBe(false);
  });
  expect([texts(), log.result.current.isPartial]).toEqual([["line 0", "line 1", "line 2"], false]);
});

it("keeps the pages that came before a refusal, and reads on from there when it is asked again", async () => {
  let isBroken = true;
  const asked: string[] = [];
  const fetch = (request: Request) => {
    const page = new URL(request.url).searchParams.get("cursor");
    asked.push(page ?? "first");
    if (page !== null && isBroken) return Promise.resolve(refusal(503, "throttled"));
    return Promise.resolve(Response.json({ items: [{ text: page ?? "first" }], next_cursor: page === null ? "2" : null }));
  };
  const api = createClient<paths>({ baseUrl: "https://api.example.com", fetch });
  const wrapper = ({ children }: { children: ReactNode }) => <ApiContext value={api}>{children}</ApiContext>;
  const log = renderHook(() => useRunLog("r", true), { wrapper });
  await waitFor(() => {
    expect(log.result.current.problem?.problem.code).toBe("throttled");
  });

  const { lines, isPartial, isReadingOn } = log.result.current;
  expect([lines.map(({ text }) => text), isPartial, isReadingOn]).toEqual([["first"], true, false]);
  isBroken = false;
  act(() => {
    log.result.current.reread();
  });
  await waitFor(() => {
    expect(log.result.current.lines.map(({ text }) => text)).toEqual(["first", "2"]);
  });
});
