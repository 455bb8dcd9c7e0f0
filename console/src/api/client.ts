import createClient, { type Middleware } from "openapi-fetch";

import type { Session } from "../auth/session";
import type { Api } from "../kit";
import { clockOfAnswers } from "./clock";
import { deadline } from "./deadline";
import { markNumbers, plainNumbers } from "./numbers";
import type { paths } from "./schema";

/** Answers that are kept for their ETag, and their characters. */
const MOST_KEPT = 200;
const MOST_CHARACTERS = 8_000_000;

/** Makes the API's client of a session. */
export function clientOf(baseUrl: string, session: Session): Api {
  const client = createClient<paths>({ baseUrl, bodySerializer: writeBody, fetch: (request) => fetch(request, { signal: deadline() }) });
  client.use(authorised(session));
  client.use(unchangedAnswers());
  client.use(exactNumbers());
  // The last one sees an answer first: one that has not changed is shown with the time at which it was read.
  client.use(clockOfAnswers());
  return client;
}

/** Writes the body of a request; integers have the digits with which they were read. */
export const writeBody = (body: unknown): string => plainNumbers(JSON.stringify(body));

/** Keeps integers of answers that a browser would change: what is shown, or stored again, is what was stored. */
export function exactNumbers(): Middleware {
  return {
    onResponse: async ({ response }) => {
      if (response.headers.get("Content-Type")?.includes("json") !== true) return response;
      const text = await response.clone().text();
      const marked = markNumbers(text);
      const { status, statusText, headers } = response;
      return marked === text ? response : new Response(marked, { status, statusText, headers });
    },
  };
}

/**
 * Sends the session's token. A token that the API refuses ends in a sign-in, unless the API has answered none of this
 * window's: the next token would be refused as well, and the window would sign in for ever.
 */
export function authorised(session: Session): Middleware {
  let isKnown = false;
  return {
    onRequest: async ({ request }) => {
      request.headers.set("Authorization", `Bearer ${await session.token()}`);
      return request;
    },
    onResponse: async ({ response }) => {
      isKnown ||= response.ok;
      if (response.status === 401 && isKnown) await session.renew();
      return response;
    },
  };
}

interface Kept {
  etag: string;
  body: string;
  headers: Headers;
}

/** Asks for an answer only if it has changed: the API answers 304, and the kept one is shown. */
export function unchangedAnswers(mostCharacters = MOST_CHARACTERS): Middleware {
  const kept = new Map<string, Kept>();
  return {
    onRequest: ({ request }) => {
      const known = request.method === "GET" ? kept.get(request.url) : undefined;
      if (known !== undefined) request.headers.set("If-None-Match", known.etag);
      return request;
    },
    onResponse: async ({ request, response }) => {
      const known = kept.get(request.url);
      if (response.status === 304 && known !== undefined) {
        return new Response(known.body, { status: 200, headers: known.headers });
      }
      const etag = response.headers.get("ETag");
      if (request.method === "GET" && response.ok && etag !== null) {
        const body = await response.clone().text();
        kept.delete(request.url);
        kept.set(request.url, { etag, body, headers: response.headers });
        forgetOldest(kept, mostCharacters);
      }
      return response;
    },
  };
}

/** Keeps the latest: a span that ends now has another address at each minute, and a window is open for days. */
function forgetOldest(kept: Map<string, Kept>, mostCharacters: number): void {
  let characters = [...kept.values()].reduce((sum, { body }) => sum + body.length, 0);
  for (const [url, { body }] of kept) {
    if (kept.size <= MOST_KEPT && characters <= mostCharacters) return;
    kept.delete(url);
    characters -= body.length;
  }
}
