import { execFileSync } from "node:child_process";

import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";

import { CopiedId } from "../../src/kit";
import { curlOf } from "../../src/kit/commands/curl";
import { withDocument } from "../../src/pages/shared/quoting";

/** Runs a script in which a word stands for a program that writes its arguments, or its input, as JSON. */
function argumentsOf(program: string, script: string): string[] {
  const tool = `${program}() { node -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- "$@"; }`;
  const env = { ...process.env, TIMEGATE_API_URL: "https://api.example.com", TIMEGATE_TOKEN: "secret" };
  return JSON.parse(execFileSync("sh", ["-c", `${tool}\n${script}`], { env, encoding: "utf8" })) as string[];
}

const TOKEN = ["-H", "Authorization: Bearer secret"];

it("writes a reading for curl, with the address and the token of the environment", () => {
  expect(argumentsOf("curl", curlOf("GET /v1/runs?state=queued&state=waiting"))).toEqual([
    "https://api.example.com/v1/runs?state=queued&state=waiting",
    ...TOKEN,
  ]);
});

it("writes a change with its headers and its body, whatever a tenant's texts are", () => {
  const body = JSON.stringify({ name: `it's $(reboot) \`reboot\` "x"\n\n` }, null, 2);
  const text = `POST /v1/jobs/j/trigger\nIdempotency-Key: k-1\nIf-Match: "3"\n\n${body}`;

  expect(argumentsOf("curl", curlOf(text))).toEqual([
    "-X",
    "POST",
    "https://api.example.com/v1/jobs/j/trigger",
    ...TOKEN,
    ...["-H", "Idempotency-Key: k-1", "-H", 'If-Match: "3"', "-H", "Content-Type: application/json"],
    "--data-binary",
    body,
  ]);
});

it("keeps the type of a body that says it, and writes each of several requests", () => {
  const event = "POST /v1/events\nContent-Type: application/cloudevents+json\n\n{}";

  expect(curlOf(event).match(/Content-Type/g)).toHaveLength(1);
  expect(curlOf("GET /v1/dag-runs/r\nGET /v1/dag-runs/r/gantt").match(/^curl /gm)).toHaveLength(2);
});

it("writes a command with the document that it reads, as the shell hands it over", () => {
  const document = { name: "it's\nEOF\n$(reboot)", description: "`reboot`" };
  const script = withDocument("timegate jobs create --file -", document);
  const read = execFileSync("sh", ["-c", `timegate() { cat; }\n${script}`], { encoding: "utf8" });

  expect(JSON.parse(read)).toEqual(document);
});

it("copies an id by a button that names it", () => {
  render(<CopiedId id="f45y" what="job id" />);

  expect(screen.getByText("f45y")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Copy the job id" })).toBeTruthy();
});
