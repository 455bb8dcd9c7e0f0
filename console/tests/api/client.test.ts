import createClient from "openapi-fetch";
import { expect, it, vi } from "vitest";

import { authorised, clientOf, exactNumbers, unchangedAnswers, writeBody } from "../../src/api/client";
import { exchange } from "../../src/auth/tokens";
import type { Settings } from "../../src/auth/settings";
import { readAll } from "../../src/kit";
import type { paths } from "../../src/api/schema";

it("shows the kept answer when the API says that nothing has changed", async () => {
  const asked: (string | null)[] = [];
  const client = createClient<paths>({
    baseUrl: "https://api.example.com",
    fetch: (request) => {
      const known = request.headers.get("If-None-Match");
      asked.push(known);
      if (known === 'W/"1"') return Promise.resolve(new Response(null, { status: 304 }));
      return Promise.resolve(Response.json({ items: [1] }, { headers: { ETag: 'W/"1"' } }));
    },
  });
  client.use(unchangedAnswers());
  const first = await client.GET("/v1/freezes");
  const second = await client.GET("/v1/freezes");

  expect(asked).toEqual([null, 'W/"1"']);
  expect(second.data).toEqual(first.data);
});

it.each([
  ["keeps the answers that it has room for", 14, [null, null, "1", "1"]],
  ["forgets the oldest answer where there is no room for both", 13, [null, null, "1", null]],
])("%s", async (_, room, tags) => {
  const asked: (string | null)[] = [];
  const client = createClient<paths>({
    baseUrl: "https://api.example.com",
    fetch: (request) => {
      asked.push(request.headers.get("If-None-Match"));
      return Promise.resolve(new Response('{"a":1}', { headers: { ETag: "1" } }));
    },
  });
  client.use(unchangedAnswers(room));
  for (const path of ["/v1/freezes", "/v1/jobs", "/v1/jobs", "/v1/freezes"] as const) await client.GET(path);

  expect(asked).toEqual(tags);
});

it.each([
  ["signs in anew for a token that the API refuses", [200, 401], 1],
  ["shows a refusal of the first token: the next one would be refused as well", [401, 401], 0],
])("%s", async (_, statuses, signIns) => {
  const renew = vi.fn(() => new Promise<never>(() => undefined));
  const fetch = vi.fn();
  for (const status of statuses) fetch.mockResolvedValueOnce(Response.json({}, { status }));
  const client = createClient<paths>({ baseUrl: "https://api.example.com", fetch });
  client.use(authorised({ token: () => Promise.resolve("token"), renew, signOut: vi.fn() }));
  const first = await client.GET("/v1/tenant");
  const second = client.GET("/v1/tenant");

  expect(first.response.status).toBe(statuses[0]);
  await vi.waitFor(() => {
    expect(fetch).toHaveBeenCalledTimes(2);
  });
  await Promise.race([second, new Promise((resolve) => setTimeout(resolve))]);
  expect(renew).toHaveBeenCalledTimes(signIns);
});

it("sends an integer beyond 2^53 as it was read", async () => {
  const sent: string[] = [];
  const stored = `{"payload": {"order": 9007199254740993, "text": "9007199254740993", "small": -5, "list": [-12345678901234567890]}}`;
  const client = createClient<paths>({
    baseUrl: "https://api.example.com",
    bodySerializer: writeBody,
    fetch: async (request) => {
      sent.push(await request.text());
      return new Response(stored, { headers: { "Content-Type": "application/json" } });
    },
  });
  client.use(exactNumbers());
  const read = await client.GET("/v1/jobs/{job_id}", { params: { path: { job_id: "a" } } });
  await client.PATCH("/v1/jobs/{job_id}", { params: { path: { job_id: "a" } }, body: read.data as never });

  expect(sent[1]).toBe(stored.replaceAll(": ", ":").replaceAll(", ", ","));
});

const SESSION = { token: () => Promise.resolve("t"), renew: () => Promise.reject(new Error()), signOut: () => undefined };

it.each([
  ["of the API", () => readAll(clientOf("https://api.example.com", SESSION).GET("/v1/tenant"))],
  ["of the issuer", () => exchange({ token_url: "https://id.example.com/token", client_id: "c" } as Settings, { grant_type: "refresh_token" })],
])("gives up an answer %s after a minute: a connection may be lost unnoticed", async (_, ask) => {
  const given: number[] = [];
  const passed = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    given.push(ms);
    return passed.signal;
  });
  vi.stubGlobal("fetch", (_input: unknown, init: RequestInit) =>
    new Promise((_resolve, reject) => {
      init.signal?.addEventListener("abort", () => { reject(new Error("signal timed out")); });
    }),
  );
  const answer = ask();
  await vi.waitFor(() => {
    expect(given).toEqual([60_000]);
  });
  passed.abort();

  await expect(answer).rejects.toThrow("signal timed out");
});
