import createClient, { type Client } from "openapi-fetch";
import { createContext, useContext } from "react";

import type { components, paths } from "../api/schema";
import { ApiProblem, unreachable } from "./problems/problem";

/** Schemas of the API's description, by name. */
export type Schemas = components["schemas"];
/** The API's client: requests and answers have the types of its description. */
export type Api = Client<paths>;

export const ApiContext = createContext<Api>(createClient<paths>({ baseUrl: "/" }));

/** Returns the client of the session. */
export const useApi = (): Api => useContext(ApiContext);

/** Returns the body of an answer; throws `ApiProblem` for a refusal, and for a body of another shape: each answer of the API is an object. */
export async function readAll<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await answer.catch((cause: unknown) => {
    throw unreachable(cause);
  });
  if (error !== undefined || !response.ok) {
    throw ApiProblem.of(error, response.status);
  }
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    throw unreachable(new Error("its answer has another shape"));
  }
  return data;
}
