import { act, renderHook, waitFor } from "@testing-library/react";
import createClient from "openapi-fetch";
import type { ReactNode } from "react";
import { expect, it } from "vitest";

import type { paths } from "../../../src/api/schema";
import { ApiContext } from "../../../src/kit";
import { useRunLog } from "../../../src/pages/runs/log/useRunLog";

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
