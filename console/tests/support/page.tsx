import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import axe from "axe-core";
import createClient from "openapi-fetch";
import type { ReactElement } from "react";
import { BrowserRouter, Route, Routes } from "react-router";

import { writeBody } from "../../src/api/client";
import type { paths } from "../../src/api/schema";
import { ApiContext, SessionContext } from "../../src/kit";
import { newQueries } from "../../src/kit/queries";

/** A request that a page made. */
export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}

/** Answers by method and path; a function decides by the request. */
export type Answers = Record<string, unknown>;

/** Answers a page's requests, and remembers them. */
export function apiOf(answers: Answers): { fetch: typeof fetch; asked: Asked[] } {
  const asked: Asked[] = [];
  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const text = await request.clone().text();
    const seen = {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
    };
    asked.push(seen);
    const found = answers[`${seen.method} ${seen.path}`];
    const body: unknown = await (typeof found === "function" ? (found as (asked: Asked) => unknown)(seen) : found);
    if (body === undefined) return refusal(404, "not_found");
    const answered = body instanceof Response ? body : Response.json(body);
    return Object.defineProperty(answered, "url", { value: request.url, configurable: true });
  };
  return { fetch: answer, asked };
}

/** A refusal as the API writes it. */
export function refusal(status: number, code: string, detail = `It was refused: ${code}.`): Response {
  const problem = { type: `urn:timegate:problem:${code}`, title: "", status, code, detail };
  const rest = { errors: [], instance: "", request_id: "r-1", quota: null, archived_in: null };
  return Response.json({ ...problem, ...rest }, { status });
}

/** An answer that comes once it is let go. */
export function held() {
  let resolve: (body: object) => void = () => undefined;
  const answer = new Promise<object>((done) => {
    resolve = done;
  });
  return { answer, resolve: (body: object) => { resolve(body); } };
}

export const EDITOR = ["timegate/read", "timegate/write", "timegate/operate", "timegate/send"];
export const VIEWER = ["timegate/read"];

interface Options {
  path?: string;
  route?: string;
  scopes?: readonly string[];
}

/** Shows a page to a person, at an address. */
export function show(page: ReactElement, answers: Answers, options: Options = {}) {
  const { fetch: answer, asked } = apiOf(answers);
  const api = createClient<paths>({ baseUrl: "https://api.example.com", fetch: answer, bodySerializer: writeBody });
  const person = { tenant: "acme", caller: "ada", scopes: options.scopes ?? EDITOR, roles: [] };
  const queries = newQueries(0);
  const path = options.path ?? "/";
  history.replaceState(null, "", path);
  const shown = render(
    <QueryClientProvider client={queries}>
      <ApiContext value={api}>
        <SessionContext value={person}>
          <BrowserRouter>
            <Routes>
              <Route path={options.route ?? path.split("?")[0] ?? "/"} element={page} />
              <Route path="*" element={<p>another page</p>} />
            </Routes>
          </BrowserRouter>
        </SessionContext>
      </ApiContext>
    </QueryClientProvider>,
  );
  return { ...shown, asked, queries };
}

/** Returns the rules of accessibility that a page breaks seriously; colours need a browser. */
export async function seriousViolations(container: Element): Promise<string[]> {
  const found = await axe.run(container, { rules: { "color-contrast": { enabled: false } } });
  return found.violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
