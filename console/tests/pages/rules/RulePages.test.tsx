import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import EditRulePage from "../../../src/pages/rules/EditRulePage";
import RulePage from "../../../src/pages/rules/RulePage";
import RulesPage from "../../../src/pages/rules/RulesPage";
import { HOSTILE, rule, ruleMessage } from "../../support/answers";
import { refusal } from "../../support/page";
import {
  changes,
  expectAccessible,
  expectOnlyText,
  isDisabled,
  renderPage,
  VIEWER,
} from "../../support/renderPage";

const LIST = { Page: RulesPage, route: "/rules", url: "/rules" };
const ONE = { Page: RulePage, route: "/rules/:rule", url: "/rules/data-team" };
const EDIT = { Page: EditRulePage, route: "/rules/:rule/edit", url: "/rules/data-team/edit" };
const NEW = { Page: EditRulePage, route: "/rules/+new", url: "/rules/+new" };
const GET = "GET /v1/notification-rules/data-team";
const SILENT = { [`${GET}/messages`]: { items: [], next_cursor: null, held: { events: [], more: 0 } } };
const TEST = "POST /v1/notification-rules/data-team/test";
const PUT = "PUT /v1/notification-rules/data-team";

test("rules are listed in words, and texts of the tenant are text", async () => {
  const page = renderPage({ ...LIST, answers: { "GET /v1/notification-rules": { items: [rule()], next_cursor: null } } });

  expect(await screen.findByText(/3 runs failed in a row; a run waits 10 min after it was due/)).toBeTruthy();
  expect(screen.getByText(/no run succeeded for 26 h, judged at 07:00 Europe\/Berlin/)).toBeTruthy();
  expect(screen.getByText(/mon,tue 22:00–06:30 Europe\/Berlin/)).toBeTruthy();
  expect(screen.getByText(/slack \/timegate-target\/acme\/slack/)).toBeTruthy();
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("an empty list teaches the first rule", async () => {
  renderPage({ ...LIST, answers: { "GET /v1/notification-rules": { items: [], next_cursor: null } } });

  expect(await screen.findByText(/timegate rules put failures --failures 3/)).toBeTruthy();
});

test("a rule shows what it told whom, and what waits for the end of quiet hours", async () => {
  const page = renderPage({
    ...ONE,
    answers: {
      [GET]: rule(),
      [`${GET}/messages`]: {
        items: [ruleMessage()],
        next_cursor: null,
        held: { events: [{ text: `held ${HOSTILE}` }], more: 4 },
      },
    },
  });
  expect(await screen.findByText(/nightly: 3 runs in a row failed/)).toBeTruthy();
  const link = page.container.querySelector(`a[href="/runs/${ruleMessage().notification_id}"]`);

  // Its name is what it shows, so that who speaks it to the browser finds it.
  expect(link?.hasAttribute("aria-label")).toBe(false);
  expect(link?.querySelector("time")?.dateTime).toBe(ruleMessage().told_at);
  expect(screen.getByText("5 wait for the end of quiet hours")).toBeTruthy();
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("a test message is sent to its channels, by those who may operate", async () => {
  const user = userEvent.setup();
  const page = renderPage({ ...ONE, answers: { [GET]: rule(), [TEST]: { messages: [] }, ...SILENT } });
  await user.click(await screen.findByRole("button", { name: "Send a test" }));
  expect(screen.getByText("timegate rules test data-team")).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "Send it" }));
  await waitFor(() => {
    expect(screen.queryByRole("button", { name: "Send it" })).toBeNull();
  });

  expect(changes(page.asked)).toEqual([[...TEST.split(" "), undefined]]);
});

test("a rule is turned off as a whole, of the version that was read", async () => {
  const user = userEvent.setup();
  const page = renderPage({ ...ONE, answers: { [GET]: rule(), [PUT]: rule({ enabled: false }), ...SILENT } });
  await user.click(await screen.findByRole("button", { name: "Turn off" }));
  await user.click(await screen.findByRole("button", { name: "Turn off the rule" }));
  const [put] = page.asked.filter(({ method }) => method === "PUT");

  expect(put?.headers.get("If-Match")).toBe('"3"');
  expect(put?.body).toEqual({
    description: HOSTILE,
    enabled: false,
    jobs: { name: HOSTILE },
    when: {
      failures_in_a_row: 3,
      late_after_seconds: 600,
      absent: rule().when.absent,
      recovered: true,
    },
    channels: [
      { type: "webhook", url: `https://alerts.example.com/${HOSTILE}` },
      { type: "slack", url_secret: { ssm_parameter: "/timegate-target/acme/slack" } },
    ],
    quiet_hours: {
      timezone: "Europe/Berlin",
      windows: [{ weekdays: ["mon", "tue"], opens: "22:00", closes: "06:30" }],
    },
  });
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("a change is done once its page shows the version that the next change carries", async () => {
  const user = userEvent.setup();
  let readAgain: (answer: unknown) => void = () => undefined;
  const again = new Promise((resolve) => {
    readAgain = resolve;
  });
  const reads = [rule({ version: 3 }), again];
  const { asked } = renderPage({
    ...ONE,
    answers: { [GET]: () => reads.shift(), [PUT]: {}, "DELETE /v1/notification-rules/data-team": {}, ...SILENT },
  });
  await user.click(await screen.findByRole("button", { name: "Turn off" }));
  await user.click(await screen.findByRole("button", { name: "Turn off the rule" }));
  await waitFor(() => {
    expect(reads).toEqual([]);
  });
  expect(screen.getByRole("button", { name: "Turn off the rule" })).toBeTruthy();
  readAgain(rule({ version: 4, enabled: false }));
  await screen.findByRole("button", { name: "Turn on" });
  expect(screen.queryByRole("button", { name: "Turn off the rule" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Delete" }));
  await user.click(await screen.findByRole("button", { name: "Delete the rule" }));
  await screen.findByText("another page");

  expect(asked.find(({ method }) => method === "DELETE")?.headers.get("If-Match")).toBe('"4"');
});

test("a rule is deleted after a question", async () => {
  const user = userEvent.setup();
  const { asked } = renderPage({
    ...ONE,
    answers: { [GET]: rule(), ...SILENT, "DELETE /v1/notification-rules/data-team": {} },
  });
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  expect(changes(asked)).toEqual([]);
  await user.click(await screen.findByRole("button", { name: "Delete the rule" }));
  await screen.findByText("another page");

  expect(changes(asked)).toEqual([["DELETE", "/v1/notification-rules/data-team", undefined]]);
  // The rule that is gone is not read again.
  expect(asked.at(-1)?.method).toBe("DELETE");
});

test("a rule is created once, by a name that is free", async () => {
  const user = userEvent.setup();
  const { asked, container } = renderPage({ ...NEW, answers: { "PUT /v1/notification-rules/ops": rule({ name: "ops" }) } });
  await user.click(await screen.findByRole("button", { name: "Create the rule" }));
  expect(changes(asked)).toEqual([]);
  fireEvent.change(screen.getByLabelText("Name"), { target: { value: "ops" } });
  fireEvent.change(screen.getByLabelText("URL"), { target: { value: "https://alerts.example.com" } });
  await expectAccessible(container);
  await user.click(screen.getByRole("button", { name: "Create the rule" }));
  await screen.findByText("another page");
  const [put] = asked.filter(({ method }) => method === "PUT");

  expect(put?.headers.get("If-None-Match")).toBe("*");
  expect(put?.body).toEqual({
    when: { failures_in_a_row: 3, recovered: true },
    channels: [{ type: "webhook", url: "https://alerts.example.com" }],
  });
});

test("the form of a rule shows its refusal at the field", async () => {
  const user = userEvent.setup();
  const errors = [{ field: "when.failures_in_a_row", code: "too_large", detail: `At most 100: ${HOSTILE}` }];
  const page = renderPage({
    ...EDIT,
    answers: {
      [GET]: rule(),
      [PUT]: () => {
        const refused = { status: 400, code: "invalid_request", detail: "It is refused.", errors, request_id: "r-1" };
        return Response.json({ type: "", title: "", instance: "", quota: null, ...refused }, { status: 400 });
      },
    },
  });
  await user.click(await screen.findByRole("button", { name: "Save the rule" }));

  await waitFor(() => {
    expect(screen.getAllByText(/At most 100/).length).toBe(2);
  });
  expectOnlyText(page);
});

test("a viewer sees why a rule cannot be changed", async () => {
  renderPage({ ...ONE, answers: { [GET]: rule() }, scopes: VIEWER });

  expect(isDisabled(await screen.findByRole("button", { name: "Edit" }))).toBe(true);
  expect(isDisabled(screen.getByRole("button", { name: "Turn off" }))).toBe(true);
});

test("a rule that is gone is said to be", async () => {
  const { container } = renderPage({ ...ONE, answers: { [GET]: () => refusal(404, "rule_not_found") } });

  expect(await within(container).findByText(/rule_not_found · request r-1/)).toBeTruthy();
});
