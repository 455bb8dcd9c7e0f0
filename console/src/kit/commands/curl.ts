import { shellWord } from "./shellWord";

const BEGIN = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/;
const HEADER = /^[A-Za-z-]+: .+$/;

/** One request as pages write it: its line, headers beneath, and a body after an empty line. */
interface Request {
  method: string;
  path: string;
  headers: string[];
  body: string[];
}

/** Writes requests as commands of curl, with the address and the token of the environment. */
export function curlOf(requests: string): string {
  return readRequests(requests).map(written).join("\n");
}

function readRequests(text: string): Request[] {
  const found: Request[] = [];
  for (const line of text.split("\n")) {
    const [, method, path] = BEGIN.exec(line) ?? [];
    const last = found.at(-1);
    if (method !== undefined && path !== undefined) found.push({ method, path, headers: [], body: [] });
    else if (last?.body.length === 0 && HEADER.test(line)) last.headers.push(line);
    else if (last !== undefined && (line !== "" || last.body.length > 0)) last.body.push(line);
  }
  return found;
}

function written({ method, path, headers, body }: Request): string {
  const data = body.join("\n").trim();
  const sent = data !== "" && !headers.some((header) => header.startsWith("Content-Type")) ? ["Content-Type: application/json"] : [];
  return [
    `curl${method === "GET" ? "" : ` -X ${method}`} "$TIMEGATE_API_URL"${shellWord(path)}`,
    `-H "Authorization: Bearer $TIMEGATE_TOKEN"`,
    ...[...headers, ...sent].map((header) => `-H ${shellWord(header)}`),
    ...(data === "" ? [] : [`--data-binary ${shellWord(data)}`]),
  ].join(" \\\n  ");
}
