import type { components } from "../../api/schema";

type Problem = components["schemas"]["Problem"];

const NOTHING_SAID: Omit<Problem, "code" | "detail" | "status"> = {
  type: "about:blank",
  title: "",
  errors: [],
  instance: "",
  request_id: "",
  quota: null,
  archived_in: null,
};

/** A refusal of the API, as RFC 9457 describes it. */
export class ApiProblem extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
    this.name = "ApiProblem";
  }

  /** Reads the body of a refusal; a gateway's own refusals have another shape. */
  static of(body: unknown, status: number): ApiProblem {
    if (isProblem(body)) return new ApiProblem(whole(body, status));
    const detail = status === 401 ? "The session has ended." : `The API answered ${status}.`;
    const code = status === 401 ? "unauthenticated" : "unexpected_answer";
    return new ApiProblem({ ...NOTHING_SAID, status, code, detail });
  }
}

/** Describes a request that no answer came to. */
export function unreachable(cause: unknown): ApiProblem {
  if (cause instanceof ApiProblem) return cause;
  const said = cause instanceof Error ? ` (${cause.message})` : "";
  const detail = `The API cannot be reached${said}.`;
  return new ApiProblem({ ...NOTHING_SAID, status: 503, code: "unreachable", detail });
}

type Named = Pick<Problem, "code" | "detail">;

function isProblem(body: unknown): body is Named {
  if (typeof body !== "object" || body === null) return false;
  const { code, detail } = body as Record<string, unknown>;
  return typeof code === "string" && typeof detail === "string";
}

/** Fills in what a proxy, or an API of another release, leaves out of its refusals: pages show every part. */
function whole(body: Named & Partial<Problem>, status: number): Problem {
  const said = { ...NOTHING_SAID, status, ...body };
  return Array.isArray(said.errors) ? said : { ...said, errors: [] };
}
