import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentType } from "react";
import { expect, test } from "vitest";

import { placeOf } from "../../../src/pages/tenants/audit";
import AuditPage from "../../../src/pages/tenants/AuditPage";
import OwnTenantPage from "../../../src/pages/tenants/OwnTenantPage";
import { readQuota } from "../../../src/pages/tenants/quotas";
import TenantPage from "../../../src/pages/tenants/TenantPage";
import TenantsPage from "../../../src/pages/tenants/TenantsPage";
import { AUDIT, JOB_ID, OWN_TENANT, tenant } from "../../support/answers";
import { refusal } from "../../support/page";
import {
  ADMIN,
  changes,
  expectAccessible,
  expectOnlyText,
  renderPage,
} from "../../support/renderPage";

function open(Page: ComponentType, route: string, url: string, answers: object, scopes = ADMIN) {
  return renderPage({ Page, route, url, answers: { ...answers }, scopes });
}

const TENANT = { "GET /v1/tenants/acme": tenant() };

test("the own tenant shows its quotas and use, and warns before a quota is full", async () => {
  const page = open(OwnTenantPage, "/tenant", "/tenant", { "GET /v1/tenant": OWN_TENANT });

  expect(await screen.findByText("4,800 of 5,000")).toBeTruthy();
  expect(screen.getAllByText(/Nearly used in full/).length).toBeGreaterThan(0);
  expect(screen.getByText("3 used, no limit")).toBeTruthy();
  expect(screen.getByText("eu-central-1, us-east-1")).toBeTruthy();
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("a suspended tenant reads why", async () => {
  const suspension = { since: "2026-11-21T07:00:00.000Z", reason: "unpaid", freeze_id: "f" };
  open(OwnTenantPage, "/tenant", "/tenant", {
    "GET /v1/tenant": { ...OWN_TENANT, status: "suspended", suspension },
  });

  expect(await screen.findByText("The stage suspended this tenant")).toBeTruthy();
  expect(screen.getByText(/unpaid/)).toBeTruthy();
});

test("the stage's administration lists tenants, and no other person's page asks for them", async () => {
  const page = open(TenantsPage, "/tenants", "/tenants", {
    "GET /v1/tenants": { items: [tenant()], next_cursor: null },
  });
  expect(await screen.findByRole("link", { name: "acme" })).toBeTruthy();
  expectOnlyText(page);
  await expectAccessible(page.container);
  page.unmount();

  const other = open(TenantsPage, "/tenants", "/tenants", {}, ["timegate/read"]);
  expect(screen.getByText(/administration alone sees this page/)).toBeTruthy();
  expect(other.asked).toEqual([]);
});

test("quotas that were changed are sent, and no other", async () => {
  const user = userEvent.setup();
  const { asked } = open(TenantPage, "/tenants/:tenant", "/tenants/acme", {
    ...TENANT,
    "PATCH /v1/tenants/acme": tenant(),
  });
  await user.click(await screen.findByRole("button", { name: "Change quotas" }));
  const dialog = await screen.findByRole("dialog");
  await user.clear(within(dialog).getByRole("textbox", { name: /Jobs/ }));
  await user.type(within(dialog).getByRole("textbox", { name: /DAGs/ }), "12");
  await user.click(within(dialog).getByRole("button", { name: "Change the quotas" }));

  expect(changes(asked)).toEqual([
    ["PATCH", "/v1/tenants/acme", { quotas: { jobs: null, dags: 12 } }],
  ]);
});

test("a tenant is suspended with a reason, and resumed", async () => {
  const user = userEvent.setup();
  const page = open(TenantPage, "/tenants/:tenant", "/tenants/acme", {
    ...TENANT,
    "POST /v1/tenants/acme/suspend": tenant(),
  });
  await user.click(await screen.findByRole("button", { name: "Suspend" }));
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getByRole("textbox", { name: "Reason" }), "unpaid");
  await user.click(within(dialog).getByRole("button", { name: "Suspend the tenant" }));

  expect(changes(page.asked)).toEqual([
    ["POST", "/v1/tenants/acme/suspend", { reason: "unpaid", thaw: "job" }],
  ]);
  page.unmount();

  const again = open(TenantPage, "/tenants/:tenant", "/tenants/acme", {
    "GET /v1/tenants/acme": tenant({ status: "suspended" }),
    "POST /v1/tenants/acme/resume": tenant(),
  });
  await user.click(await screen.findByRole("button", { name: "Resume" }));
  await user.click(await screen.findByRole("button", { name: "Resume the tenant" }));

  expect(changes(again.asked)).toEqual([["POST", "/v1/tenants/acme/resume", undefined]]);
});

test("a refusal of a change stays beside the question", async () => {
  const user = userEvent.setup();
  open(TenantPage, "/tenants/:tenant", "/tenants/acme", {
    ...TENANT,
    "POST /v1/tenants/acme/suspend": () => refusal(412, "version_mismatch"),
  });
  await user.click(await screen.findByRole("button", { name: "Suspend" }));
  await user.click(await screen.findByRole("button", { name: "Suspend the tenant" }));

  expect(await screen.findByText(/request r-1/)).toBeTruthy();
  expect(screen.getByRole("dialog")).toBeTruthy();
});

test("the audit trail shows who changed what, before and after, as text", async () => {
  const page = open(AuditPage, "/audit", `/audit?actor=ci&resource=job/${JOB_ID}&since=all`, {
    "GET /v1/audit": AUDIT,
  });

  expect((await screen.findByRole("link", { name: `job ${JOB_ID}` })).getAttribute("href")).toBe(
    `/jobs/${JOB_ID}`,
  );
  expect(page.asked[0]?.query.toString()).toBe(`actor=ci&resource=job%2F${JOB_ID}`);
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("the stage's administration reads a tenant's audit trail, and no other person does", async () => {
  const path = "/v1/tenants/acme/audit";
  const page = open(AuditPage, "/audit", "/audit?tenant=acme", { [`GET ${path}`]: AUDIT });
  await screen.findByText("updateJob");
  expect(page.asked[0]?.path).toBe(path);
  page.unmount();

  const other = open(AuditPage, "/audit", "/audit?tenant=acme", { "GET /v1/audit": AUDIT }, [
    "timegate/read",
  ]);
  await screen.findByText("updateJob");
  expect(other.asked[0]?.path).toBe("/v1/audit");
});

test.each([
  ["event_trigger", "paid", "/event-triggers/paid"],
  ["notification_rule", "failures", "/rules/failures"],
  ["api_key", "01272c6c6d19", "/keys"],
])("a change of the %s %s leads to its page", (kind, id, place) => {
  expect(placeOf(kind, id)).toBe(place);
});

test("a change of another tenant leads to what the administration opens of it, and to no page of one's own", async () => {
  const [entry] = AUDIT.items;
  const items = [entry, { ...entry, resource: { kind: "api_key", id: "01272c6c6d19" }, request_id: "r-2" }];
  open(AuditPage, "/audit", "/audit?tenant=red", { "GET /v1/tenants/red/audit": { ...AUDIT, items } });
  const key = await screen.findByRole("link", { name: "api key 01272c6c6d19" });

  expect(key.getAttribute("href")).toBe("/keys?tenant=red");
  expect(screen.getByText(`job ${JOB_ID}`).closest("a")).toBeNull();
});

test.each([
  ["", null],
  [" 0 ", 0],
  ["1,000", 1000],
  ["1,000,000", 1_000_000],
  ["1,5", "invalid"],
  ["10,00", "invalid"],
  ["1,", "invalid"],
  ["1000000000", 1_000_000_000],
  ["1000000001", "invalid"],
  ["-1", "invalid"],
  ["many", "invalid"],
])("the quota %o is read as %o", (text, quota) => {
  expect(readQuota(text)).toBe(quota);
});
