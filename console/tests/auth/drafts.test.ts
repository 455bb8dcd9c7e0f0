import { expect, test } from "vitest";

import { follow, holdDraft, lostByLeaving } from "../../src/auth/drafts";

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
