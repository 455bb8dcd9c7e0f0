import { afterEach, expect, test, vi } from "vitest";

import { follow, forgetDrafts, holdDraft, lostByLeaving, takeDraft } from "../../src/auth/drafts";

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
  forgetDrafts();
});

test("has nothing to lose from an action's end until something is typed again", () => {
  const typed = holdDraft("acme new job", { name: "a" });
  const before = lostByLeaving();
  follow(() => undefined);
  const after = lostByLeaving();
  const again = holdDraft("acme new job", { name: "b" });

  expect([before, after, lostByLeaving()].map((lost) => lost !== null)).toEqual([true, false, true]);
  typed();
  again();
});

test.each(["{", "7", "null", "[1]"])("finds nothing in a storage that holds %s", (text) => {
  forgetDrafts();
  sessionStorage.setItem("timegate.drafts", text);

  expect(takeDraft("acme new job")).toBeUndefined();
  expect(sessionStorage.length).toBe(0);
});

test("finds nothing where the browser forbids its storage", () => {
  forgetDrafts();
  const forbidden = (): never => {
    throw new DOMException("denied", "SecurityError");
  };
  vi.stubGlobal("sessionStorage", { getItem: forbidden, removeItem: forbidden, clear: () => undefined });

  expect(takeDraft("acme new job")).toBeUndefined();
});
