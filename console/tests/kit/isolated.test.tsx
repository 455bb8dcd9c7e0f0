import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import { isolated } from "../../src/kit";
import { scopeWords } from "../../src/pages/restrictions/freezeWords";
import { jobsOf } from "../../src/pages/rules/ruleWords";
import { subjectWords } from "../../src/pages/operations/operationWords";
import { ResumeJob } from "../../src/pages/decisions/ResumeJob";
import { show } from "../support/page";

it.each([
  ["nightly", "nightly"],
  ["\u202eexe.gnp", "exe.gnp"],
  ["\u2069\u202ea\nb\u2028c", "abc"],
  ["דוח לילי", "\u2068דוח לילי\u2069"],
  ["\u2067تقرير", "\u2068تقرير\u2069"],
])("writes %j for a place without markup", (text, written) => {
  expect(isolated(text)).toBe(written);
});

it("keeps tags of a freeze apart from the words around them", () => {
  expect(scopeWords({ kind: "tag", key: "צוות", value: "נתונים" })).toBe("tag \u2068צוות=נתונים\u2069");
});

it("keeps names and tags of a list apart from those behind them", () => {
  const jobs = { job_id: null, name: "\u202eone", tags: { team: "\u202etwo", a: "\u202ethree" } };
  const filter = { name: "\u202eone", tags: { team: "\u202etwo" } };

  expect(jobsOf({ jobs })).toBe("named one, tagged team:two, tagged a:three");
  expect(subjectWords({ parameters: { filter } } as never)).toBe("name one, team=two");
});

it("asks of a job whose name would turn the question round", async () => {
  show(<ResumeJob jobId="j" name={"\u202ereport"} onDone={() => undefined} onDismiss={() => undefined} />, {});

  expect((await screen.findByRole("dialog")).textContent).toContain("Resume report?");
  await userEvent.keyboard("{Escape}");
});
