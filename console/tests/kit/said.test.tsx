import { screen } from "@testing-library/react";
import { expect, it } from "vitest";

import { ApiProblem } from "../../src/kit/problems/problem";
import { Page, ProblemAlert, RouteLink, Said } from "../../src/kit";
import { WhyCell } from "../../src/pages/runs/told/WhyCell";
import { ByEvent } from "../../src/pages/runs/told/ByEvent";
import { show } from "../support/page";

/** Ends an isolation that it did not begin, and turns round all that follows. */
const TURNED = "\u2069\u202egnp.exe";
const ERRORS = [{ field: "name", code: "invalid", detail: TURNED }];
const REFUSED = new ApiProblem({ type: "", title: "", status: 422, code: "invalid_request", detail: "No.", errors: ERRORS, instance: "", request_id: "", quota: null, archived_in: null });

it.each([
  ["a text", <Said key="1">{TURNED}</Said>],
  ["a link", <RouteLink key="2" to="/jobs/1">{TURNED}</RouteLink>],
  ["a refused field", <ProblemAlert key="3" problem={REFUSED} />],
  ["a refusal", <ProblemAlert key="6" problem={new ApiProblem({ ...REFUSED.problem, errors: [], detail: TURNED })} />],
  ["an error of a target", <WhyCell key="4" run={{ error: { code: "http_500", type: "", message: TURNED }, explanation: "", reason: null, collapse: null }} />],
  ["an event", <ByEvent key="5" event={{ id: TURNED, source: "shop", event_trigger: "paid" }} />],
])("has a paragraph of its own: %s", (_, shown) => {
  show(shown, {});

  expect(screen.getByText(TURNED, { normalizer: (text) => text }).closest("bdi.said")).not.toBeNull();
});

it("leaves the words after a name in the window's title as they are", () => {
  show(<Page title={`Edit ${TURNED}`} crumbs={[]}><p>-</p></Page>, {});

  expect(document.title).toBe("Edit gnp.exe · Timegate");
});
